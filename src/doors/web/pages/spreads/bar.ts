import { SIZE_PARAMETER } from '../../../../engines/depth/size-columns.ts';
import { LEG_CLOSED } from '../../../../market/session.ts';
import { type Html, html } from '../../markup/html.ts';
import { pairVenues, VENUE_PARAMETERS } from '../lists/pair-venues.ts';
import { sizeBox } from '../lists/size-box.ts';
import { segment } from '../lists/venue-picker.ts';
import type { PageContext } from '../page-context.ts';

/** The filters that it has choices for. */
export const CHOICES = [
  ...VENUE_PARAMETERS,
  SIZE_PARAMETER,
  LEG_CLOSED.name,
  'min_net_spread_pct',
  'min_strength',
  'min_volume_usdt',
];

const NET_SPREADS = [
  ['', 'Any'],
  ['0', '0\u00a0%+'],
  ['0.1', '0.1\u00a0%+'],
  ['0.3', '0.3\u00a0%+'],
] as const;
const STRENGTHS = [
  ['', 'Any'],
  ['3', '3+'],
  ['4', '4+'],
  ['5', '5'],
] as const;
const VOLUMES = [
  ['', 'Any'],
  ['1000000', '$1\u00a0M+'],
  ['10000000', '$10\u00a0M+'],
] as const;

/** The choices of live spreads, after the field of coins. */
export function spreadChoices(context: PageContext): Html {
  const { sent } = context;
  return html`${pairVenues(context)}
    ${sizeBox(context)}
    ${segment('min_net_spread_pct', 'Net spread', NET_SPREADS, sent)}
    ${segment('min_strength', 'Strength', STRENGTHS, sent)}
    ${segment('min_volume_usdt', 'Volume', VOLUMES, sent)}`;
}

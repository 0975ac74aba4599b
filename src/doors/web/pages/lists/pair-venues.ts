import { type Html, html } from '../../markup/html.ts';
import { byName, openVenues } from '../open-venues.ts';
import type { PageContext } from '../page-context.ts';
import { venuePicker } from './venue-picker.ts';

/** The parameters that it has fields for. */
export const VENUE_PARAMETERS = ['exchange', 'exchange_match'];

const MATCHES = [
  ['', 'Either leg'],
  ['all', 'Both legs'],
] as const;

/** The venues of a list of pairs, and whether one leg or both must be on them. */
export function pairVenues({ sent, entrance }: PageContext): Html {
  const names = openVenues(entrance).map(({ facts }) => facts.exchange);
  const chosen = sent.get('exchange_match')?.[0] === 'all' ? 'all' : '';
  const match = html`<fieldset class="seg">
    <legend class="vh">Legs on these venues</legend>
    ${MATCHES.map(
      ([value, words]) => html`<label>
        <input type="radio" name="exchange_match" value="${value}"${value === chosen ? html` checked` : null}>
        <span>${words}</span>
      </label>`,
    )}
  </fieldset>`;
  return venuePicker(names.toSorted(byName), sent, match);
}

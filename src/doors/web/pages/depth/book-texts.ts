import type { BandBp } from '../../../../market/depth/side-curve.ts';
import type { Row } from '../../layout/visitor.ts';
import { moneyText, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';

const SECONDS_PER_MINUTE = 60;
const MINUTES_FROM_SECONDS = 120;

/** `34 s old`, `4 min old`. */
export function ageText(seconds: unknown): string {
  return `${durationText(seconds)} old`;
}

/** `34 s`, `4 min`. */
export function durationText(seconds: unknown): string {
  const value = Number(seconds);
  return value < MINUTES_FROM_SECONDS
    ? `${Math.round(value)}\u00a0s`
    : `${Math.round(value / SECONDS_PER_MINUTE)}\u00a0min`;
}

/** `read every minute`. */
export function periodText(seconds: unknown): string {
  return Number(seconds) === SECONDS_PER_MINUTE ? 'read every minute' : `read every ${durationText(seconds)}`;
}

/** What rests within a band. Beyond the levels received it is unknown: at least what was received. */
export function bandText(row: Row, side: 'bid' | 'ask', bp: BandBp): Html {
  const value = row[`${side}_${bp}bp_usd`];
  if (typeof value === 'number') return usdt(value);
  const received = Number(row[`${side}_received_usd`]);
  const title = `Unknown: the levels received end at ${Number(row[`${side}_reach_bp`]).toFixed(1)} bp. At least so much rests there`;
  return html`<span class="mut" title="${title}">≥\u00a0${moneyText(received)}</span>`;
}

/** How often the books of a venue are read, if its limits make that less often than every minute; otherwise null. */
export function longPeriodText(seconds: unknown): string | null {
  if (typeof seconds !== 'number' || seconds <= SECONDS_PER_MINUTE) return null;
  const often = `every ${durationText(seconds)} instead of every minute`;
  const others = 'and those of its other contracts less often by the same factor';
  return `The request limits of this venue allow us to read the order books of its most traded contracts ${often}, ${others}.`;
}

import type { Row } from '../../layout/visitor.ts';
import { countText } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { durationText } from './durations.ts';

/** How long a carry above the fee lasted, as rows of /arbitrage and /funding/{coin} have it. */
export interface Lasting {
  median_hours_above_fee: number | null;
  times_above_fee: number | null;
  hours_above_fee_now: number | null;
}

const ABOVE_FEE_MEANING =
  'Hours in which the pair earned enough to pay the four fills back within 30 days, one after another';

export function lastingOf(row: Row): Lasting {
  const figure = (name: keyof Lasting) => {
    const value = row[name];
    return typeof value === 'number' ? value : null;
  };
  return {
    median_hours_above_fee: figure('median_hours_above_fee'),
    times_above_fee: figure('times_above_fee'),
    hours_above_fee_now: figure('hours_above_fee_now'),
  };
}

/** What the figures say, in a sentence; null if too little is known. */
export function lastingSentence(lasting: Lasting): Html | null {
  const { median_hours_above_fee: hours, times_above_fee: times, hours_above_fee_now: now } = lasting;
  if (times === null || now === null) return null;
  const before =
    hours === null
      ? `${times === 0 ? 'No spread' : `Only ${countText(times, 'spread')}`} above the fee came and went in 30 days`
      : `Spreads above the fee lasted ${durationText(hours)} (median of ${times} times in 30 days)`;
  const present =
    now === 0 ? 'now it is not above the fee' : `this one has lasted ${durationText(now)} so far`;
  return html`<span title="${ABOVE_FEE_MEANING}">${before}; ${present}.</span>`;
}

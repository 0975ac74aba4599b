import { DAY_MS, isoTime } from '../../../../base/times.ts';
import type { AuditReport } from '../../../../engines/audit/report.ts';
import type { DayFigures } from '../../../../engines/audit/windows.ts';

export const TITLE = 'Accuracy';

export const LEAD =
  'At every settlement the last rate that Perpwire published is compared with what the venue then settled. No figure here is an estimate: each counts real settlements.';

/** Every formula of the page, as text for the page and its Markdown file. */
export const FORMULAS: readonly (readonly [term: string, meaning: string])[] = [
  [
    'Comparison',
    'one settlement of one contract: the last rate_pct published before it, at most ten minutes old, and the settled print. Where funding accrues without settlements the hour takes their place, and the rate counts for the time of the print: rate_pct × minutes since the print before / (60 × interval_hours).',
  ],
  ['Error', '|published rate − settled print| × 100, in basis points (0.01 % is one).'],
  ['Within 0.1 bp', 'comparisons with an error of at most 0.1 basis point / comparisons.'],
  [
    'Median, worst',
    'of the error; “a minute before” is the median error of the newest rate that was published at least 60 seconds before the last one.',
  ],
  [
    'Same sign',
    'comparisons in which rate and print have one sign / comparisons in which both are at least 0.01 basis point.',
  ],
  [
    'Ratio',
    'median of settled print / published rate, where the published rate is at least 0.01 basis point.',
  ],
  ['Delay', 'median time from the settlement until its print was known here.'],
  [
    'Missing',
    'settlements whose print is not known seven hours later; expected are these and all comparisons. A print that comes later is a comparison from then on.',
  ],
  [
    'Verdict',
    'of the newest 50 to 200 informative comparisons of the last seven days at least 80 % show one fault: a factor of 100, 1/100, 8 or 1/8, the opposite sign, the rate of the settlement before or after, or another interval. A comparison is informative when fault and truth differ by 0.1 basis point or more; equal pairs of values count five times at most. An alarm ends below 50 %.',
  ],
  [
    'Prices',
    'contracts whose mid price is more than 5 % from the median of the other venues on the same coin, of those with at least two others.',
  ],
  [
    'Settlements',
    'contracts for which the venue states a next settlement more than ten minutes in the past, or further away than one interval.',
  ],
  [
    'Volume',
    'the venue’s 24 h volume / the median of its hourly values of the last seven days, divided by the median of that figure over the other venues.',
  ],
  [
    'Counted twice, halved',
    'of a contract the newest eight different values of open interest or 24 h volume are taken as the venue counts them, in steps of their last digit. Counted twice: none is odd. Halved: all end in 0 or 5. A notice needs ten such contracts and 90 % of those judged; a right count shows it with a chance below 10 × 2⁻⁷².',
  ],
  [
    'Not published',
    'an open interest above 100 billion USDT; one of 10 million or more that is above 1,000 times the volume of the day; one of 100,000 or more that differs by more than 20 times between a call and a stream of the venue.',
  ],
  [
    'Open interest / volume',
    'median over the coins of a venue of its own ratio / the median of at least three other venues’, for ten coins or more. A notice above 30 or below 1/30, and above 1.8 or below 1/1.8 times the median of its own last seven days.',
  ],
  [
    'Copy',
    'contracts whose settled rates of a whole day equal those of the same contract at another venue to the digit / contracts that can be judged, for ten or more: a notice from 60 % on, until it is below 50 %. Rates that rest at a baseline or a cap do not count.',
  ],
];

export const NO_REPORT =
  'There is no report yet: the first one follows within a minute of the first snapshot.';

export function dayText({ day }: Pick<DayFigures, 'day'>): string {
  return isoTime(day * DAY_MS).slice(0, 10);
}

export function summary({ venues, withholding }: AuditReport): string {
  const alarmed = venues.filter(({ alarms }) => alarms.length > 0).map(({ exchange }) => exchange);
  const finding =
    alarmed.length === 0
      ? 'No venue shows a systematic fault.'
      : `There is an alarm at ${alarmed.join(', ')}.`;
  const rows = withholding === 'off' ? 'stay published' : 'are withheld until the alarm ends';
  return `${finding} Rows of a venue with wrong rates ${rows}.`;
}

import { type VenueAccuracy, verdictOf } from '../../../../engines/audit/report.ts';
import type { WindowFigures } from '../../../../engines/audit/windows.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';

/** One for each window of the audit. */
export const WINDOW_TITLES = ['Last 24 hours', 'Last 7 days', 'Last 30 days'] as const;
/** Their names in the address of the page. */
export const WINDOW_NAMES = ['24h', '7d', '30d'] as const;
/** The window of a page without one in its address: seven days. */
export const USUAL_WINDOW = 1;

/** The columns of `figureCells`: name, unit, and what the figure means. */
const FIGURES = [
  ['Compared', 'settlements', 'Settlements whose published rate could be compared with the settled one'],
  [
    'Within 0.1 bp',
    '% of them',
    'Share of the settlements in which the published rate was off by at most 0.001 %',
  ],
  ['Median error', 'bp', 'Half of the published rates were off by less; one basis point (bp) is 0.01 %'],
  ['A minute before', 'bp', 'Median error of the rate that was published a minute before the last one'],
  ['Worst error', 'bp', 'The largest difference between the published and the settled rate'],
  ['Same sign', '% of them', 'Share in which both rates had the same side pay; rates near zero do not count'],
  [
    'Ratio',
    'settled / published',
    'Median; 1 is right, 8 or 0.125 would be a wrong interval, −1 a wrong sign',
  ],
  ['Delay', 'seconds', 'Median time from a settlement until its rate was known here'],
  ['Missing', 'of expected', 'Settlements whose rate is still unknown seven hours later'],
] as const;

/** The headings of `figureCells`. */
export const FIGURE_HEADINGS: Html = html`${FIGURES.map(
  ([label, unit, meaning]) =>
    html`<th scope="col" class="num" title="${meaning}">${label}<small>${unit}</small></th>`,
)}`;

export function figureCells(figures: WindowFigures): Html {
  const number = (value: number | null, digits: number) =>
    html`<td class="num">${value === null ? '–' : value.toFixed(digits)}</td>`;
  return html`<td class="num">${grouped(figures.comparisons)}</td>
    ${number(figures.closePct, 1)}
    ${number(figures.medianErrorBp, 3)}
    ${number(figures.medianEarlierErrorBp, 3)}
    ${number(figures.worstErrorBp, 3)}
    ${number(figures.sameSignPct, 1)}
    ${number(figures.medianRatio, 3)}
    ${number(figures.medianDelaySeconds, 0)}
    <td class="num">${figures.missing} of ${grouped(figures.expected)}</td>`;
}

/** The same figures for a Markdown file. */
export function windowFields(venue: VenueAccuracy, figures: WindowFigures): Record<string, unknown> {
  return {
    exchange: venue.exchange,
    rule: venue.rule,
    comparisons: figures.comparisons,
    within_01_bp_pct: figures.closePct,
    median_error_bp: figures.medianErrorBp,
    median_error_a_minute_before_bp: figures.medianEarlierErrorBp,
    worst_error_bp: figures.worstErrorBp,
    same_sign_pct: figures.sameSignPct,
    median_ratio: figures.medianRatio,
    median_delay_seconds: figures.medianDelaySeconds,
    missing: figures.missing,
    expected: figures.expected,
    verdict: verdictOf(venue),
  };
}

import { type VenueAccuracy, verdictOf } from '../../../../engines/audit/report.ts';
import type { WindowFigures } from '../../../../engines/audit/windows.ts';
import { type Html, html } from '../../markup/html.ts';

/** One for each window of the audit. */
export const WINDOW_TITLES = ['Last 24 hours', 'Last 7 days', 'Last 30 days'] as const;

/** The headings of `figureCells`. */
export const FIGURE_HEADINGS: Html = html`<th scope="col" class="num">Comparisons</th>
  <th scope="col" class="num">Within 0.1 bp</th>
  <th scope="col" class="num">Median error</th>
  <th scope="col" class="num">A minute before</th>
  <th scope="col" class="num">Worst error</th>
  <th scope="col" class="num">Same sign</th>
  <th scope="col" class="num">Ratio</th>
  <th scope="col" class="num">Delay</th>
  <th scope="col" class="num">Missing / expected</th>`;

export function figureCells(figures: WindowFigures): Html {
  const number = (value: number | null, unit: string) =>
    html`<td class="num">${value === null ? '–' : `${value}${unit}`}</td>`;
  return html`${number(figures.comparisons, '')}
    ${number(figures.closePct, ' %')}
    ${number(figures.medianErrorBp, ' bp')}
    ${number(figures.medianEarlierErrorBp, ' bp')}
    ${number(figures.worstErrorBp, ' bp')}
    ${number(figures.sameSignPct, ' %')}
    ${number(figures.medianRatio, '')}
    ${number(figures.medianDelaySeconds, ' s')}
    <td class="num">${figures.missing} / ${figures.expected}</td>`;
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

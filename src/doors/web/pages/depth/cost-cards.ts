import { lineChart } from '../../markup/charts/line-chart.ts';
import { type SizeLine, sizeCurve, sizeText } from '../../markup/charts/size-curve.ts';
import type { Dash, Tone } from '../../markup/charts/tones.ts';
import { type Html, type HtmlValue, html } from '../../markup/html.ts';
import { type CostLine, type CostPage, usdText } from './costs.ts';
import { halfHours } from './hours.ts';
import { hoursView } from './hours-view.ts';
import { LARGEST_USD, SMALLEST_USD } from './size.ts';

/** Points of a curve, in equal steps of the logarithm. */
const CURVE_POINTS = 60;
const HEIGHT_PX = 240;

const dashOf = (place: number): Dash => (place === 0 ? 0 : 1);

/** What each size costs now, on both ways. A line ends where the levels end that the venue sent. */
export function curveCard({ lines, sizeUsd, subject }: CostPage, age: string | null): Html {
  const drawn = lines.map(
    ({ name, tone, curve }, i): SizeLine => ({ name, tone, dash: dashOf(i), points: curvePoints(curve) }),
  );
  const isKnown = drawn.some(({ points }) => points.length > 0);
  return html`<section class="card" id="curve" data-live>
    <header>
      <h2>What each size costs now</h2>
      ${age === null ? null : html`<span class="mut">${age}</span>`}
    </header>
    ${legend(drawn)}
    <div class="pad">
      ${
        isKnown
          ? sizeCurve({
              id: 'curve-plot',
              label: `Cost of orders of ${sizeText(SMALLEST_USD)} to ${sizeText(LARGEST_USD)}, ${subject}`,
              lines: drawn,
              fromUsd: SMALLEST_USD,
              toUsd: LARGEST_USD,
              markedUsd: sizeUsd,
            })
          : html`<p class="mut">There is no order book of the last hour.</p>`
      }
    </div>
    <p class="cfoot"><span>Average fill against the mid price, before fees. ${endsText(lines)}</span></p>
  </section>`;
}

function curvePoints(curve: CostLine['curve']): [number, number][] {
  if (!curve) return [];
  const toUsd = Math.min(curve.knownUsd, LARGEST_USD);
  if (toUsd < SMALLEST_USD) return [];
  const ratio = toUsd / SMALLEST_USD;
  return Array.from({ length: CURVE_POINTS + 1 }, (_, i): [number, number] => {
    // The last one exactly: a power is rounded.
    const usd = i === CURVE_POINTS ? toUsd : SMALLEST_USD * ratio ** (i / CURVE_POINTS);
    return [usd, curve.costPct(usd)];
  }).filter(([, pct]) => !Number.isNaN(pct));
}

/** Says where the lines end, and that nothing is known beyond. */
function endsText(lines: readonly CostLine[]): string {
  const ends = lines.flatMap(({ name, curve }) =>
    curve && curve.knownUsd < LARGEST_USD ? [`${sizeText(curve.knownUsd)} (${name})`] : [],
  );
  if (ends.length === 0) return `Known up to ${sizeText(LARGEST_USD)}.`;
  return `Known up to ${ends.join(' and ')}: venues send no more of their books, and what a larger order costs is unknown.`;
}

export function legend(lines: readonly { name: string; tone: Tone; dash: Dash }[]): Html {
  return html`<ul class="lgd">
    ${lines.map(
      ({ name, tone, dash }) => html`<li>
        <svg class="${tone}" viewBox="0 0 26 14" aria-hidden="true"><path class="ln${dash > 0 ? ' hl' : ''}" d="M0 7H26"/></svg>
        ${name}
      </li>`,
    )}
  </ul>`;
}

/** What the size cost through the week, and at which hours of the day it cost least. */
export function weekCard(page: CostPage, file: HtmlValue = null): Html {
  const { lines, sizeUsd, subject, week } = page;
  const title = `What ${usdText(sizeUsd)} cost through the week`;
  const series = lines.map(({ name, tone, week: costs }, i) => ({
    name,
    tone,
    dash: dashOf(i),
    points: week ? halfHours(costs, week.fromMs, week.toMs) : [],
  }));
  return html`<section class="card mt" id="week">
    <header><h2>${title}</h2><span class="mut">medians of half hours, before fees</span>${file}</header>
    ${legend(series)}
    <div class="pad" id="week-plot" data-live>
      ${lineChart({
        id: 'week-chart',
        label: `${title}, ${subject}`,
        unit: '\u00a0%',
        decimals: 4,
        heightPx: HEIGHT_PX,
        isPrice: true,
        hasDays: true,
        series,
        empty: html`<p class="mut">${noneText(lines, sizeUsd)}</p>`,
      })}
    </div>
    ${week === null ? null : hoursView(page, week.asOf)}
    <p class="cfoot"><span id="filled" data-live>${filledText(lines, sizeUsd)}</span></p>
  </section>`;
}

function noneText(lines: readonly CostLine[], sizeUsd: number): string {
  return lines.some(({ week }) => week.length > 0)
    ? `No book of this week reached ${usdText(sizeUsd)}, so what it cost is unknown. Choose a smaller size.`
    : 'No cost of this week is stored yet. Costs are stored every five minutes.';
}

/** How often the books did not reach the size: then its cost is unknown. */
function filledText(lines: readonly CostLine[], sizeUsd: number): string {
  const all = lines.flatMap(({ week }) => week);
  if (all.length === 0) return '';
  const unfilled = all.filter(({ pct }) => pct === null).length / all.length;
  if (unfilled === 0) return `The books reached ${usdText(sizeUsd)} at all times.`;
  const share = unfilled < 0.01 ? 'under 1' : (unfilled * 100).toFixed(0);
  return `In ${share}\u00a0% of the times the books received did not reach ${usdText(sizeUsd)}: what it cost then is unknown, a gap if that lasted.`;
}

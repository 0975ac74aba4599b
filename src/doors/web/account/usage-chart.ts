import type { UsagePoint, UsageSpan } from '../../../accounts/usage/rows.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../../base/times.ts';
import { utc } from '../markup/format.ts';
import { type Html, html } from '../markup/html.ts';

export const SPAN_MS: Readonly<Record<UsageSpan, number>> = { hour: HOUR_MS, day: DAY_MS };
/** The number of bars: two days of hours, a month of days. */
export const BARS: Readonly<Record<UsageSpan, number>> = { hour: 48, day: 30 };

const BAR_WIDTH = 16;
const GAP = 4;
const HEIGHT = 110;

/** All spans up to now, oldest first, with zero for those without requests. */
export function filledSpans(points: readonly UsagePoint[], span: UsageSpan, nowMs: number): UsagePoint[] {
  const used = new Map(points.map((point) => [point.startMs, point.used]));
  const lastMs = nowMs - (nowMs % SPAN_MS[span]);
  return Array.from({ length: BARS[span] }, (_, i) => {
    const startMs = lastMs - (BARS[span] - 1 - i) * SPAN_MS[span];
    return { startMs, used: used.get(startMs) ?? 0 };
  });
}

export function spanLabel(startMs: number, span: UsageSpan): string {
  return span === 'day' ? isoTime(startMs).slice(0, 10) : utc(isoTime(startMs));
}

/** The top of the axis: the least of 1, 2, 4, 10, 20, 40 and so on that is not below the number. */
function axisTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 4, 10].map((step) => step * power).find((top) => top >= most) ?? most;
}

/** An SVG from the server, which needs no script. The table on the page has the same figures. */
export function usageChart(spans: readonly UsagePoint[], span: UsageSpan, label: string): Html {
  const [first, last] = [spans.at(0), spans.at(-1)].map((one) => (one ? spanLabel(one.startMs, span) : ''));
  const top = axisTop(Math.max(...spans.map(({ used }) => used)));
  const width = spans.length * (BAR_WIDTH + GAP);
  const marks = top === 1 ? [1, 0] : [top, top / 2, 0];
  return html`<div class="usage-plot">
    <p class="y-axis" aria-hidden="true">${marks.map((mark) => html`<span>${mark.toLocaleString('en-US')}</span>`)}</p>
    <svg class="bars" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img"
        aria-label="${label}">
      ${marks.map((_mark, i) => html`<path d="M0 ${(i / (marks.length - 1)) * HEIGHT}h${width}"/>`)}
      ${spans.map(({ startMs, used }, i) => {
        if (used === 0) return null;
        // At least 3 pixels, so that a single request is visible.
        const height = Math.max(3, Math.round((used / top) * HEIGHT));
        return html`<rect x="${i * (BAR_WIDTH + GAP)}" y="${HEIGHT - height}" width="${BAR_WIDTH}" height="${height}">
          <title>${spanLabel(startMs, span)}: ${used}</title>
        </rect>`;
      })}
    </svg>
    <p class="axis" aria-hidden="true"><span>${first}</span><span>${last}</span></p>
  </div>`;
}

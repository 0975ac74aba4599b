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

/** An SVG from the server, which needs no script. The table on the page has the same figures. */
export function usageChart(spans: readonly UsagePoint[], span: UsageSpan, label: string): Html {
  const [first, last] = [spans.at(0), spans.at(-1)].map((one) => (one ? spanLabel(one.startMs, span) : ''));
  const most = Math.max(1, ...spans.map(({ used }) => used));
  const width = spans.length * (BAR_WIDTH + GAP);
  return html`<svg class="bars" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img"
      aria-label="${label}">
${spans.map(({ startMs, used }, i) => {
  // At least 3 pixels, so that a single request is visible.
  const height = used === 0 ? 1 : Math.max(3, Math.round((used / most) * HEIGHT));
  return html`<rect x="${i * (BAR_WIDTH + GAP)}" y="${HEIGHT - height}" width="${BAR_WIDTH}" height="${height}">
    <title>${spanLabel(startMs, span)}: ${used}</title>
  </rect>`;
})}
</svg>
    <p class="axis" aria-hidden="true"><span>${first}</span><span>${last}</span></p>`;
}

import type { UsagePoint, UsageSpan } from '../../../accounts/windows/usage-rows.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../../base/times.ts';
import { utc } from '../format.ts';
import { type Html, html } from '../html.ts';

export const SPAN_MS: Readonly<Record<UsageSpan, number>> = { hour: HOUR_MS, day: DAY_MS };
/** How many bars a chart has: two days of hours, a month of days. */
export const BARS: Readonly<Record<UsageSpan, number>> = { hour: 48, day: 30 };

const BAR_WIDTH = 16;
const GAP = 4;
const HEIGHT = 110;

/** Every span up to now, also those without a request, oldest first. */
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

/** Drawn on the server, so that it needs no script; the table beside it has the same figures. */
export function usageChart(spans: readonly UsagePoint[], span: UsageSpan, label: string): Html {
  const [first, last] = [spans.at(0), spans.at(-1)].map((one) => (one ? spanLabel(one.startMs, span) : ''));
  const most = Math.max(1, ...spans.map(({ used }) => used));
  const width = spans.length * (BAR_WIDTH + GAP);
  return html`<svg class="bars" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${label}">
${spans.map(({ startMs, used }, i) => {
  // Even a single request can be seen.
  const height = used === 0 ? 1 : Math.max(3, Math.round((used / most) * HEIGHT));
  return html`<rect x="${i * (BAR_WIDTH + GAP)}" y="${HEIGHT - height}" width="${BAR_WIDTH}" height="${height}"><title>${spanLabel(startMs, span)}: ${used}</title></rect>`;
})}
</svg>
<p class="axis" aria-hidden="true"><span>${first}</span><span>${last}</span></p>`;
}

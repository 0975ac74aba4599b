import { MINUTE_MS } from '../../../../base/times.ts';
import type { LineChart } from '../../markup/charts/line-chart.ts';
import type { LoadedPair } from './pair-data.ts';

const HEIGHT_PX = 316;
/** Of each step the lowest and the highest spread are drawn, so no peak is lost. */
const STEPS = 320;

/** The spread of the shown minutes, which end with the loaded ones, with cycles as bands and where cycles open. */
export function pairChartOf(loaded: LoadedPair, shown: Float32Array): LineChart {
  const { coin, exchangeA, exchangeB, cycles, marks, from, spreadsPct } = loaded;
  const endMs = Date.parse(from ?? '') + (spreadsPct.length - 1) * MINUTE_MS;
  const startMs = endMs - (shown.length - 1) * MINUTE_MS;
  const points = thinned(shown, startMs);
  const gap = gapMinutes(loaded);
  if (gap > 0) points.push([endMs + gap * MINUTE_MS, null]);
  return {
    id: 'spread',
    label: `Price spread of ${coin}, ${exchangeB} over ${exchangeA}, with ${cycles.length} cycles as bands`,
    series: [{ name: 'Spread', tone: 's1', dash: 0, points }],
    unit: '\u00a0%',
    decimals: 3,
    heightPx: HEIGHT_PX,
    bands: cycles.flatMap(({ opened_at, closed_at, direction }) => {
      const [fromMs, toMs] = [Math.max(startMs, Date.parse(opened_at)), Date.parse(closed_at)];
      return toMs <= startMs ? [] : [{ fromMs, toMs, side: direction === 'long_a_short_b' ? 'a' : 'b' }];
    }),
    lines: marks
      ? [
          { value: marks.long_a_short_b, label: '', side: 'a' },
          { value: marks.short_a_long_b, label: '', side: 'b' },
        ]
      : [],
  };
}

/** A test that is a minute or two old is the newest one. */
const LEAST_GAP_MINUTES = 3;

/** The whole minutes from the last test to the time of the page, which the chart leaves empty. */
export function gapMinutes({ from, spreadsPct, meta }: LoadedPair): number {
  const endMs = Date.parse(from ?? '') + (spreadsPct.length - 1) * MINUTE_MS;
  const minutes = Math.floor((Date.parse(meta.as_of) - endMs) / MINUTE_MS);
  return minutes >= LEAST_GAP_MINUTES ? minutes : 0;
}

/** Few enough points to draw; a step without a price is a gap. */
export function thinned(spreadsPct: Float32Array, startMs: number): [atMs: number, value: number | null][] {
  const step = Math.max(1, Math.ceil(spreadsPct.length / STEPS));
  const points: [number, number | null][] = [];
  for (let first = 0; first < spreadsPct.length; first += step) {
    let [low, high] = [-1, -1];
    for (let i = first; i < Math.min(first + step, spreadsPct.length); i++) {
      const value = spreadsPct[i] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      if (low < 0 || value < (spreadsPct[low] ?? 0)) low = i;
      if (high < 0 || value > (spreadsPct[high] ?? 0)) high = i;
    }
    const extremes = low < 0 ? [] : [...new Set([low, high])].sort((a, b) => a - b);
    if (extremes.length === 0) points.push([startMs + first * MINUTE_MS, null]);
    for (const i of extremes) points.push([startMs + i * MINUTE_MS, Number((spreadsPct[i] ?? 0).toFixed(4))]);
  }
  // The last minute is always there: it is the spread now.
  const last = spreadsPct.length - 1;
  const value = spreadsPct[last] ?? Number.NaN;
  const lastMs = startMs + last * MINUTE_MS;
  if (last >= 0 && !Number.isNaN(value) && points.at(-1)?.[0] !== lastMs)
    points.push([lastMs, Number(value.toFixed(4))]);
  return points;
}

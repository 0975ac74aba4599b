import { DAY_MS, HOUR_MS } from '../../../../base/times.ts';

/** What an order cost at one time, in percent; null: the levels received did not fill it. */
export interface CostAt {
  atMs: number;
  pct: number | null;
}

const BIN_MS = HOUR_MS / 2;
export const HOURS = 24;
/** The hours of a day that are named together as the cheapest or dearest. */
const SPAN_HOURS = 3;
const WORST_SHARE = 0.95;

/** The cost that a share of the times did not exceed. A time at which the order was not filled counts as the dearest. */
function quantilePct(costs: readonly CostAt[], share: number): number | null {
  const sorted = costs.map(({ pct }) => pct ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const found = sorted[Math.floor((sorted.length - 1) * share)];
  return found === undefined || found === Number.POSITIVE_INFINITY ? null : found;
}

const medianPct = (costs: readonly CostAt[]) => quantilePct(costs, 0.5);

/** The median of the last 24 hours, and what was exceeded in 5 % of the times; null where it is unknown. */
export function dayFigures(
  costs: readonly CostAt[],
  toMs: number,
): { medianPct: number | null; worstPct: number | null } {
  const day = costs.filter(({ atMs }) => atMs > toMs - DAY_MS);
  return { medianPct: medianPct(day), worstPct: quantilePct(day, WORST_SHARE) };
}

/** The median of each half hour of the time, at its middle. Null where it is unknown, so that a chart has a gap. */
export function halfHours(costs: readonly CostAt[], fromMs: number, toMs: number): [number, number | null][] {
  const bins = Map.groupBy(costs, ({ atMs }) => Math.floor(atMs / BIN_MS));
  const points: [number, number | null][] = [];
  for (let bin = Math.floor(fromMs / BIN_MS); bin * BIN_MS < toMs; bin++)
    points.push([bin * BIN_MS + BIN_MS / 2, medianPct(bins.get(bin) ?? [])]);
  return points;
}

/** The median of each hour of the day, UTC; null where it is unknown. */
export function hourMedians(costs: readonly CostAt[]): (number | null)[] {
  const hours = Map.groupBy(costs, ({ atMs }) => Math.floor(atMs / HOUR_MS) % HOURS);
  return Array.from({ length: HOURS }, (_, hour) => medianPct(hours.get(hour) ?? []));
}

/** Three hours of the day in a row, by the first of them. */
export interface HourSpan {
  fromHour: number;
  toHour: number;
  /** The mean of the medians. */
  pct: number;
}

export const isWithin = ({ fromHour }: HourSpan, hour: number): boolean =>
  (hour - fromHour + HOURS) % HOURS < SPAN_HOURS;

/** The cheapest and the dearest hours; null unless every hour of the day is known. */
export function extremeHours(
  medians: readonly (number | null)[],
): { cheapest: HourSpan; dearest: HourSpan } | null {
  const known = medians.filter((pct) => pct !== null);
  if (known.length < HOURS) return null;
  const spans = known.map((_, fromHour): HourSpan => {
    const within = Array.from({ length: SPAN_HOURS }, (_one, i) => known[(fromHour + i) % HOURS] as number);
    const pct = within.reduce((sum, one) => sum + one, 0) / SPAN_HOURS;
    return { fromHour, toHour: (fromHour + SPAN_HOURS) % HOURS, pct };
  });
  const [cheapest] = spans.toSorted((a, b) => a.pct - b.pct);
  const [dearest] = spans.toSorted((a, b) => b.pct - a.pct);
  return cheapest && dearest ? { cheapest, dearest } : null;
}

/** The mean of lines hour by hour; unknown where one of them is. */
export function meanOfHours(lines: readonly (readonly (number | null)[])[]): (number | null)[] {
  return Array.from({ length: HOURS }, (_, hour) => {
    const values = lines.flatMap((one) => one[hour] ?? []);
    return values.length < lines.length ? null : values.reduce((sum, one) => sum + one, 0) / lines.length;
  });
}

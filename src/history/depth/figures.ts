import { COSTS } from './cost-codec.ts';

/** Costs over a time as `costsPct` of a contract: a buyer's for each stored size, then a seller's; NaN is unknown. */
export interface CostFigures {
  medianPct: Float64Array;
  /** What was exceeded in at most a twentieth of the times. */
  worstPct: Float64Array;
}

const WORST_SHARE = 0.95;

/** A time at which the size was not filled counts as the most expensive one, so that gaps do not make a book look cheap. */
export function figuresOf(points: readonly Float64Array[]): CostFigures {
  const [medianPct, worstPct] = [new Float64Array(COSTS), new Float64Array(COSTS)];
  for (let cost = 0; cost < COSTS; cost++) {
    const sorted = Float64Array.from(points, (costsPct) => {
      const pct = costsPct[cost] as number;
      return Number.isNaN(pct) ? Number.POSITIVE_INFINITY : pct;
    }).sort();
    const at = (share: number) => {
      const pct = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
      return Number.isFinite(pct) ? pct : Number.NaN;
    };
    medianPct[cost] = at(0.5);
    worstPct[cost] = at(WORST_SHARE);
  }
  return { medianPct, worstPct };
}

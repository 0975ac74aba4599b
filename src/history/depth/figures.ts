import { COSTS, type CostSteps, pctOf } from './cost-codec.ts';

/** Costs over a time as `costsPct` of a contract: a buyer's for each stored size, then a seller's; NaN is unknown. */
export interface CostFigures {
  medianPct: Float64Array;
  /** What was exceeded in at most a twentieth of the times. */
  worstPct: Float64Array;
}

const WORST_SHARE = 0.95;

/**
 * The figures of each contract by number. A time at which the size was not filled counts as the most expensive one, so that
 * gaps do not make a book look cheap.
 */
export function* figuresOf(times: readonly CostSteps[]): Generator<[id: number, CostFigures]> {
  const rows = new Uint32Array(times.length);
  const sorted = Array.from({ length: COSTS }, () => new Uint16Array(times.length));
  for (;;) {
    let id = Number.POSITIVE_INFINITY;
    for (const [time, { ids }] of times.entries()) id = Math.min(id, ids[rows[time] as number] ?? id);
    if (id === Number.POSITIVE_INFINITY) return;
    let count = 0;
    for (const [time, { ids, steps }] of times.entries()) {
      const row = rows[time] as number;
      if (ids[row] !== id) continue;
      for (let cost = 0; cost < COSTS; cost++)
        (sorted[cost] as Uint16Array)[count] = steps[row * COSTS + cost] as number;
      rows[time] = row + 1;
      count++;
    }
    const known = sorted.map((steps) => steps.subarray(0, count).sort());
    const at = (share: number) =>
      Float64Array.from(known, (steps) => pctOf(steps[Math.ceil(share * count) - 1] as number));
    yield [id, { medianPct: at(0.5), worstPct: at(WORST_SHARE) }];
  }
}

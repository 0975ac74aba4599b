/** The parameters of the rule. Only tests use other values, to cover days with a few minutes. */
export interface BacktestRule {
  /** The scan window: of counted cycles, coverage and the spread range. */
  windowMinutes: number;
  /** How far the median m(t) looks back. */
  medianMinutes: number;
  /** How many exits the median needs. */
  medianMinimum: number;
  /** A cycle is closed after this time, whatever the exit is. */
  limitMinutes: number;
  /** A cycle opens if at least this much is expected to be left after fees, in percent. */
  leastProfitPct: number;
  /** Coverage and range are updated in steps of this length, up to the last full step. */
  rangeStepMinutes: number;
}

const MINUTES_PER_DAY = 1440;

export function usualRule(windowDays = 7): BacktestRule {
  return {
    windowMinutes: windowDays * MINUTES_PER_DAY,
    medianMinutes: MINUTES_PER_DAY,
    medianMinimum: 120,
    limitMinutes: MINUTES_PER_DAY,
    leastProfitPct: 0.05,
    rangeStepMinutes: 60,
  };
}

/** How far back samples influence the figures of a minute. */
export function lookBackMinutes(rule: BacktestRule): number {
  return Math.max(rule.windowMinutes + rule.rangeStepMinutes, rule.medianMinutes);
}

export function feePctOfCycle(takerFeeAPct: number, takerFeeBPct: number): number {
  return 2 * (takerFeeAPct + takerFeeBPct);
}

export interface CycleStatistics {
  cycles: number;
  avgProfitPct: number;
  estProfitPct: number;
  confidence: number;
}

/** Profits in the order of closing. `coverage` is 0 to 1. */
export function cycleStatistics(
  profitsPct: readonly number[],
  coverage: number,
  feePct: number,
): CycleStatistics {
  const sorted = Float64Array.from(profitsPct).sort();
  const cycles = sorted.length;
  const medianPct = quantileOfSorted(sorted, 0.5);
  const wins = profitsPct.filter((profit) => profit > 0).length;
  const spreadPct = quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25);
  // If all profits are equal, the dispersion is 0, also where the median and the fees are 0.
  const dispersion = spreadPct === 0 ? 0 : spreadPct / Math.max(Math.abs(medianPct), feePct);
  const confidence = 100 * coverage * (wins / cycles) * (cycles / (cycles + 5)) * (1 / (1 + dispersion));
  return {
    cycles,
    avgProfitPct: profitsPct.reduce((sum, profit) => sum + profit, 0) / cycles,
    estProfitPct: medianPct,
    confidence: Math.round(confidence),
  };
}

/** Linear interpolation between the two nearest values: rank p × (n − 1), counted from 0. */
function quantileOfSorted(sorted: Float64Array, share: number): number {
  const rank = share * (sorted.length - 1);
  const below = Math.floor(rank);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (rank - below);
}

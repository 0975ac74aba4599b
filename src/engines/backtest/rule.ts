/** The numbers of the rule. Only tests use other ones, to see days pass in a few minutes. */
export interface BacktestRule {
  /** How long cycles count, and over what coverage and the spread's range are taken. */
  windowMinutes: number;
  /** m(t) looks back so far. */
  medianMinutes: number;
  /** And needs at least so many exits. */
  medianMinimum: number;
  /** A cycle is closed after this at whatever the exit is. */
  limitMinutes: number;
  /** What must be expected to be left after fees, in percent, for a cycle to open. */
  leastProfitPct: number;
  /** Coverage and range are those of the window up to the last full one of these. */
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

/** What is known at a minute about samples before it, at most: older ones change nothing any more. */
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

/** Profits in the order of their closes. `coverage` is 0 to 1. */
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
  // Without fees, profits that are all nothing have no scale to stray by, and do not stray.
  const dispersion = spreadPct === 0 ? 0 : spreadPct / Math.max(Math.abs(medianPct), feePct);
  const confidence = 100 * coverage * (wins / cycles) * (cycles / (cycles + 5)) * (1 / (1 + dispersion));
  return {
    cycles,
    avgProfitPct: profitsPct.reduce((sum, profit) => sum + profit, 0) / cycles,
    estProfitPct: medianPct,
    confidence: Math.round(confidence),
  };
}

/** Quantiles lie on the line between the two nearest values: rank p × (n − 1), counted from 0. */
export function quantileOfSorted(sorted: Float64Array, share: number): number {
  const rank = share * (sorted.length - 1);
  const below = Math.floor(rank);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (rank - below);
}

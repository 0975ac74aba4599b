import { type FitRows, fitWeights } from './least-squares.ts';
import {
  expectedPct,
  FEATURE_COUNT,
  FEATURE_LIMIT,
  HORIZONS_DAYS,
  type HorizonModel,
  JUMP_SHARE,
  QUANTILE_LEVELS,
} from './model.ts';
import type { Observations } from './observations.ts';

/** Days of history before which nothing is fitted: 30 for the first features, and 15 of outcomes. */
export const LEAST_HISTORY_DAYS = 45;
/** Midnights with a known outcome that a fit needs. */
const LEAST_FIT_DAYS = 5;
/** The weights are drawn to the 30-day mean as strongly as by so many days of observations. */
const SHRINKAGE_DAYS = 2;
/** An observation counts half as much as one that is so many days younger. */
const HALF_LIFE_DAYS = 45;
/** The quantiles are mixed with the shipped ones as if those were of so many days. */
const SHIPPED_QUANTILE_DAYS = 10;
/** A fit uses at most so many observations, chosen evenly by a hash of their number. */
export const MOST_FIT_ROWS = 10_000;

/**
 * The model of one horizon from the outcomes that were known at the midnight `place`. Shipped weights are returned while there is
 * too little history.
 */
export function fitHorizon(
  rows: Observations,
  horizon: number,
  place: number,
  shipped: HorizonModel,
): HorizonModel {
  const days = HORIZONS_DAYS[horizon] ?? 1;
  const lastPlace = place - days;
  if (place < LEAST_HISTORY_DAYS || lastPlace < 0) return shipped;
  const chosen = fitRows(rows, horizon, lastPlace);
  if (chosen.days < LEAST_FIT_DAYS) return shipped;
  const weights = fitWeights(chosen, shipped.weights, SHRINKAGE_DAYS / chosen.days);
  const model: HorizonModel = {
    ...{ days, kind: 'fitted', weights, quantiles: [] },
    ...{ featureLimit: FEATURE_LIMIT, jumpShare: JUMP_SHARE },
  };
  const own = quantilesOf(scaledErrors(model, chosen));
  const share = chosen.days / (chosen.days + SHIPPED_QUANTILE_DAYS);
  const quantiles = own.map((value, i) => share * value + (1 - share) * (shipped.quantiles[i] as number));
  return { ...model, quantiles };
}

/** The observations up to a midnight that have an outcome, or an even sample of them. */
export function fitRows(rows: Observations, horizon: number, lastPlace: number): FitRows & { days: number } {
  const end = rows.firstRow[lastPlace + 1] ?? rows.count;
  const outcomes = rows.outcomes[horizon] as Float64Array;
  const share = MOST_FIT_ROWS / end;
  const most = Math.min(end, Math.ceil(MOST_FIT_ROWS * 1.1) + 100);
  const chosen = {
    features: new Float64Array(most * FEATURE_COUNT),
    outcomes: new Float64Array(most),
    scales: new Float64Array(most),
    importances: new Float64Array(most),
    count: 0,
    days: 0,
  };
  for (let place = 0; place <= lastPlace; place++) {
    const before = chosen.count;
    const importance = 0.5 ** ((lastPlace - place) / HALF_LIFE_DAYS);
    for (let row = rows.firstRow[place] as number; row < (rows.firstRow[place + 1] as number); row++) {
      if (Number.isNaN(outcomes[row]) || !isChosen(row, share) || chosen.count >= most) continue;
      for (let k = 0; k < FEATURE_COUNT; k++)
        chosen.features[chosen.count * FEATURE_COUNT + k] = rows.features[row * FEATURE_COUNT + k] as number;
      chosen.outcomes[chosen.count] = outcomes[row] as number;
      chosen.scales[chosen.count] = rows.scales[row] as number;
      chosen.importances[chosen.count] = importance;
      chosen.count++;
    }
    if (chosen.count > before) chosen.days++;
  }
  return chosen;
}

/** Multiplying by the golden ratio spreads consecutive numbers evenly over the whole range. */
function isChosen(row: number, share: number): boolean {
  return share >= 1 || Math.imul(row, 0x9e3779b1) >>> 0 < share * 2 ** 32;
}

/** (earned − expected) / scale in the direction that was expected to earn, in the order of size. */
export function scaledErrors(model: HorizonModel, rows: FitRows): Float64Array {
  const errors = new Float64Array(rows.count);
  for (let row = 0; row < rows.count; row++) {
    const expected = expectedPct(model, rows.features, row * FEATURE_COUNT) / model.days;
    const error = ((rows.outcomes[row] as number) - expected) / (rows.scales[row] as number);
    errors[row] = expected < 0 ? -error : error;
  }
  return errors.sort();
}

/** Values at QUANTILE_LEVELS of a sorted list that is not empty. */
export function quantilesOf(sorted: Float64Array): number[] {
  return QUANTILE_LEVELS.map((level) => {
    const at = level * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
    return low + (high - low) * (at - Math.floor(at));
  });
}

/**
 * The forecast of what a pair, or one contract, earns in settled funding over the next days: a weighted sum of what is
 * known now. docs/forecast.md explains the model with its measured errors.
 */

/** Days over which the carry is forecast. */
export const HORIZONS_DAYS = [1, 7, 30] as const;
export type HorizonDays = (typeof HORIZONS_DAYS)[number];

/** The windows of settled funding whose means the forecast uses, in days. The rate now comes before them. */
export const MEAN_DAYS = [1, 7, 30] as const;
export const FEATURE_NAMES = ['now', 'mean_1d', 'mean_7d', 'mean_30d'] as const;
export const FEATURE_COUNT = FEATURE_NAMES.length;

/** Two legs that always paid the same have no spread at all; their spread counts as this, in percent a day. */
export const LEAST_SCALE_PCT = 1e-5;

/** Percent a day, in the order of FEATURE_NAMES. For a pair: those of the short leg minus those of the long leg. */
export type Features = ArrayLike<number>;
const [NOW, MEAN_1D, MEAN_30D] = [0, 1, FEATURE_COUNT - 1];

/** A figure of a contract counts up to so many times the mean of its absolute rate over 30 days. */
export const FEATURE_LIMIT = 2;
/** So much of how far a pair jumped is added to the scale of its errors. */
export const JUMP_SHARE = 0.25;

/** Levels of the stored quantiles. The interval is between the two of INTERVAL_LEVELS. */
export const QUANTILE_LEVELS = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99] as const;
const LOW_PLACE = QUANTILE_LEVELS.indexOf(0.1);
const HIGH_PLACE = QUANTILE_LEVELS.indexOf(0.9);

/** Published forecasts come from the weights of the package until enough history exists to fit them here. */
export type ModelKind = 'shipped' | 'fitted';

export interface HorizonModel {
  days: HorizonDays;
  kind: ModelKind;
  /** In the order of FEATURE_NAMES. */
  weights: readonly number[];
  /** Of past errors at QUANTILE_LEVELS: (earned − expected) / errorScalePctDay, a day, in the direction that was expected to earn. */
  quantiles: readonly number[];
  /** Null: features count in full, as they did in version 1. */
  featureLimit: number | null;
  /** 0 in version 1. */
  jumpShare: number;
}

/**
 * What a contract is expected to pay over the horizon, in percent; the forecast of a pair is that of its short leg minus that of its
 * long leg. NaN if a feature is unknown. `absolutePctDay` is the mean of the absolute rate over 30 days, `at` where the features start.
 */
export function legExpectedPct(
  model: HorizonModel,
  features: Features,
  absolutePctDay: number,
  at = 0,
): number {
  const { days, weights, featureLimit } = model;
  let pctDay = 0;
  for (let k = 0; k < FEATURE_COUNT; k++) {
    const feature = features[at + k] as number;
    pctDay +=
      (weights[k] as number) *
      (featureLimit === null ? feature : limited(feature, featureLimit * absolutePctDay));
  }
  return pctDay * days;
}

/** Rates that stand far from the 30 days of their own contract rarely last, so they count up to a limit. */
export function limited(feature: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, feature));
}

/** The weighted sum of limited features, over the horizon. */
export function expectedPct({ days, weights }: HorizonModel, features: Features, at = 0): number {
  let pctDay = 0;
  for (let k = 0; k < FEATURE_COUNT; k++) pctDay += (weights[k] as number) * (features[at + k] as number);
  return pctDay * days;
}

/**
 * What the errors of a forecast are measured in: how much the spread usually moves, and how far it stands from its 30 days now.
 * `spreadPctDay` is the mean of the absolute hourly spread over 30 days, times 24; features are not limited.
 */
export function errorScalePctDay(
  jumpShare: number,
  spreadPctDay: number,
  features: Features,
  at = 0,
): number {
  const usual = features[at + MEAN_30D] as number;
  const jump = Math.max(
    Math.abs((features[at + NOW] as number) - usual),
    Math.abs((features[at + MEAN_1D] as number) - usual),
  );
  // In version 1 a jump that is not known changes nothing.
  return jumpShare === 0 ? spreadPctDay : spreadPctDay + jumpShare * jump;
}

export interface Interval {
  lowPct: number;
  highPct: number;
}

/** The range that held four of five past outcomes. `scalePctDay` is errorScalePctDay. */
export function intervalOf(model: HorizonModel, expected: number, scalePctDay: number): Interval {
  const width = scalePctDay * model.days;
  const [low, high] = [model.quantiles[LOW_PLACE] as number, model.quantiles[HIGH_PLACE] as number];
  // Errors are counted in the direction that was expected to earn, so the range of the other direction is its mirror.
  return expected < 0
    ? { lowPct: expected - high * width, highPct: expected - low * width }
    : { lowPct: expected + low * width, highPct: expected + high * width };
}

/** The share of past errors, from 0.01 to 0.99, with which the outcome would be above the threshold. */
export function probabilityAbove(
  model: HorizonModel,
  expected: number,
  scalePctDay: number,
  thresholdPct: number,
): number {
  const distance = thresholdPct - expected;
  const width = scalePctDay * model.days;
  if (!(width > 0)) return distance < 0 ? MOST_SURE : distance > 0 ? LEAST_SURE : 0.5;
  const error = distance / width;
  return expected < 0 ? shareBelow(model.quantiles, -error) : 1 - shareBelow(model.quantiles, error);
}

const LEAST_SURE = QUANTILE_LEVELS[0];
const MOST_SURE = 1 - LEAST_SURE;

/** Linear between the quantiles, and at most as sure as the outermost ones. */
function shareBelow(quantiles: readonly number[], value: number): number {
  const above = quantiles.findIndex((quantile) => quantile > value);
  if (above < 0) return MOST_SURE;
  if (above === 0) return LEAST_SURE;
  const [low, high] = [quantiles[above - 1] as number, quantiles[above] as number];
  const [from, to] = [QUANTILE_LEVELS[above - 1] as number, QUANTILE_LEVELS[above] as number];
  return from + ((value - low) / (high - low)) * (to - from);
}

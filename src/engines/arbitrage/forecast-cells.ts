import { roundPercent as percent } from '../../base/numbers.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';
import {
  errorScalePctDay,
  FEATURE_COUNT,
  HORIZONS_DAYS,
  type HorizonDays,
  type HorizonModel,
  intervalOf,
  legExpectedPct,
  MEAN_DAYS,
  probabilityAbove,
} from '../forecast/model.ts';
import type { ForecastModels } from '../forecast/models.ts';
import { type HoldDays, netAprPct } from './figures.ts';
import { sumColumn } from './legs.ts';
import type { Pairs } from './pairs.ts';

const HOURS_PER_DAY = 24;
const ABSOLUTE_DAYS = 30;
const PROBABILITY_STEPS = 1e4;

export const expectedColumn = (days: HorizonDays): string => `expected_carry_${days}d_pct`;

/** The forecasts of the rows of one snapshot. */
export class RowForecasts {
  readonly #pairs: Pairs;
  readonly #models: ForecastModels;
  readonly #legs: Table;
  /** The mean of the absolute hourly spread of the row over 30 days. */
  readonly #spread: NumberCell;
  readonly #expected = new Map<HorizonDays, Float64Array>();

  constructor(legs: Table, pairs: Pairs, models: ForecastModels, meanAbsoluteSpread: NumberCell) {
    this.#legs = legs;
    this.#pairs = pairs;
    this.#models = models;
    this.#spread = meanAbsoluteSpread;
  }

  carryCells(): Readonly<Record<string, NumberCell>> {
    return Object.fromEntries(HORIZONS_DAYS.map((days) => [expectedColumn(days), this.#carry(days)]));
  }

  intervalCells(holdDays: HoldDays) {
    const { model, periods } = this.#modelFor(holdDays);
    const carry = this.#carry(model.days);
    const scale = this.#scale(model);
    const interval = (row: number) => intervalOf(model, carry(row), scale(row));
    const low: NumberCell = (row) => percent(interval(row).lowPct * periods);
    const high: NumberCell = (row) => percent(interval(row).highPct * periods);
    const scalePctDay: NumberCell = (row) => percent(scale(row));
    return { low, high, scalePctDay };
  }

  /** What depends on the cost of opening and closing, and so on the caller's fees. */
  netCells(holdDays: HoldDays, cost: NumberCell) {
    const { model, periods } = this.#modelFor(holdDays);
    const carry = this.#carry(model.days);
    const net: NumberCell = (row) => netAprPct((carry(row) * periods) / holdDays, cost(row), holdDays);
    const scaleOf = this.#scale(model);
    const probability: NumberCell = (row) => {
      const scale = scaleOf(row);
      const threshold = cost(row) / periods;
      if (Number.isNaN(scale + carry(row) + threshold)) return Number.NaN;
      const share = probabilityAbove(model, carry(row), scale, threshold);
      return Math.round(share * PROBABILITY_STEPS) / PROBABILITY_STEPS;
    };
    return { net, probability };
  }

  /** What the errors of a row are measured in. */
  #scale({ jumpShare }: HorizonModel): NumberCell {
    const { long, short } = this.#pairs;
    const x = new Float64Array(FEATURE_COUNT);
    let features: Float64Array | null = null;
    return (row) => {
      features ??= featuresOfLegs(this.#legs, this.#pairs.pctDay);
      const [paid, received] = [
        (long[row] as number) * FEATURE_COUNT,
        (short[row] as number) * FEATURE_COUNT,
      ];
      for (let k = 0; k < FEATURE_COUNT; k++)
        x[k] = (features[received + k] as number) - (features[paid + k] as number);
      return errorScalePctDay(jumpShare, this.#spread(row) * HOURS_PER_DAY, x);
    };
  }

  /** The model of a holding time. 90 days are three periods of 30 days that all go as the first one. */
  #modelFor(holdDays: HoldDays): { model: HorizonModel; periods: number } {
    const model = modelFor(this.#models, holdDays);
    return { model, periods: holdDays / model.days };
  }

  #carry(days: HorizonDays): NumberCell {
    const { long, short } = this.#pairs;
    let expected: Float64Array | null = null;
    return (row) => {
      expected ??= this.#expectedOfLegs(days);
      return percent((expected[short[row] as number] as number) - (expected[long[row] as number] as number));
    };
  }

  /** By leg: what the weights make of its own features. The forecast of a pair is the difference of two legs. */
  #expectedOfLegs(days: HorizonDays): Float64Array {
    let expected = this.#expected.get(days);
    if (!expected) {
      const model = modelFor(this.#models, days);
      const features = featuresOfLegs(this.#legs, this.#pairs.pctDay);
      const absolutes = absolutesOfLegs(this.#legs);
      expected = new Float64Array(this.#legs.rowCount);
      for (let leg = 0; leg < expected.length; leg++)
        expected[leg] = legExpectedPct(model, features, absolutes[leg] as number, leg * FEATURE_COUNT);
      this.#expected.set(days, expected);
    }
    return expected;
  }
}

/** The model of a horizon, or of the longest one that is not longer. */
export function modelFor({ pairs }: ForecastModels, days: number): HorizonModel {
  const model = pairs.findLast((one) => one.days <= days);
  if (!model) throw new Error(`there is no model for ${days} days`);
  return model;
}

/** The mean of the absolute rate of each leg over 30 days, in percent a day. */
export function absolutesOfLegs(legs: Table): Float64Array {
  return legs.numbers('absolute_30d_pct').map((sumPct) => sumPct / ABSOLUTE_DAYS);
}

const known = new WeakMap<Table, Float64Array>();

/** FEATURE_COUNT numbers for each leg, in percent a day; NaN where too few prints are stored. */
export function featuresOfLegs(legs: Table, pctDay: Float64Array): Float64Array {
  let features = known.get(legs);
  if (!features) {
    features = new Float64Array(legs.rowCount * FEATURE_COUNT);
    const sums = MEAN_DAYS.map((days) => legs.numbers(sumColumn(days)));
    for (let leg = 0; leg < legs.rowCount; leg++) {
      features[leg * FEATURE_COUNT] = pctDay[leg] as number;
      for (const [i, days] of MEAN_DAYS.entries())
        features[leg * FEATURE_COUNT + 1 + i] = (sums[i]?.[leg] as number) / days;
    }
    known.set(legs, features);
  }
  return features;
}

/** What is likely to be earned at least a year, net of opening and closing. */
export function lowNetCell(low: NumberCell, cost: NumberCell, holdDays: HoldDays): NumberCell {
  return (row) => netAprPct(low(row) / holdDays, cost(row), holdDays);
}

import { netAprPct } from '../arbitrage/figures.ts';
import { FEATURE_COUNT, type HorizonModel } from './model.ts';
import type { OrderName } from './orders.ts';
import type { PublishedDay } from './published.ts';

const ORDER_DAYS = 30;
const DAYS_PER_YEAR = 365;

/** The forecasts of a day as they were stored, and the models that they were made with. */
export interface ScoredDay {
  published: PublishedDay;
  /** Of the horizon that is scored. */
  model: HorizonModel;
  /** Of 30 days, for the orders by what is expected. */
  orderModel: HorizonModel;
}

/** What was said of one pair: the forecast over the horizon in percent, and the features that simple guesses carry forward. */
export interface PairForecast {
  expected: number;
  low: number;
  high: number;
  nowPctDay: number;
  mean7dPctDay: number;
  mean30dPctDay: number;
}

/** The pairs of a stored day with their forecasts and their places in each order. */
export class DayForecasts {
  readonly #day: ScoredDay;
  readonly #forecasts: ReturnType<PublishedDay['forecasts']>;
  readonly #ordering: ReturnType<PublishedDay['forecasts']>;
  readonly #features = new Float64Array(FEATURE_COUNT);

  constructor(day: ScoredDay) {
    this.#day = day;
    this.#forecasts = day.published.forecasts(day.model);
    this.#ordering = day.model === day.orderModel ? this.#forecasts : day.published.forecasts(day.orderModel);
  }

  at(row: number): PairForecast {
    const { expected, low, high } = this.#forecasts;
    this.#day.published.readFeatures(row, this.#features);
    const [now, , mean7d, mean30d] = this.#features as unknown as readonly [number, number, number, number];
    return {
      expected: expected[row] as number,
      low: low[row] as number,
      high: high[row] as number,
      ...{ nowPctDay: now, mean7dPctDay: mean7d, mean30dPctDay: mean30d },
    };
  }

  /** The figure that an order is by, in percent a year. */
  figure(order: OrderName, row: number): number {
    const { pairs } = this.#day.published;
    if (order === 'net_apr') return pairs.numbers('net_apr_pct')[row] as number;
    if (order === 'realised_30d') return this.at(row).mean30dPctDay * DAYS_PER_YEAR;
    const pct = order === 'expected_net' ? this.#ordering.expected : this.#ordering.low;
    return netAprPct((pct[row] as number) / ORDER_DAYS, pairs.numbers('cost_pct')[row] as number, ORDER_DAYS);
  }

  /** What a pair promises over the horizon in an order, before costs. */
  promised(order: OrderName, row: number): number {
    const { expected, nowPctDay, mean30dPctDay } = this.at(row);
    const { days } = this.#day.model;
    return order === 'net_apr'
      ? nowPctDay * days
      : order === 'realised_30d'
        ? mean30dPctDay * days
        : expected;
  }

  /** The rows that have the figure of an order, the largest first; among equals the earlier row. */
  ranked(order: OrderName): Int32Array {
    const figures = Float64Array.from({ length: this.#day.published.pairs.rowCount }, (_, row) =>
      this.figure(order, row),
    );
    const rows = Int32Array.from(figures.keys()).filter((row) => !Number.isNaN(figures[row]));
    return rows.sort((a, b) => (figures[b] as number) - (figures[a] as number) || a - b);
  }
}

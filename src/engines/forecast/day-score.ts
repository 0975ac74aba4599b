import { count, number, objectOf, recordOf } from '../../base/parsing.ts';
import type { Table } from '../../market/tables/table.ts';
import { netAprPct } from '../arbitrage/figures.ts';
import { expectedPct, FEATURE_COUNT, FEATURE_NAMES, type HorizonModel, intervalOf } from './model.ts';
import { LEAST_SCALE_PCT } from './observations.ts';

/** The orders whose best ten pairs are followed, each for a position of 30 days. */
export const ORDERS = ['net_apr', 'realised_30d', 'expected_net'] as const;
export type OrderName = (typeof ORDERS)[number];
const ORDER_DAYS = 30;
const TOP_COUNT = 10;
const DAYS_PER_YEAR = 365;

/** Sums over pairs, in percent of one leg. Errors are absolute; `bias` is the sum of earned minus expected. */
export interface GroupSums {
  observations: number;
  expected: number;
  now: number;
  mean_7d: number;
  mean_30d: number;
  zero: number;
  bias: number;
  /** Outcomes with an interval, and those inside it. */
  ranged: number;
  inside: number;
}

/** Sums over the best pairs of an order whose outcome is known. */
export interface OrderSums {
  picks: number;
  promised_apr_pct: number;
  earned_pct: number;
  cost_pct: number;
}

/** How the forecasts of one day and horizon turned out. A pair counts for the venues of both legs. */
export interface DayScore {
  all: GroupSums;
  exchanges: Record<string, GroupSums>;
  asset_classes: Record<string, GroupSums>;
  orders: Record<string, OrderSums>;
}

const parseGroup = objectOf<GroupSums>({
  observations: count,
  expected: number,
  now: number,
  mean_7d: number,
  mean_30d: number,
  zero: number,
  bias: number,
  ranged: count,
  inside: count,
});

export const parseDayScore = objectOf<DayScore>({
  all: parseGroup,
  exchanges: recordOf(parseGroup),
  asset_classes: recordOf(parseGroup),
  orders: recordOf(
    objectOf<OrderSums>({ picks: count, promised_apr_pct: number, earned_pct: number, cost_pct: number }),
  ),
});

export function noSums(): GroupSums {
  return {
    observations: 0,
    expected: 0,
    now: 0,
    mean_7d: 0,
    mean_30d: 0,
    zero: 0,
    bias: 0,
    ranged: 0,
    inside: 0,
  };
}

/** The forecasts of a day as they were stored. */
export interface PublishedDay {
  contracts: Table;
  pairs: Table;
  /** Of the horizon that is scored. */
  model: HorizonModel;
  /** Of 30 days, for the order by what is expected. */
  orderModel: HorizonModel;
}

/** `earnedPct` is what each contract settled over the horizon, in percent; NaN if it is not known. */
export function scoreDay(
  { contracts, pairs, model, orderModel }: PublishedDay,
  earnedPct: Float64Array,
): DayScore {
  const features = FEATURE_NAMES.map((name) => contracts.numbers(name));
  const score: DayScore = { all: noSums(), exchanges: {}, asset_classes: {}, orders: {} };
  const orders = ORDERS.map((name) => ({ name, best: new BestRows(TOP_COUNT) }));
  const [longs, shorts] = [pairs.numbers('long'), pairs.numbers('short')];
  const [scales, costs, nets] = ['scale_pct_day', 'cost_pct', 'net_apr_pct'].map((name) =>
    pairs.numbers(name),
  ) as [Float64Array, Float64Array, Float64Array];
  const x = new Float64Array(FEATURE_COUNT);
  const earned = new Float64Array(pairs.rowCount);
  for (let row = 0; row < pairs.rowCount; row++) {
    const [long, short] = [longs[row] as number, shorts[row] as number];
    for (const [k, column] of features.entries()) x[k] = (column[short] as number) - (column[long] as number);
    const realised = (x[FEATURE_COUNT - 1] as number) * ORDER_DAYS;
    const promised: Record<OrderName, number> = {
      net_apr: nets[row] as number,
      realised_30d: (realised * DAYS_PER_YEAR) / ORDER_DAYS,
      expected_net: netAprPct(expectedPct(orderModel, x) / ORDER_DAYS, costs[row] as number, ORDER_DAYS),
    };
    for (const { name, best } of orders) best.offer(row, promised[name]);
    const outcome = (earnedPct[short] as number) - (earnedPct[long] as number);
    earned[row] = outcome;
    if (Number.isNaN(outcome)) continue;
    const groups = [
      score.all,
      groupOf(score.exchanges, contracts.text('exchange', long)),
      groupOf(score.exchanges, contracts.text('exchange', short)),
      groupOf(score.asset_classes, contracts.text('asset_class', long)),
    ];
    for (const group of groups) addOutcome(group, model, x, scales[row] as number, outcome);
  }
  for (const { name, best } of orders) {
    const known = best.rows.filter(({ row }) => !Number.isNaN(earned[row]));
    const sum = (of: (row: number) => number) => known.reduce((total, { row }) => total + of(row), 0);
    score.orders[name] = {
      picks: known.length,
      promised_apr_pct: known.reduce((total, { figure }) => total + figure, 0),
      earned_pct: sum((row) => earned[row] as number),
      cost_pct: sum((row) => costs[row] as number),
    };
  }
  return score;
}

function groupOf(groups: Record<string, GroupSums>, name: string): GroupSums {
  groups[name] ??= noSums();
  return groups[name];
}

function addOutcome(
  sums: GroupSums,
  model: HorizonModel,
  x: Float64Array,
  scale: number,
  earned: number,
): void {
  const { days } = model;
  const expected = expectedPct(model, x);
  const [now, , mean7d, mean30d] = x as unknown as readonly [number, number, number, number];
  sums.observations++;
  sums.expected += Math.abs(earned - expected);
  sums.now += Math.abs(earned - now * days);
  sums.mean_7d += Math.abs(earned - mean7d * days);
  sums.mean_30d += Math.abs(earned - mean30d * days);
  sums.zero += Math.abs(earned);
  sums.bias += earned - expected;
  if (Number.isNaN(scale)) return;
  const { lowPct, highPct } = intervalOf(model, expected, Math.max(scale, LEAST_SCALE_PCT));
  sums.ranged++;
  if (earned >= lowPct && earned <= highPct) sums.inside++;
}

/** The rows with the largest figures, the largest first; among equals the earlier row. */
class BestRows {
  readonly rows: { row: number; figure: number }[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  offer(row: number, figure: number): void {
    const last = this.rows.at(-1);
    if (Number.isNaN(figure) || (this.rows.length === this.#most && last && figure <= last.figure)) return;
    const place = this.rows.findIndex((one) => one.figure < figure);
    this.rows.splice(place < 0 ? this.rows.length : place, 0, { row, figure });
    this.rows.length = Math.min(this.rows.length, this.#most);
  }
}

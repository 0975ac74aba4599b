import { count, number, objectOf } from '../../base/parsing.ts';

/** The orders whose best pairs are followed. */
export const ORDERS = ['net_apr', 'realised_30d', 'expected_net', 'expected_low_net'] as const;
export type OrderName = (typeof ORDERS)[number];
/** The order of the pages: what is likely to be earned at least. */
export const DEFAULT_ORDER: OrderName = 'expected_low_net';

/** Parts of an order whose promises are compared with what was earned. `to` is not included. */
export const PLACES = [
  { name: 'first', from: 0, to: 1 },
  { name: 'first_10', from: 0, to: 10 },
  { name: 'first_100', from: 0, to: 100 },
  { name: 'rest', from: 100, to: Number.POSITIVE_INFINITY },
] as const;
export type PlaceName = (typeof PLACES)[number]['name'];

/** Sums over the pairs of one part of an order whose outcome is known, in percent of one leg over the horizon. */
export interface PlaceSums {
  picks: number;
  /** Before costs: at the running rates, at those of 30 days, or by the forecast, as the order has it. */
  promised: number;
  earned: number;
  /** Outcomes with an interval, and those inside it. */
  ranged: number;
  inside: number;
  /** Outcomes smaller than the cost of opening and closing. */
  below_costs: number;
}

export const parsePlaceSums = objectOf<PlaceSums>({
  picks: count,
  promised: number,
  earned: number,
  ranged: count,
  inside: count,
  below_costs: count,
});

export function noPlaceSums(): PlaceSums {
  return { picks: 0, promised: 0, earned: 0, ranged: 0, inside: 0, below_costs: 0 };
}

/** A pair of an order and what it earned, in percent of one leg over the horizon. */
export interface Pick {
  promised: number;
  earned: number;
  /** NaN: there is no interval. */
  low: number;
  high: number;
  cost: number;
}

export function addPick(sums: PlaceSums, { promised, earned, low, high, cost }: Pick): void {
  sums.picks++;
  sums.promised += promised;
  sums.earned += earned;
  if (!Number.isNaN(low)) sums.ranged++;
  if (earned >= low && earned <= high) sums.inside++;
  if (earned < cost) sums.below_costs++;
}

import {
  addPick,
  DEFAULT_ORDER,
  noPlaceSums,
  ORDERS,
  type OrderName,
  type Pick,
  type PlaceSums,
} from './orders.ts';

const TOP_COUNT = 10;
const BP_PER_PCT = 100;

/** What the best of lists of so many pairs promised and earned. Null without a list. */
export interface PooledScore {
  pairs: number;
  order: OrderName;
  /** Of the pages. */
  is_default: boolean;
  top: number;
  promised_bp: number | null;
  earned_bp: number | null;
  inside_pct: number | null;
  below_costs_pct: number | null;
}

/** A pair of one day with the figure that an order puts it in its place by. */
export interface PooledPick extends Pick {
  figure: number;
}

/**
 * Lists as long as those of a full service, from a file with few pairs: the days are put together in the order of time until a list
 * has as many pairs as asked. The highest promise among many is more often an error than among few, and only long lists show it.
 */
export class Pools {
  /** The pairs of each day, and its best by each order: the best of a list are among the best of its days. */
  readonly #days: { pairs: number; best: Record<OrderName, PooledPick[]> }[] = [];

  addDay(pairs: number, picksOf: (order: OrderName) => PooledPick[]): void {
    const best = (order: OrderName) =>
      picksOf(order)
        .sort((a, b) => b.figure - a.figure)
        .slice(0, TOP_COUNT);
    const entries = ORDERS.map((order) => [order, best(order)] as const);
    this.#days.push({ pairs, best: Object.fromEntries(entries) as Record<OrderName, PooledPick[]> });
  }

  /** Days after the last full list are left out. If all days have fewer pairs, there is one list of all. */
  scores(pairs: number): PooledScore[] {
    const all = this.#days.reduce((sum, day) => sum + day.pairs, 0);
    const most = Math.min(pairs, all);
    const sums = new Map(ORDERS.map((order) => [order, noPlaceSums()]));
    let [from, held] = [0, 0];
    for (const [i, day] of this.#days.entries()) {
      held += day.pairs;
      if (held < most || held === 0) continue;
      const list = this.#days.slice(from, i + 1);
      for (const [order, sum] of sums)
        for (const pick of list
          .flatMap(({ best }) => best[order])
          .sort((a, b) => b.figure - a.figure)
          .slice(0, TOP_COUNT))
          addPick(sum, pick);
      [from, held] = [i + 1, 0];
    }
    return [...sums].map(([order, sum]) => scoreOf(most, order, sum));
  }
}

function scoreOf(pairs: number, order: OrderName, sums: PlaceSums): PooledScore {
  const mean = (sum: number, of: number) => (of === 0 ? null : Number((sum / of).toFixed(2)));
  return {
    ...{ pairs, order, is_default: order === DEFAULT_ORDER, top: TOP_COUNT },
    promised_bp: mean(sums.promised * BP_PER_PCT, sums.picks),
    earned_bp: mean(sums.earned * BP_PER_PCT, sums.picks),
    inside_pct: mean(sums.inside * 100, sums.ranged),
    below_costs_pct: mean(sums.below_costs * 100, sums.picks),
  };
}

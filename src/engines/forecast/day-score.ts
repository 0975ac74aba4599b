import { count, listOf, number, objectOf, optional, recordOf } from '../../base/parsing.ts';
import { DayForecasts, type PairForecast, type ScoredDay } from './day-forecasts.ts';
import { addPick, noPlaceSums, ORDERS, PLACES, type PlaceSums, parsePlaceSums } from './orders.ts';

const TOP_COUNT = 10;

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
  /** By order, each with the sums of PLACES. Scores of older versions have none. */
  places?: Record<string, PlaceSums[]>;
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
  places: optional(recordOf(listOf(parsePlaceSums))),
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

/** `earnedPct` is what each contract settled over the horizon, in percent; NaN if it is not known. */
export function scoreDay(day: ScoredDay, earnedPct: Float64Array): DayScore {
  const { contracts, pairs } = day.published;
  const score: DayScore = { all: noSums(), exchanges: {}, asset_classes: {}, orders: {} };
  const places: Record<string, PlaceSums[]> = {};
  const [longs, shorts, costs] = ['long', 'short', 'cost_pct'].map((name) => pairs.numbers(name)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const forecasts = new DayForecasts(day);
  const earned = Float64Array.from(
    longs,
    (long, row) => (earnedPct[shorts[row] as number] as number) - (earnedPct[long] as number),
  );
  for (const [row, outcome] of earned.entries()) {
    if (Number.isNaN(outcome)) continue;
    const [long, short] = [longs[row] as number, shorts[row] as number];
    const groups = [
      score.all,
      groupOf(score.exchanges, contracts.text('exchange', long)),
      groupOf(score.exchanges, contracts.text('exchange', short)),
      groupOf(score.asset_classes, contracts.text('asset_class', long)),
    ];
    const forecast = forecasts.at(row);
    for (const group of groups) addOutcome(group, forecast, day.model.days, outcome);
  }
  for (const order of ORDERS) {
    const ranked = forecasts.ranked(order);
    const known = (rows: Int32Array) => rows.filter((row) => !Number.isNaN(earned[row]));
    const best = known(ranked.slice(0, TOP_COUNT));
    const sum = (of: (row: number) => number) => best.reduce((total, row) => total + of(row), 0);
    score.orders[order] = {
      picks: best.length,
      promised_apr_pct: sum((row) => forecasts.figure(order, row)),
      earned_pct: sum((row) => earned[row] as number),
      cost_pct: sum((row) => costs[row] as number),
    };
    const placesOf = (rows: Int32Array) => {
      const sums = noPlaceSums();
      for (const row of known(rows))
        addPick(sums, {
          ...forecasts.at(row),
          promised: forecasts.promised(order, row),
          earned: earned[row] as number,
          cost: costs[row] as number,
        });
      return sums;
    };
    places[order] = PLACES.map(({ from, to }) => placesOf(ranked.slice(from, to)));
  }
  return { ...score, places };
}

function groupOf(groups: Record<string, GroupSums>, name: string): GroupSums {
  groups[name] ??= noSums();
  return groups[name];
}

function addOutcome(sums: GroupSums, forecast: PairForecast, days: number, earned: number): void {
  const { expected, nowPctDay, mean7dPctDay, mean30dPctDay, low, high } = forecast;
  sums.observations++;
  sums.expected += Math.abs(earned - expected);
  sums.now += Math.abs(earned - nowPctDay * days);
  sums.mean_7d += Math.abs(earned - mean7dPctDay * days);
  sums.mean_30d += Math.abs(earned - mean30dPctDay * days);
  sums.zero += Math.abs(earned);
  sums.bias += earned - expected;
  if (Number.isNaN(low)) return;
  sums.ranged++;
  if (earned >= low && earned <= high) sums.inside++;
}

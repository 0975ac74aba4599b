import { fitHorizon } from './fit.ts';
import { expectedPct, FEATURE_COUNT, HORIZONS_DAYS, type HorizonModel, intervalOf } from './model.ts';
import type { Observations } from './observations.ts';
import type { OrderName } from './orders.ts';
import { type PooledScore, Pools } from './pools.ts';

const DAYS_PER_YEAR = 365;
const BP_PER_PCT = 100;
const TOP_SHARE = 0.1;
/** Places of the naive forecasts among the features: each is carried forward as it is. */
const NAIVE = { now: 0, mean_7d: 2, mean_30d: 3 } as const;

export type ForecastName = 'expected' | 'now' | 'mean_7d' | 'mean_30d' | 'zero';

/** What the best tenth of the pairs promised, and what they earned; both in percent a year. */
export interface TopTenth {
  promised_apr_pct: number | null;
  earned_apr_pct: number | null;
}

/** Null without observations. */
export interface HorizonScore {
  days: number;
  observations: number;
  mean_error_bp: Record<ForecastName, number | null>;
  coverage_pct: number | null;
  top_tenth: { by_now: TopTenth; by_expected: TopTenth };
  /** Only where lists were asked for. */
  pooled?: readonly PooledScore[];
}

/** Lists of so many pairs to score, and what opening and closing each pair costs, in percent. */
interface Pooling {
  pairs: readonly number[];
  costsPct: ArrayLike<number>;
}

interface Sums {
  observations: number;
  errors: Record<ForecastName, number>;
  inside: number;
  byNow: Picks;
  byExpected: Picks;
  pools: Pools;
}

interface Picks {
  count: number;
  promised: number;
  earned: number;
}

/**
 * Scores the forecasts of each midnight from `fromPlace` on, one for each pair. Each uses weights that were fitted on the outcomes
 * known at that midnight.
 */
export function scoreWalkForward(
  rows: Observations,
  shipped: readonly HorizonModel[],
  fromPlace: number,
  onDay: (place: number) => void = () => undefined,
  pooling: Pooling | null = null,
): HorizonScore[] {
  const places = rows.firstRow.length - 1;
  const sums = HORIZONS_DAYS.map(newSums);
  for (let place = fromPlace; place < places; place++) {
    for (const horizon of HORIZONS_DAYS.keys()) {
      const model = fitHorizon(rows, horizon, place, shipped[horizon] as HorizonModel);
      scoreDay(rows, horizon, place, model, sums[horizon] as Sums, pooling?.costsPct);
    }
    onDay(place);
  }
  return sums.map((sum, horizon) => ({
    ...scoreOf(sum, HORIZONS_DAYS[horizon] ?? 1),
    ...(pooling ? { pooled: pooling.pairs.flatMap((pairs) => sum.pools.scores(pairs)) } : {}),
  }));
}

/** Forecasts of one midnight beside what the pairs earned, in percent of the horizon. */
interface DayOutcome {
  now: number;
  mean30d: number;
  expected: number;
  lowPct: number;
  highPct: number;
  earned: number;
  cost: number;
}

function scoreDay(
  rows: Observations,
  horizon: number,
  place: number,
  model: HorizonModel,
  sums: Sums,
  costsPct: ArrayLike<number> | undefined,
): void {
  const { days } = model;
  const outcomes = rows.outcomes[horizon] as Float64Array;
  const list: DayOutcome[] = [];
  for (let row = rows.firstRow[place] as number; row < (rows.firstRow[place + 1] as number); row++) {
    const earned = (outcomes[row] as number) * days;
    if (Number.isNaN(earned)) continue;
    const at = row * FEATURE_COUNT;
    const expected = expectedPct(model, rows.features, at);
    const { lowPct, highPct } = intervalOf(model, expected, rows.scales[row] as number);
    sums.observations++;
    sums.errors.expected += Math.abs(earned - expected);
    sums.errors.zero += Math.abs(earned);
    for (const name of ['now', 'mean_7d', 'mean_30d'] as const)
      sums.errors[name] += Math.abs(earned - (rows.raw[at + NAIVE[name]] as number) * days);
    if (earned >= lowPct && earned <= highPct) sums.inside++;
    const [now, mean30d] = [NAIVE.now, NAIVE.mean_30d].map((k) => (rows.raw[at + k] as number) * days) as [
      number,
      number,
    ];
    const cost = costsPct?.[rows.pair[row] as number] ?? 0;
    list.push({ now, mean30d, expected, lowPct, highPct, earned, cost });
  }
  if (costsPct) sums.pools.addDay(list.length, (order) => list.map((one) => pickOf(one, order)));
  addTop(sums.byNow, list, (one) => one.now);
  addTop(sums.byExpected, list, (one) => one.expected);
}

/** The pair in the direction that earns by the figure of the order. */
function pickOf({ now, mean30d, expected, lowPct, highPct, earned, cost }: DayOutcome, order: OrderName) {
  const promise = order === 'net_apr' ? now : order === 'realised_30d' ? mean30d : expected;
  const isReversed = promise < 0;
  const [low, high] = isReversed ? [-highPct, -lowPct] : [lowPct, highPct];
  const figure = order === 'expected_low_net' ? low : Math.abs(promise);
  return {
    ...{ low, high, cost },
    figure: order === 'realised_30d' ? figure : figure - cost,
    promised: Math.abs(promise),
    earned: isReversed ? -earned : earned,
  };
}

/** Adds the tenth of the pairs with the largest forecasts, each held in the direction that it was expected to earn in. */
function addTop(picks: Picks, list: readonly DayOutcome[], figure: (one: DayOutcome) => number): void {
  const best = list.toSorted((a, b) => Math.abs(figure(b)) - Math.abs(figure(a)));
  for (const one of best.slice(0, Math.ceil(list.length * TOP_SHARE))) {
    picks.count++;
    picks.promised += Math.abs(figure(one));
    picks.earned += figure(one) < 0 ? -one.earned : one.earned;
  }
}

function newSums(): Sums {
  return {
    observations: 0,
    errors: { expected: 0, now: 0, mean_7d: 0, mean_30d: 0, zero: 0 },
    inside: 0,
    byNow: { count: 0, promised: 0, earned: 0 },
    byExpected: { count: 0, promised: 0, earned: 0 },
    pools: new Pools(),
  };
}

function scoreOf(sums: Sums, days: number): HorizonScore {
  const { observations, errors } = sums;
  const mean = (sum: number, count: number, digits: number) =>
    count === 0 ? null : Number((sum / count).toFixed(digits));
  const error = (name: ForecastName) => mean(errors[name] * BP_PER_PCT, observations, 4);
  const top = ({ count, promised, earned }: Picks): TopTenth => ({
    promised_apr_pct: mean((promised * DAYS_PER_YEAR) / days, count, 2),
    earned_apr_pct: mean((earned * DAYS_PER_YEAR) / days, count, 2),
  });
  return {
    days,
    observations,
    mean_error_bp: {
      expected: error('expected'),
      now: error('now'),
      mean_7d: error('mean_7d'),
      mean_30d: error('mean_30d'),
      zero: error('zero'),
    },
    coverage_pct: mean(sums.inside * 100, observations, 2),
    top_tenth: { by_now: top(sums.byNow), by_expected: top(sums.byExpected) },
  };
}

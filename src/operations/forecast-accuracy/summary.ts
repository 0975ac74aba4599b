import { jsonOf, parsedOrNull } from '../../base/parsing.ts';
import { DAY_MS, isoTime } from '../../base/times.ts';
import {
  type DayScore,
  type GroupSums,
  noSums,
  type OrderSums,
  parseDayScore,
} from '../../engines/forecast/day-score.ts';
import {
  noPlaceSums,
  ORDERS,
  type OrderName,
  PLACES,
  type PlaceName,
  type PlaceSums,
} from '../../engines/forecast/orders.ts';
import type { StoredScore } from '../../history/forecasts/store.ts';

const BP_PER_PCT = 100;
const DAYS_PER_YEAR = 365;
const ERRORS = ['expected', 'now', 'mean_7d', 'mean_30d', 'zero'] as const;

/** Null without observations. */
export interface GroupAccuracy {
  observations: number;
  mean_error_bp: Record<(typeof ERRORS)[number], number | null>;
  bias_bp: number | null;
  coverage_pct: number | null;
  is_worse_than_zero: boolean | null;
}

export interface OrderAccuracy {
  picks: number;
  promised_apr_pct: number | null;
  earned_pct: number | null;
  earned_apr_pct: number | null;
  cost_pct: number | null;
}

/** Of the pairs in one part of an order. Null without a pair whose outcome is known. */
export interface PlaceAccuracy {
  picks: number;
  promised_bp: number | null;
  earned_bp: number | null;
  inside_pct: number | null;
  below_costs_pct: number | null;
}

export interface HorizonAccuracy extends GroupAccuracy {
  days: number;
  forecast_days: number;
  first_day: string | null;
  last_day: string | null;
  by_exchange: readonly (GroupAccuracy & { exchange: string })[];
  by_asset_class: readonly (GroupAccuracy & { asset_class: string })[];
  top_ten: Record<OrderName, OrderAccuracy>;
  by_place: Record<OrderName, Record<PlaceName, PlaceAccuracy>>;
}

/** The mean figures of one horizon over the stored scores of many days. */
export function horizonAccuracy(days: number, stored: readonly StoredScore[]): HorizonAccuracy {
  const scored = stored.flatMap(({ day, score: text }) => {
    const score = parsedOrNull(parseDayScore, jsonOf(text));
    return score && score.all.observations > 0 ? [{ day, score }] : [];
  });
  const scores = scored.map(({ score }) => score);
  const dayText = (day: number | undefined) =>
    day === undefined ? null : isoTime(day * DAY_MS).slice(0, 'YYYY-MM-DD'.length);
  return {
    days,
    forecast_days: scored.length,
    first_day: dayText(scored[0]?.day),
    last_day: dayText(scored.at(-1)?.day),
    ...accuracyOf(total(scores.map(({ all }) => all))),
    by_exchange: groups(scores, 'exchanges').map(([exchange, sums]) => ({ exchange, ...accuracyOf(sums) })),
    by_asset_class: groups(scores, 'asset_classes').map(([asset_class, sums]) => ({
      asset_class,
      ...accuracyOf(sums),
    })),
    top_ten: Object.fromEntries(
      ORDERS.map((name) => [
        name,
        orderOf(
          scores.flatMap(({ orders }) => orders[name] ?? []),
          days,
        ),
      ]),
    ) as Record<OrderName, OrderAccuracy>,
    by_place: Object.fromEntries(
      ORDERS.map((name) => [
        name,
        placesOf(scores.flatMap(({ places }) => (places?.[name] ? [places[name]] : []))),
      ]),
    ) as Record<OrderName, Record<PlaceName, PlaceAccuracy>>,
  };
}

function groups(scores: readonly DayScore[], field: 'exchanges' | 'asset_classes'): [string, GroupSums][] {
  const entries = scores.flatMap((score) => Object.entries(score[field]));
  return [...Map.groupBy(entries, ([name]) => name)]
    .map(([name, own]): [string, GroupSums] => [name, total(own.map(([, sums]) => sums))])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function total(list: readonly GroupSums[]): GroupSums {
  const sums = noSums();
  for (const one of list)
    for (const name of Object.keys(sums) as (keyof GroupSums)[]) sums[name] += one[name];
  return sums;
}

function accuracyOf(sums: GroupSums): GroupAccuracy {
  const { observations, ranged, inside, bias } = sums;
  const meanBp = (sum: number) => mean(sum * BP_PER_PCT, observations, 4);
  return {
    observations,
    mean_error_bp: {
      expected: meanBp(sums.expected),
      now: meanBp(sums.now),
      mean_7d: meanBp(sums.mean_7d),
      mean_30d: meanBp(sums.mean_30d),
      zero: meanBp(sums.zero),
    },
    bias_bp: meanBp(bias),
    coverage_pct: mean(inside * 100, ranged, 2),
    is_worse_than_zero: observations === 0 ? null : sums.expected > sums.zero,
  };
}

function orderOf(list: readonly OrderSums[], days: number): OrderAccuracy {
  const sum = (name: keyof OrderSums) => list.reduce((all, one) => all + one[name], 0);
  const picks = sum('picks');
  return {
    picks,
    promised_apr_pct: mean(sum('promised_apr_pct'), picks, 4),
    earned_pct: mean(sum('earned_pct'), picks, 6),
    earned_apr_pct: mean((sum('earned_pct') * DAYS_PER_YEAR) / days, picks, 4),
    cost_pct: mean(sum('cost_pct'), picks, 6),
  };
}

/** `days` has the sums of PLACES for each day. */
function placesOf(days: readonly (readonly PlaceSums[])[]): Record<PlaceName, PlaceAccuracy> {
  const entries = PLACES.map(({ name }, i): [PlaceName, PlaceAccuracy] => {
    const sums = noPlaceSums();
    for (const places of days)
      for (const field of Object.keys(sums) as (keyof PlaceSums)[]) sums[field] += places[i]?.[field] ?? 0;
    const { picks, promised, earned, ranged, inside, below_costs } = sums;
    return [
      name,
      {
        picks,
        promised_bp: mean(promised * BP_PER_PCT, picks, 4),
        earned_bp: mean(earned * BP_PER_PCT, picks, 4),
        inside_pct: mean(inside * 100, ranged, 2),
        below_costs_pct: mean(below_costs * 100, picks, 2),
      },
    ];
  });
  return Object.fromEntries(entries) as Record<PlaceName, PlaceAccuracy>;
}

function mean(sum: number, count: number, digits: number): number | null {
  return count === 0 ? null : Number((sum / count).toFixed(digits));
}

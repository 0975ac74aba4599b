import { MINUTE_MS } from '../base/times.ts';
import { FUNDING_TABLE } from '../engines/funding/table.ts';
import { absoluteBetween, between, flagIs, numberIn, textIn, textNotIn } from '../query/filters.ts';
import { choice, coins, exchanges, flag, integer, integers, number } from '../query/kinds.ts';
import { cursorParameter, fieldsParameter, limitParameter } from '../query/paging.ts';
import type { Sorts } from '../query/sorting.ts';
import { answerList, checkExchanges, rowSchema, untilNextSnapshot } from './list.ts';
import { defineOperation } from './operation.ts';

const SORTS = {
  abs_rate_desc: { column: 'rate_pct', direction: 'desc', isAbsolute: true },
  abs_rate_asc: { column: 'rate_pct', direction: 'asc', isAbsolute: true },
  rate_desc: { column: 'rate_pct', direction: 'desc' },
  rate_asc: { column: 'rate_pct', direction: 'asc' },
  apr_desc: { column: 'apr_pct', direction: 'desc' },
  apr_asc: { column: 'apr_pct', direction: 'asc' },
  sum_7d_desc: { column: 'sum_7d_pct', direction: 'desc' },
  sum_7d_asc: { column: 'sum_7d_pct', direction: 'asc' },
  sum_30d_desc: { column: 'sum_30d_pct', direction: 'desc' },
  sum_30d_asc: { column: 'sum_30d_pct', direction: 'asc' },
  volume_desc: { column: 'volume_24h_usdt', direction: 'desc' },
  volume_asc: { column: 'volume_24h_usdt', direction: 'asc' },
  next_funding_asc: { column: 'next_funding_at', direction: 'asc' },
  next_funding_desc: { column: 'next_funding_at', direction: 'desc' },
  coin_asc: { column: 'coin', direction: 'asc' },
  exchange_asc: { column: 'exchange', direction: 'asc' },
} satisfies Sorts;

const parameters = {
  coin: coins('coin', 'Tickers to keep, in any case; at most 20, separated by commas'),
  exchange: exchanges('exchange', 'Venues to keep, spelled as /exchanges returns them; at most 20'),
  exclude_exchange: exchanges('exclude_exchange', 'Venues to leave out; at most 20'),
  min_rate_pct: number('min_rate_pct', 'Lowest rate_pct, signed, in percent per settlement'),
  max_rate_pct: number('max_rate_pct', 'Highest rate_pct, signed, in percent per settlement'),
  min_abs_rate_pct: number('min_abs_rate_pct', 'Lowest magnitude of rate_pct'),
  max_abs_rate_pct: number('max_abs_rate_pct', 'Highest magnitude of rate_pct'),
  min_apr_pct: number('min_apr_pct', 'Lowest apr_pct, signed; drops rows without one'),
  max_apr_pct: number('max_apr_pct', 'Highest apr_pct, signed; drops rows without one'),
  min_sum_7d_pct: number('min_sum_7d_pct', 'Lowest 7-day sum; drops rows without one'),
  max_sum_7d_pct: number('max_sum_7d_pct', 'Highest 7-day sum; drops rows without one'),
  min_sum_30d_pct: number('min_sum_30d_pct', 'Lowest 30-day sum; drops rows without one'),
  max_sum_30d_pct: number('max_sum_30d_pct', 'Highest 30-day sum; drops rows without one'),
  interval_hours: integers('interval_hours', { min: 1, max: 24 }, 'Settlement intervals in hours to keep'),
  is_inverse: flag('is_inverse', 'true = coin-margined only; false = linear only'),
  min_volume_usdt: number('min_volume_usdt', 'Lowest 24 h volume in USDT'),
  max_volume_usdt: number('max_volume_usdt', 'Highest 24 h volume in USDT'),
  settles_within_minutes: integer(
    'settles_within_minutes',
    { min: 1, max: 1440 },
    'Next settlement within this many minutes of meta.as_of',
  ),
  sort: choice(
    'sort',
    Object.keys(SORTS) as (keyof typeof SORTS)[],
    'Order of the rows; default abs_rate_desc',
  ),
  limit: limitParameter,
  cursor: cursorParameter,
  fields: fieldsParameter(FUNDING_TABLE),
};

export const funding = defineOperation({
  id: 'funding',
  path: '/funding',
  scope: 'funding:read',
  summary: 'Current funding rates of every perpetual contract on every venue',
  description:
    'One row per perpetual contract. rate_pct is what will be exchanged at next_funding_at, in percent of the position (0.01 = one basis point); positive means that longs pay shorts. It is the running rate, never the last settled one. Rates of contracts with different interval_hours are not comparable as they stand: compare apr_pct, or use /funding/{coin}. Quote a rate together with its venue and interval. For rates that were really paid use /funding/history.',
  tool: { name: 'svc_get_funding_rates', title: 'Current funding rates' },
  parameters,
  freshness: untilNextSnapshot((data) => data.funding),
  data: { type: 'array', items: rowSchema(FUNDING_TABLE) },
  example: [
    {
      exchange: 'Binance',
      symbol: 'BTC-USDT',
      venue_symbol: 'BTCUSDT',
      coin: 'BTC',
      is_inverse: false,
      asset_class: 'crypto',
      price_outlier: false,
      rate_pct: 0.01,
      apr_pct: 10.85,
      sum_7d_pct: 0.21,
      sum_30d_pct: 0.88,
      interval_hours: 8,
      next_funding_at: '2026-11-15T16:00:00Z',
      volume_24h_usdt: 14203992318.27,
    },
  ],
  run: (values, context) => {
    checkExchanges(context, values.exchange, values.exclude_exchange);
    return answerList(
      {
        operationId: 'funding',
        page: '/funding',
        values,
        sorts: SORTS,
        defaultSort: 'abs_rate_desc',
        ties: ['exchange', 'symbol', 'venue_symbol'],
        source: context.data.funding,
        filtersOf: (table, asOfMs) => {
          const withinMs =
            values.settles_within_minutes === undefined
              ? undefined
              : asOfMs + values.settles_within_minutes * MINUTE_MS;
          return [
            textIn(table, 'coin', values.coin),
            textIn(table, 'exchange', values.exchange),
            textNotIn(table, 'exchange', values.exclude_exchange),
            between(table, 'rate_pct', values.min_rate_pct, values.max_rate_pct),
            absoluteBetween(table, 'rate_pct', values.min_abs_rate_pct, values.max_abs_rate_pct),
            between(table, 'apr_pct', values.min_apr_pct, values.max_apr_pct),
            between(table, 'sum_7d_pct', values.min_sum_7d_pct, values.max_sum_7d_pct),
            between(table, 'sum_30d_pct', values.min_sum_30d_pct, values.max_sum_30d_pct),
            numberIn(table, 'interval_hours', values.interval_hours),
            flagIs(table, 'is_inverse', values.is_inverse),
            between(table, 'volume_24h_usdt', values.min_volume_usdt, values.max_volume_usdt),
            between(table, 'next_funding_at', withinMs === undefined ? undefined : asOfMs, withinMs),
          ];
        },
      },
      context,
    );
  },
});

import { SECOND_MS } from '../base/times.ts';
import { SPREADS_TABLE } from '../engines/spreads/table.ts';
import { between, pairIn, textIn, textNotIn } from '../query/filters.ts';
import { choice, integer, number } from '../query/kinds.ts';
import { cursorParameter, fieldsParameter, limitParameter } from '../query/paging.ts';
import type { Sorts } from '../query/sorting.ts';
import { answerList, checkExchanges, rowSchema, untilNextSnapshot } from './list.ts';
import { defineOperation } from './operation.ts';
import { pairParameters } from './pair-parameters.ts';

const SORTS = {
  spread_desc: { column: 'spread_pct', direction: 'desc' },
  spread_asc: { column: 'spread_pct', direction: 'asc' },
  volume_desc: { column: 'volume_a_usdt', orSmaller: 'volume_b_usdt', direction: 'desc' },
  volume_asc: { column: 'volume_a_usdt', orSmaller: 'volume_b_usdt', direction: 'asc' },
  strength_desc: { column: 'strength', direction: 'desc' },
  updated_desc: { column: 'updated_at', direction: 'desc' },
  coin_asc: { column: 'coin', direction: 'asc' },
} satisfies Sorts;

const parameters = {
  ...pairParameters,
  min_spread_pct: number('min_spread_pct', 'Lowest spread_pct, in percent'),
  max_spread_pct: number('max_spread_pct', 'Highest spread_pct, in percent'),
  direction: choice(
    'direction',
    ['long_a_short_b', 'short_a_long_b'],
    'Pairs whose better side is this one: long_a_short_b buys on A and sells on B',
  ),
  min_volume_usdt: number('min_volume_usdt', "Both legs' 24 h volume is at least this, in USDT"),
  min_strength: integer('min_strength', { min: 0, max: 5 }, 'Lowest strength, 0 to 5'),
  max_age_seconds: integer(
    'max_age_seconds',
    { min: 1, max: 120 },
    'The older quote was received within this many seconds before meta.as_of',
  ),
  sort: choice(
    'sort',
    Object.keys(SORTS) as (keyof typeof SORTS)[],
    'Order of the rows; default spread_desc; volume is that of the smaller leg',
  ),
  limit: limitParameter,
  cursor: cursorParameter,
  fields: fieldsParameter(SPREADS_TABLE),
};

export const spreads = defineOperation({
  id: 'spreads',
  path: '/spreads',
  scope: 'spreads:read',
  summary: "Live spreads between two venues' perpetuals on the same coin",
  description:
    'One row per pair of venues and coin, from the best bid and ask of both, best first. spread_pct is what entering the better direction now would lock in, in percent and before fees: long_a_short_b_pct = (bid_b - ask_a) / ask_a, short_a_long_b_pct = (bid_a - ask_b) / ask_b. Prices are for one coin in USDT, whatever multiplier and stablecoin the contracts use. strength counts five conditions, see the field. Linear contracts only; quotes older than 120 s form no row. It says nothing about size: for what an order would have earned against the depth of the books use /spreads/backtest.',
  tool: { name: 'svc_get_spreads', title: 'Live spreads' },
  parameters,
  freshness: untilNextSnapshot((data) => data.spreads),
  data: { type: 'array', items: rowSchema(SPREADS_TABLE) },
  example: [
    {
      symbol: 'BTC-USDT',
      coin: 'BTC',
      exchange_a: 'Binance',
      exchange_b: 'OKX',
      spread_pct: 0.109989,
      direction: 'long_a_short_b',
      long_a_short_b_pct: 0.109989,
      short_a_long_b_pct: -0.12983122,
      bid_a: 100_000,
      ask_a: 100_010,
      bid_b: 100_120,
      ask_b: 100_130,
      volume_a_usdt: 14203992318.27,
      volume_b_usdt: 5130274411.9,
      funding_rate_a_pct: 0.01,
      funding_rate_b_pct: 0.0075,
      funding_interval_hours_a: 8,
      funding_interval_hours_b: 8,
      next_funding_at_a: '2026-11-15T16:00:00Z',
      next_funding_at_b: '2026-11-15T16:00:00Z',
      strength: 3,
      updated_at: '2026-11-15T11:59:58Z',
    },
  ],
  run: (values, context) => {
    checkExchanges(context, values.exchange, values.exclude_exchange);
    return answerList(
      {
        operationId: 'spreads',
        page: '/spreads',
        values,
        sorts: SORTS,
        defaultSort: 'spread_desc',
        // The rows come by coin, exchange_a and exchange_b, so their own order breaks ties.
        ties: [],
        source: context.data.spreads,
        filtersOf: (table, asOfMs) => [
          textIn(table, 'coin', values.coin),
          pairIn(table, ['exchange_a', 'exchange_b'], values.exchange, values.exchange_match),
          textNotIn(table, 'exchange_a', values.exclude_exchange),
          textNotIn(table, 'exchange_b', values.exclude_exchange),
          between(table, 'spread_pct', values.min_spread_pct, values.max_spread_pct),
          textIn(table, 'direction', values.direction === undefined ? undefined : [values.direction]),
          between(table, 'volume_a_usdt', values.min_volume_usdt, undefined),
          between(table, 'volume_b_usdt', values.min_volume_usdt, undefined),
          between(table, 'strength', values.min_strength, undefined),
          between(
            table,
            'updated_at',
            values.max_age_seconds === undefined ? undefined : asOfMs - values.max_age_seconds * SECOND_MS,
            undefined,
          ),
        ],
      },
      context,
    );
  },
});

import { HOUR_MS } from '../base/times.ts';
import { BACKTEST_TABLES } from '../engines/backtest/rows.ts';
import { SIZES_USD, type SizeUsd } from '../history/samples/model.ts';
import type { Table } from '../market/table.ts';
import { between, pairIn, textIn, textNotIn } from '../query/filters.ts';
import { choice, integer, integerChoice, number } from '../query/kinds.ts';
import { cursorParameter, fieldsParameter, limitParameter } from '../query/paging.ts';
import { orderOf, type Sorts } from '../query/sorting.ts';
import { answerList, checkExchanges, rowSchema, untilNextSnapshot } from './list.ts';
import { defineOperation } from './operation.ts';
import { pairParameters } from './pair-parameters.ts';

const SORTS = {
  profit_desc: { column: 'est_profit_pct', direction: 'desc' },
  profit_asc: { column: 'est_profit_pct', direction: 'asc' },
  avg_profit_desc: { column: 'avg_profit_pct', direction: 'desc' },
  cycles_desc: { column: 'cycles', direction: 'desc' },
  confidence_desc: { column: 'confidence', direction: 'desc' },
  volume_desc: { column: 'volume_a_usdt', orSmaller: 'volume_b_usdt', direction: 'desc' },
  spread_range_desc: { column: 'spread_range_pct', direction: 'desc' },
  last_cycle_desc: { column: 'last_cycle_at', direction: 'desc' },
  coin_asc: { column: 'coin', direction: 'asc' },
} satisfies Sorts;

const TIES = ['coin', 'exchange_a', 'exchange_b'];
const DEFAULT_SIZE_USD: SizeUsd = 100;
/** So many of the best rows of each size are kept from delayed readers. */
const WITHHELD_ROWS = 5;
const TABLE = BACKTEST_TABLES[DEFAULT_SIZE_USD];

const parameters = {
  size_usd: integerChoice('size_usd', SIZES_USD, 'Order size in USD that depth is priced at; default 100'),
  ...pairParameters,
  min_profit_pct: number('min_profit_pct', 'Lowest est_profit_pct, in percent of a round trip after fees'),
  max_profit_pct: number('max_profit_pct', 'Highest est_profit_pct, in percent of a round trip after fees'),
  min_avg_profit_pct: number('min_avg_profit_pct', 'Lowest avg_profit_pct'),
  min_cycles: integer(
    'min_cycles',
    { min: 0, max: 1_000_000 },
    'The spread opened and closed at least this often in the window',
  ),
  min_confidence: integer('min_confidence', { min: 0, max: 100 }, 'Lowest confidence, 0 to 100'),
  min_volume_usdt: number('min_volume_usdt', "Both legs' 24 h volume is at least this, in USDT"),
  active_within_hours: integer(
    'active_within_hours',
    { min: 1, max: 720 },
    'The last cycle closed within this many hours before meta.as_of',
  ),
  sort: choice(
    'sort',
    Object.keys(SORTS) as (keyof typeof SORTS)[],
    'Order of the rows; default profit_desc; volume is that of the smaller leg',
  ),
  limit: limitParameter,
  cursor: cursorParameter,
  fields: fieldsParameter(TABLE),
};

export const spreadBacktest = defineOperation({
  id: 'spread-backtest',
  path: '/spreads/backtest',
  scope: 'spreads:read',
  summary:
    'Spreads ranked by what an order of a given size would have earned against the books of the last days',
  description:
    'Every pair of venues on a coin is walked minute by minute through the scan window (7 days) with the prices at which an order of size_usd would really have filled. A cycle opens when entry and usual exit together leave at least 0.05 % after the taker fees of all four trades, and closes when the usual exit is reached, or after 24 hours at whatever the exit is, loss included; nothing is known before its time. est_profit_pct is the median profit of a round trip in percent after fees, cycles says how often it happened, confidence (0 to 100) how far the figures carry. Funding paid while a cycle is open is not included. On the Demo plan the withheld_top best rows of each size are left out. For what can be entered now use /spreads.',
  tool: { name: 'svc_get_spread_backtest', title: 'Spread backtest' },
  parameters,
  // The three sizes are always of the same minute.
  freshness: untilNextSnapshot((data) => data.backtest[DEFAULT_SIZE_USD]),
  data: {
    type: 'object',
    title: 'BacktestSpreads',
    properties: {
      size_usd: {
        type: 'integer',
        format: 'int32',
        description: 'Order size that depth is priced at, in USD',
      },
      withheld_top: {
        type: 'integer',
        format: 'int32',
        description: 'How many of the best rows are withheld on the Demo plan; 0 on paid plans',
      },
      spreads: { type: 'array', items: rowSchema(TABLE) },
    },
    required: ['size_usd', 'withheld_top', 'spreads'],
    additionalProperties: false,
  },
  example: {
    size_usd: 100,
    withheld_top: 0,
    spreads: [
      {
        symbol: 'SOL-USDT',
        coin: 'SOL',
        exchange_a: 'Bybit',
        exchange_b: 'Gate',
        est_profit_pct: 0.081,
        avg_profit_pct: 0.074,
        fee_pct_cycle: 0.21,
        spread_range_pct: 0.46,
        cycles: 17,
        confidence: 58,
        volume_a_usdt: 903448221.5,
        volume_b_usdt: 311204998.1,
        last_cycle_at: '2026-11-15T10:42:00Z',
      },
    ],
  },
  run: (values, context) => {
    checkExchanges(context, values.exchange, values.exclude_exchange);
    const sizeUsd = (values.size_usd ?? DEFAULT_SIZE_USD) as SizeUsd;
    // The size is part of the question even when it is the default one.
    const { size_usd: _, ...others } = values;
    const isWithheld = context.plan.delaySeconds > 0;
    let withheldTop = 0;
    const answer = answerList(
      {
        operationId: 'spread-backtest',
        page: '/spreads/backtest',
        values: { ...others, size_usd: sizeUsd },
        sorts: SORTS,
        defaultSort: 'profit_desc',
        ties: TIES,
        source: context.data.backtest[sizeUsd],
        filtersOf: (table, asOfMs) => {
          const best = isWithheld ? bestRows(table) : null;
          withheldTop = best?.size ?? 0;
          const { active_within_hours: hours } = values;
          return [
            best && ((row: number) => !best.has(row)),
            textIn(table, 'coin', values.coin),
            pairIn(table, ['exchange_a', 'exchange_b'], values.exchange, values.exchange_match),
            textNotIn(table, 'exchange_a', values.exclude_exchange),
            textNotIn(table, 'exchange_b', values.exclude_exchange),
            between(table, 'est_profit_pct', values.min_profit_pct, values.max_profit_pct),
            between(table, 'avg_profit_pct', values.min_avg_profit_pct, undefined),
            between(table, 'cycles', values.min_cycles, undefined),
            between(table, 'confidence', values.min_confidence, undefined),
            between(table, 'volume_a_usdt', values.min_volume_usdt, undefined),
            between(table, 'volume_b_usdt', values.min_volume_usdt, undefined),
            between(
              table,
              'last_cycle_at',
              hours === undefined ? undefined : asOfMs - hours * HOUR_MS,
              undefined,
            ),
          ];
        },
      },
      context,
    );
    return {
      data: `{"size_usd":${sizeUsd},"withheld_top":${withheldTop},"spreads":${answer.data}}`,
      meta: answer.meta,
    };
  },
});

const best = new WeakMap<Table, ReadonlySet<number>>();

/** The rows that are withheld: chosen before any filter, so that no filter brings them back. */
function bestRows(table: Table): ReadonlySet<number> {
  let rows = best.get(table);
  if (!rows) {
    const order = orderOf(table, 'profit_desc', SORTS.profit_desc, TIES);
    rows = new Set(order.subarray(0, WITHHELD_ROWS));
    best.set(table, rows);
  }
  return rows;
}

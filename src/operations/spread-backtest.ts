import { HOUR_MS } from '../base/times.ts';
import { withOwnFees } from '../engines/backtest/own-fees.ts';
import { BACKTEST_TABLES } from '../engines/backtest/rows.ts';
import { SIZES_USD, type SizeUsd } from '../history/samples/model.ts';
import type { Table } from '../market/tables/table.ts';
import { atLeast, atMost, notOlderThan } from '../query/filter-kinds.ts';
import { integerChoice } from '../query/kinds.ts';
import { orderOf, type Sorts } from '../query/sorting.ts';
import { percent } from './answer/row-words.ts';
import { isNumber, plural, signed } from './answer/words.ts';
import { defineList } from './list/list.ts';
import { pairFilters } from './list/pair-filters.ts';
import { feesByVenue, feesParameter } from './taker-fees.ts';

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
/** Number of best rows of each size that callers with delayed data do not get. */
const WITHHELD_ROWS = 5;

export const spreadBacktest = defineList({
  id: 'spread-backtest',
  operationId: 'listSpreadBacktest',
  path: '/spreads/backtest',
  scope: 'spreads:read',
  summary:
    'Spreads ranked by what an order of a given size would have earned against the books of the last days',
  description:
    'Every pair of venues on a coin is walked minute by minute through the scan window (7 days) with the prices at which an order of size_usd would have filled. A cycle opens when entry and usual exit together leave at least 0.05 % after the taker fees of all four trades, and closes when the usual exit is reached, or after 24 hours at whatever the exit is, loss included. A minute counts only if the prices of both venues are at most 30 s old; others lower confidence. est_profit_pct is the median profit of a round trip in percent after fees, cycles says how often it happened, confidence (0 to 100) how far the figures carry. Funding paid while a cycle is open is not included. On the Demo plan the withheld_top best rows of each size are left out. For what can be entered now use /spreads.',
  table: BACKTEST_TABLES[DEFAULT_SIZE_USD],
  source: (data, sizeUsd) => data.backtest[sizeUsd as SizeUsd],
  variant: {
    parameter: integerChoice('size_usd', SIZES_USD, 'Order size in USD that depth is priced at; default 100'),
    default: DEFAULT_SIZE_USD,
  },
  view: {
    parameters: {
      fees: feesParameter(
        'taker_fee_a_pct and taker_fee_b_pct show them; fee_pct_cycle, est_profit_pct and avg_profit_pct follow, for the same cycles: which cycles opened was decided at the usual fees, so cycles and confidence stay, and lower fees would have opened more.',
      ),
    },
    defaults: {},
    of: ({ table }, { fees }, context) => {
      const feesPct = feesByVenue(fees as readonly string[] | undefined, context);
      return feesPct ? withOwnFees(table, feesPct) : table;
    },
  },
  identity: ['coin', 'exchange_a', 'exchange_b'],
  shortRows: {
    leading: [
      'coin',
      'exchange_a',
      'exchange_b',
      'est_profit_pct',
      'avg_profit_pct',
      'cycles',
      'confidence',
      'last_cycle_at',
    ],
  },
  tool: {
    name: 'svc_get_spread_backtest',
    title: 'Spread backtest',
    place: 6,
    noun: 'spread',
    conclusion: (row) => {
      const cycles = `${row.cycles} ${plural(row.cycles, 'cycle')}`;
      return `${row.symbol} between ${row.exchange_a} and ${row.exchange_b}, median ${signed(row.est_profit_pct)} % per round trip after fees over ${cycles}, confidence ${row.confidence} of 100`;
    },
    inContext: (sentence, { size_usd, withheld_top }) => {
      const isWithheld = isNumber(withheld_top) && withheld_top > 0;
      const note = isWithheld ? ` The ${withheld_top} best rows are withheld on this plan.` : '';
      return `For orders of ${size_usd} USD: ${sentence}${note}`;
    },
  },
  words: {
    subject: ({ coin, exchange_a, exchange_b }) =>
      `Backtest of the ${coin} spread between ${exchange_a} and ${exchange_b}`,
    state: ({ est_profit_pct, cycles, confidence }) =>
      `shows ${percent(est_profit_pct)} per round trip after fees (${cycles} ${plural(cycles, 'cycle')}, confidence ${confidence} of 100)`,
    stateFigures: ['est_profit_pct'],
  },
  filters: {
    ...pairFilters(['exchange_a', 'exchange_b']),
    min_profit_pct: atLeast('est_profit_pct', 'Lowest est_profit_pct, in percent of a round trip after fees'),
    max_profit_pct: atMost('est_profit_pct', 'Highest est_profit_pct'),
    min_avg_profit_pct: atLeast('avg_profit_pct', 'Lowest avg_profit_pct'),
    min_cycles: atLeast('cycles', 'The spread opened and closed at least this often in the window', {
      min: 0,
      max: 1_000_000,
    }),
    min_confidence: atLeast('confidence', 'Lowest confidence, 0 to 100', { min: 0, max: 100 }),
    min_volume_usdt: atLeast(
      ['volume_a_usdt', 'volume_b_usdt'],
      "Both legs' 24 h volume is at least this, in USDT",
    ),
    active_within_hours: notOlderThan(
      'last_cycle_at',
      HOUR_MS,
      { min: 1, max: 720 },
      'The last cycle closed within this many hours before meta.as_of',
    ),
  },
  sorts: SORTS,
  defaultSort: 'profit_desc',
  sortNote: '; volume is that of the smaller leg',
  ties: TIES,
  withheld: (table, { plan }) => (plan.delaySeconds > 0 ? bestRows(table) : null),
  object: {
    title: 'BacktestSpreads',
    rowsField: 'spreads',
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
    },
    fields: ({ size_usd }, withheld_top) => ({ size_usd: size_usd as number, withheld_top }),
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
        taker_fee_a_pct: 0.055,
        taker_fee_b_pct: 0.05,
        long_a_cycles: 12,
      },
    ],
  },
});

const best = new WeakMap<Table, ReadonlySet<number>>();

/** The best rows of the whole table: chosen before any filter, so that no filter reveals them. */
function bestRows(table: Table): ReadonlySet<number> {
  let rows = best.get(table);
  if (!rows) {
    const order = orderOf(table, 'profit_desc', SORTS.profit_desc, TIES);
    rows = new Set(order.subarray(0, WITHHELD_ROWS));
    best.set(table, rows);
  }
  return rows;
}

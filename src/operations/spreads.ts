import { SECOND_MS } from '../base/times.ts';
import { depthOf } from '../engines/depth/pair-costs.ts';
import { SIZED_SPREADS_TABLE } from '../engines/spreads/table.ts';
import { rowsAtSize, withOwnFees } from '../engines/spreads/views.ts';
import { atLeast, atMost, equals, notOlderThan } from '../query/filter-kinds.ts';
import { percent } from './answer/row-words.ts';
import { isNumber, perInterval, signed } from './answer/words.ts';
import { defineList } from './list/list.ts';
import { legClosed, pairFilters } from './list/pair-filters.ts';
import { SIZE_FILTERS, SIZE_SORTS, sizeParameter } from './size.ts';
import { feesByVenue, feesParameter } from './taker-fees.ts';

export const spreads = defineList({
  id: 'spreads',
  operationId: 'listSpreads',
  path: '/spreads',
  scope: 'spreads:read',
  summary: "Live spreads between two venues' perpetuals on the same coin",
  description:
    'One row per pair of venues and coin, from the best bid and ask of both, best first. spread_pct is what entering the better direction now would lock in, in percent and before fees: long_a_short_b_pct = (bid_b - ask_a) / ask_a, short_a_long_b_pct = (bid_a - ask_b) / ask_b. net_spread_pct = spread_pct - 2 x (taker_fee_a_pct + taker_fee_b_pct), after the fees of a round trip. Prices are for one coin in USDT, whatever multiplier and stablecoin the contracts use. strength counts five conditions, each of which is a field. Linear contracts only; quotes older than 120 s form no row. With size_usd net_spread_pct is net of what both books cost, null where they do not fill it; for the past use /spreads/backtest.',
  table: SIZED_SPREADS_TABLE,
  source: (data) => data.spreads,
  view: {
    parameters: {
      fees: feesParameter(
        'taker_fee_a_pct and taker_fee_b_pct show them; net_spread_pct, covers_fees and strength follow.',
      ),
      size_usd: sizeParameter(
        'It adds entry_cost_pct, exit_cost_pct, exit_cost_worst_pct, fills and book_age_seconds; net_spread_pct, covers_fees and strength are then at that size.',
      ),
    },
    defaults: {},
    of: (snapshot, { fees, size_usd }, context) => {
      const feesPct = feesByVenue(fees as readonly string[] | undefined, context);
      const rows = feesPct ? withOwnFees(snapshot.table, feesPct) : snapshot.table;
      if (size_usd === undefined) return rows;
      return rowsAtSize(rows, size_usd as number, depthOf(snapshot, context.data.depth), snapshot.asOfMs);
    },
  },
  identity: ['coin', 'exchange_a', 'exchange_b'],
  shortRows: {
    leading: [
      'coin',
      'exchange_a',
      'exchange_b',
      'spread_pct',
      'net_spread_pct',
      'direction',
      'strength',
      'updated_at',
    ],
    intervals: {
      funding_rate_a_pct: 'funding_interval_hours_a',
      funding_rate_b_pct: 'funding_interval_hours_b',
    },
  },
  tool: {
    name: 'svc_get_spreads',
    title: 'Live spreads',
    place: 5,
    noun: 'venue pair',
    conclusion: (row) => {
      const isLongA = row.direction === 'long_a_short_b';
      const [buy, sell] = isLongA ? [row.exchange_a, row.exchange_b] : [row.exchange_b, row.exchange_a];
      return `${row.symbol}, buy on ${buy} and sell on ${sell}: ${signed(row.spread_pct)} % of price before fees, strength ${row.strength} of 5`;
    },
  },
  words: {
    subject: ({ coin, exchange_a, exchange_b }) => `${coin} spread between ${exchange_a} and ${exchange_b}`,
    state: ({ spread_pct, net_spread_pct, direction, exchange_a, exchange_b }) => {
      const [buy, sell] =
        direction === 'long_a_short_b' ? [exchange_a, exchange_b] : [exchange_b, exchange_a];
      const net = isNumber(net_spread_pct) ? `, ${percent(net_spread_pct)} after fees` : '';
      return `is ${percent(spread_pct)} (buy on ${buy}, sell on ${sell}${net})`;
    },
    stateFigures: ['spread_pct'],
    figures: {
      funding_rate_a_pct: (row) =>
        `funding on ${row.exchange_a} is ${percent(row.funding_rate_a_pct)} ${perInterval(row.funding_interval_hours_a)}`,
      funding_rate_b_pct: (row) =>
        `funding on ${row.exchange_b} is ${percent(row.funding_rate_b_pct)} ${perInterval(row.funding_interval_hours_b)}`,
    },
  },
  filters: {
    ...pairFilters(['exchange_a', 'exchange_b']),
    leg_closed: legClosed,
    min_spread_pct: atLeast('spread_pct', 'Lowest spread_pct, in percent'),
    max_spread_pct: atMost('spread_pct', 'Highest spread_pct'),
    direction: equals(
      'direction',
      ['long_a_short_b', 'short_a_long_b'],
      'Pairs whose better side is this one: long_a_short_b buys on A and sells on B',
    ),
    min_net_spread_pct: atLeast('net_spread_pct', 'Lowest net_spread_pct, in percent'),
    max_net_spread_pct: atMost('net_spread_pct', 'Highest net_spread_pct'),
    min_volume_usdt: atLeast(
      ['volume_a_usdt', 'volume_b_usdt'],
      "Both legs' 24 h volume is at least this, in USDT",
    ),
    min_strength: atLeast('strength', 'Lowest strength, 0 to 5', { min: 0, max: 5 }),
    max_age_seconds: notOlderThan(
      'updated_at',
      SECOND_MS,
      { min: 1, max: 120 },
      'The older quote was received within this many seconds before meta.as_of',
    ),
    ...SIZE_FILTERS,
  },
  sorts: {
    spread_desc: { column: 'spread_pct', direction: 'desc' },
    spread_asc: { column: 'spread_pct', direction: 'asc' },
    net_spread_desc: { column: 'net_spread_pct', direction: 'desc' },
    net_spread_asc: { column: 'net_spread_pct', direction: 'asc' },
    volume_desc: { column: 'volume_a_usdt', orSmaller: 'volume_b_usdt', direction: 'desc' },
    volume_asc: { column: 'volume_a_usdt', orSmaller: 'volume_b_usdt', direction: 'asc' },
    strength_desc: { column: 'strength', direction: 'desc' },
    updated_desc: { column: 'updated_at', direction: 'desc' },
    coin_asc: { column: 'coin', direction: 'asc' },
    ...SIZE_SORTS,
  },
  defaultSort: 'spread_desc',
  sortNote: '; volume is that of the smaller leg',
  // The table has its rows by coin, exchange_a and exchange_b, so its own order breaks ties.
  ties: [],
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
      net_spread_pct: -0.090011,
      taker_fee_a_pct: 0.05,
      taker_fee_b_pct: 0.05,
      covers_fees: false,
      both_volumes_1m: true,
      both_fresh_15s: true,
      both_fill_500_usd: true,
      steady_3_prints: false,
      leg_closed: false,
    },
  ],
});

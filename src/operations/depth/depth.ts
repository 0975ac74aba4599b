import { SECOND_MS } from '../../base/times.ts';
import { bandColumn, DEFAULT_SIZE_USD, DEPTH_TABLE, withSize } from '../../engines/depth/table.ts';
import { BANDS_BP } from '../../market/depth/side-curve.ts';
import { atLeast, atMost, equals, noneOf, notOlderThan, oneOf } from '../../query/filter-kinds.ts';
import { coins, exchanges, integer } from '../../query/kinds.ts';
import type { Sorts } from '../../query/sorting.ts';
import { ASSET_CLASSES } from '../../venues/observations.ts';
import { percent } from '../answer/row-words.ts';
import { defineList } from '../list/list.ts';

const MAX_AGE_SECONDS = 3600;

const SIDE_FIGURES = (['bid', 'ask'] as const).flatMap((side) => BANDS_BP.map((bp) => bandColumn(side, bp)));

/** A cost has no sign; where the book does not fill the size it is unknown. */
const unsigned = (pct: unknown) => percent(pct).replace('+', '');

const SORTS: Sorts = {
  volume_desc: { column: 'volume_24h_usdt', direction: 'desc' },
  volume_asc: { column: 'volume_24h_usdt', direction: 'asc' },
  ...Object.fromEntries(
    BANDS_BP.map((bp) => [
      `depth_${bp}bp_desc`,
      { column: bandColumn('bid', bp), orSmaller: bandColumn('ask', bp), direction: 'desc' },
    ]),
  ),
  buy_cost_asc: { column: 'buy_cost_pct', direction: 'asc' },
  sell_cost_asc: { column: 'sell_cost_pct', direction: 'asc' },
  bid_ask_spread_asc: { column: 'bid_ask_spread_pct', direction: 'asc' },
  bid_ask_spread_desc: { column: 'bid_ask_spread_pct', direction: 'desc' },
  age_asc: { column: 'book_age_seconds', direction: 'asc' },
  age_desc: { column: 'book_age_seconds', direction: 'desc' },
  coin_asc: { column: 'coin', direction: 'asc' },
  exchange_asc: { column: 'exchange', direction: 'asc' },
};

export const depth = defineList({
  id: 'depth',
  operationId: 'listDepth',
  path: '/depth',
  scope: 'spreads:read',
  summary: 'Order-book depth of every linear contract: USD that rests near the mid price',
  description:
    'One row per linear contract, from its newest order book. bid_5bp_usd is what can be sold, and ask_5bp_usd what can be bought, at prices within 5 basis points of mid_price (0.05 %), in USD; likewise for 1, 2, 10, 25 and 50. Null means unknown: the levels that the venue sent end before, and nothing is extrapolated; at least bid_received_usd or ask_received_usd rests there. buy_cost_pct and sell_cost_pct are what an order of size_usd costs now against mid_price, by walking the book; the 24h figures say what it cost through the last day. Books are fetched every period_seconds and published once a minute; book_age_seconds says how old one is. Contracts without a book of the last hour have no row. Every rule is on the page /developers/depth.',
  table: DEPTH_TABLE,
  source: (data) => data.depth,
  view: {
    parameters: {
      size_usd: {
        ...integer(
          'size_usd',
          { min: 100, max: 250_000 },
          `Size of the order in USD of which buy_cost_pct, sell_cost_pct and their 24h figures are the costs; default ${DEFAULT_SIZE_USD}`,
        ),
        adds: ['buy_cost_pct', 'sell_cost_pct'],
      },
    },
    defaults: { size_usd: DEFAULT_SIZE_USD },
    of: ({ table }, { size_usd }) =>
      size_usd === DEFAULT_SIZE_USD ? table : withSize(table, size_usd as number),
  },
  identity: ['exchange', 'venue_symbol'],
  shortRows: {
    leading: [
      'coin',
      'exchange',
      'symbol',
      'mid_price',
      'bid_ask_spread_pct',
      'bid_10bp_usd',
      'ask_10bp_usd',
      'book_age_seconds',
    ],
  },
  words: {
    subject: ({ exchange, symbol, coin, venue_symbol }) => {
      const isUsual = typeof symbol === 'string' && symbol.endsWith('-USDT');
      return `${isUsual ? coin : (symbol ?? venue_symbol)} order book on ${exchange}`;
    },
    state: ({ buy_cost_pct, sell_cost_pct, bid_ask_spread_pct }) =>
      `costs ${unsigned(buy_cost_pct)} to buy and ${unsigned(sell_cost_pct)} to sell at your size (spread ${unsigned(bid_ask_spread_pct)})`,
    stateFigures: ['buy_cost_pct', 'sell_cost_pct', 'bid_ask_spread_pct'],
  },
  filters: {
    coin: oneOf('coin', coins, 'Tickers to keep, in any case; at most 20, separated by commas'),
    exchange: oneOf('exchange', exchanges, 'Venues to keep, as /exchanges spells them; at most 20'),
    exclude_exchange: noneOf(['exchange'], exchanges, 'Venues to leave out; at most 20'),
    asset_class: equals('asset_class', ASSET_CLASSES, 'Kind of underlying'),
    ...Object.fromEntries(
      SIDE_FIGURES.map((column) => [
        `min_${column}`,
        atLeast(column, `Lowest ${column}, in USD; drops rows where it is unknown`),
      ]),
    ),
    max_buy_cost_pct: atMost(
      'buy_cost_pct',
      'Highest buy_cost_pct, in percent; drops rows where the levels do not fill size_usd',
    ),
    max_sell_cost_pct: atMost(
      'sell_cost_pct',
      'Highest sell_cost_pct, in percent; drops rows where the levels do not fill size_usd',
    ),
    max_buy_cost_24h_worst_pct: atMost(
      'buy_cost_24h_worst_pct',
      'Highest buy_cost_24h_worst_pct, in percent; drops rows where it is unknown',
    ),
    max_sell_cost_24h_worst_pct: atMost(
      'sell_cost_24h_worst_pct',
      'Highest sell_cost_24h_worst_pct, in percent; drops rows where it is unknown',
    ),
    max_bid_ask_spread_pct: atMost('bid_ask_spread_pct', 'Highest bid_ask_spread_pct, in percent'),
    min_volume_usdt: atLeast('volume_24h_usdt', 'Lowest 24 h volume in USDT'),
    max_volume_usdt: atMost('volume_24h_usdt', 'Highest 24 h volume in USDT'),
    max_age_seconds: notOlderThan(
      'book_at',
      SECOND_MS,
      { min: 1, max: MAX_AGE_SECONDS },
      'The book was received within this many seconds before meta.as_of',
    ),
  },
  sorts: SORTS,
  defaultSort: 'volume_desc',
  sortNote: '; depth_5bp and the like are of the smaller side',
  ties: ['exchange', 'symbol', 'venue_symbol'],
  example: [
    {
      exchange: 'Binance',
      symbol: 'SOL-USDT',
      venue_symbol: 'SOLUSDT',
      coin: 'SOL',
      asset_class: 'crypto',
      mid_price: 141.235,
      bid_ask_spread_pct: 0.00708039,
      bid_1bp_usd: 151_204.33,
      bid_2bp_usd: 402_118.9,
      bid_5bp_usd: 1_288_350.12,
      bid_10bp_usd: null,
      bid_25bp_usd: null,
      bid_50bp_usd: null,
      bid_received_usd: 1_930_411.07,
      bid_reach_bp: 7.116,
      ask_1bp_usd: 139_870.1,
      ask_2bp_usd: 377_402.58,
      ask_5bp_usd: 1_204_993.4,
      ask_10bp_usd: null,
      ask_25bp_usd: null,
      ask_50bp_usd: null,
      ask_received_usd: 1_871_220.65,
      ask_reach_bp: 7.045,
      buy_cost_pct: 0.00354019,
      sell_cost_pct: 0.00354019,
      buy_cost_24h_median_pct: 0.00362,
      buy_cost_24h_worst_pct: 0.0121,
      sell_cost_24h_median_pct: 0.0037,
      sell_cost_24h_worst_pct: 0.0126,
      volume_24h_usdt: 2_104_998_311.4,
      book_at: '2026-11-15T11:59:31Z',
      book_age_seconds: 29.4,
      period_seconds: 60,
    },
  ],
});

import { MINUTE_MS } from '../base/times.ts';
import { FUNDING_TABLE } from '../engines/funding/table.ts';
import { SESSIONS } from '../market/session.ts';
import {
  atLeast,
  atMost,
  equals,
  isFlag,
  magnitudeAtLeast,
  magnitudeAtMost,
  noneOf,
  oneOf,
  oneOfIntegers,
  within,
} from '../query/filter-kinds.ts';
import { coins, exchanges } from '../query/kinds.ts';
import { percent, yearly } from './answer/row-words.ts';
import { isNumber, payer, perInterval, signed } from './answer/words.ts';
import { defineList } from './list/list.ts';

export const funding = defineList({
  id: 'funding',
  operationId: 'listFunding',
  path: '/funding',
  scope: 'funding:read',
  summary: 'Current funding rates of every perpetual contract on every venue',
  description:
    'One row per perpetual contract. rate_pct is what will be exchanged at next_funding_at, in percent of the position (0.01 = one basis point); positive means that longs pay shorts. It is the running rate, never the last settled one, which is last_rate_pct. Rates with different interval_hours are not comparable: compare gross_apr_pct or apr_pct, or use /funding/{coin}. Quote a rate with its venue and interval. For rates that were paid use /funding/history.',
  table: FUNDING_TABLE,
  source: (data) => data.funding,
  identity: ['exchange', 'venue_symbol'],
  shortRows: {
    leading: [
      'coin',
      'exchange',
      'symbol',
      'rate_pct',
      'apr_pct',
      'next_funding_at',
      'volume_24h_usdt',
      'open_interest_usdt',
    ],
    intervals: { rate_pct: 'interval_hours' },
  },
  tool: {
    name: 'svc_get_funding_rates',
    title: 'Current funding rates',
    place: 2,
    noun: 'contract',
    conclusion: (row) => {
      const apr = isNumber(row.apr_pct) ? `, ${signed(row.apr_pct)} % a year after costs` : '';
      return `${row.symbol} on ${row.exchange} at ${signed(row.rate_pct)} % ${perInterval(row.interval_hours)} (${payer(row.rate_pct)})${apr}`;
    },
  },
  words: {
    // The usual contract of a coin is the one in USDT; others are named in full.
    subject: ({ exchange, symbol, coin, venue_symbol }) => {
      const isUsual = typeof symbol === 'string' && symbol.endsWith('-USDT');
      return `${isUsual ? coin : (symbol ?? venue_symbol)} funding on ${exchange}`;
    },
    state: ({ rate_pct, gross_apr_pct, interval_hours }) =>
      `is ${percent(rate_pct)} ${perInterval(interval_hours)}${isNumber(gross_apr_pct) ? ` (${yearly(gross_apr_pct)} APR)` : ''}`,
    stateFigures: ['rate_pct', 'gross_apr_pct'],
    figures: {
      apr_pct: ({ apr_pct }) => `APR after the fees of a year is ${yearly(apr_pct)}`,
      last_rate_pct: ({ last_rate_pct, interval_hours }) => {
        const interval = isNumber(interval_hours) ? `every ${interval_hours} h` : 'at an unknown interval';
        return `last settled rate is ${percent(last_rate_pct)} (it settles ${interval})`;
      },
    },
  },
  filters: {
    coin: oneOf('coin', coins, 'Tickers to keep, in any case; at most 20, separated by commas'),
    exchange: oneOf('exchange', exchanges, 'Venues to keep, as /exchanges spells them; at most 20'),
    exclude_exchange: noneOf(['exchange'], exchanges, 'Venues to leave out; at most 20'),
    min_rate_pct: atLeast('rate_pct', 'Lowest rate_pct, signed'),
    max_rate_pct: atMost('rate_pct', 'Highest rate_pct'),
    min_abs_rate_pct: magnitudeAtLeast('rate_pct', 'Lowest magnitude of rate_pct'),
    max_abs_rate_pct: magnitudeAtMost('rate_pct', 'Highest magnitude of rate_pct'),
    min_apr_pct: atLeast('apr_pct', 'Lowest apr_pct, signed; drops nulls'),
    max_apr_pct: atMost('apr_pct', 'Highest apr_pct'),
    min_gross_apr_pct: atLeast('gross_apr_pct', 'Lowest gross_apr_pct; drops nulls'),
    max_gross_apr_pct: atMost('gross_apr_pct', 'Highest gross_apr_pct'),
    min_sum_7d_pct: atLeast('sum_7d_pct', 'Lowest 7-day sum; drops nulls'),
    max_sum_7d_pct: atMost('sum_7d_pct', 'Highest 7-day sum'),
    min_sum_30d_pct: atLeast('sum_30d_pct', 'Lowest 30-day sum; drops nulls'),
    max_sum_30d_pct: atMost('sum_30d_pct', 'Highest 30-day sum'),
    interval_hours: oneOfIntegers('interval_hours', { min: 1, max: 24 }, 'Settlement intervals in hours'),
    session: equals('session', SESSIONS, 'State of the market of the underlying; drops crypto'),
    is_inverse: isFlag('is_inverse', 'true = coin-margined only; false = linear only'),
    min_volume_usdt: atLeast('volume_24h_usdt', 'Lowest 24 h volume in USDT'),
    max_volume_usdt: atMost('volume_24h_usdt', 'Highest 24 h volume'),
    min_open_interest_usdt: atLeast('open_interest_usdt', 'Lowest open interest in USDT; drops nulls'),
    max_open_interest_usdt: atMost('open_interest_usdt', 'Highest open interest'),
    settles_within_minutes: within(
      'next_funding_at',
      MINUTE_MS,
      { min: 1, max: 1440 },
      'Next settlement within this many minutes of meta.as_of',
    ),
  },
  sorts: {
    abs_rate_desc: { column: 'rate_pct', direction: 'desc', isAbsolute: true },
    abs_rate_asc: { column: 'rate_pct', direction: 'asc', isAbsolute: true },
    rate_desc: { column: 'rate_pct', direction: 'desc' },
    rate_asc: { column: 'rate_pct', direction: 'asc' },
    apr_desc: { column: 'apr_pct', direction: 'desc' },
    apr_asc: { column: 'apr_pct', direction: 'asc' },
    gross_apr_desc: { column: 'gross_apr_pct', direction: 'desc' },
    gross_apr_asc: { column: 'gross_apr_pct', direction: 'asc' },
    sum_7d_desc: { column: 'sum_7d_pct', direction: 'desc' },
    sum_7d_asc: { column: 'sum_7d_pct', direction: 'asc' },
    sum_30d_desc: { column: 'sum_30d_pct', direction: 'desc' },
    sum_30d_asc: { column: 'sum_30d_pct', direction: 'asc' },
    volume_desc: { column: 'volume_24h_usdt', direction: 'desc' },
    volume_asc: { column: 'volume_24h_usdt', direction: 'asc' },
    open_interest_desc: { column: 'open_interest_usdt', direction: 'desc' },
    open_interest_asc: { column: 'open_interest_usdt', direction: 'asc' },
    next_funding_asc: { column: 'next_funding_at', direction: 'asc' },
    next_funding_desc: { column: 'next_funding_at', direction: 'desc' },
    coin_asc: { column: 'coin', direction: 'asc' },
    exchange_asc: { column: 'exchange', direction: 'asc' },
  },
  defaultSort: 'abs_rate_desc',
  ties: ['exchange', 'symbol', 'venue_symbol'],
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
      mark_price: 96412.5,
      index_price: 96420.13,
      open_interest_usdt: 8120455210.4,
      last_rate_pct: 0.0092,
      last_funding_at: '2026-11-15T08:00:00Z',
      taker_fee_pct: 0.05,
      covered_until: '2026-11-15T08:00:00Z',
      gross_apr_pct: 10.95,
      session: null,
    },
  ],
});

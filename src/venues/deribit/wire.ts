import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Deribit sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * Calls: https://docs.deribit.com/api-reference/market-data/public-get_instruments and the pages beside it
 * Channels: https://docs.deribit.com/subscriptions/market-data/tickerinstrument_nameinterval
 */

/** A perpetual is in `settlement` for a short time every day and then trades on; only dated futures end in it. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  open: 'trading',
  settlement: 'trading',
  locked: 'halted',
  halted: 'halted',
  inactive: 'halted',
  delivered: 'delisted',
  archivized: 'delisted',
};

export const ASSET_CLASS: Readonly<Record<string, AssetClass>> = {
  crypto: 'crypto',
  crypto_index: 'index',
  equity: 'stock',
  equity_etf: 'stock',
  preipo: 'stock',
  commodity: 'commodity',
};

/** Shares whose tickers no coin has, for a row without `underlying_type`. */
export const SHARES: ReadonlySet<string> = new Set(
  'AAPL AMZN CRCL GOOGL HOOD INTC MSFT MSTR NVDA PLTR TSLA'.split(' '),
);

/** Funding accrues every millisecond. The running rate is stated for eight hours; the venue's own prints are hourly. */
export const RATE_HOURS = 8;
export const PRINT_HOURS = 1;

/** The summary rounds the rate of these to four decimals, so 0.00004 is 0 there; the ticker channel has all digits. */
export const ROUNDED_IN_SUMMARY: ReadonlySet<string> = new Set(['BNB']);

/** A call for settled rates returns at most this many hours. */
export const HISTORY_PAGE_ROWS = 744;
export const HISTORY_PAGE_DAYS = 30;

export const DEPTH_LEVELS = 100;
export const NOTICES = 50;

import type { AssetClass } from '../observations.ts';

/**
 * What WEEX sends beyond Binance's shapes, which it copies.
 * https://www.weex.com/api-doc/contract/Market_API/GetContractInfo and the pages beside it
 */

/** `underlyingType` of the contract list. Indices holds funds such as SPY too; a share before its listing is Pre-IPO. */
export const CLASS_OF_UNDERLYING: Readonly<Record<string, AssetClass>> = {
  COIN: 'crypto',
  Stocks: 'stock',
  'Pre-IPO': 'stock',
  Indices: 'index',
  Metals: 'commodity',
  Commodities: 'commodity',
  Forex: 'forex',
};

/** `contractType` of everything that is not on a coin. */
export const TRADITIONAL_TYPE = 'TRADIFI_PERPETUAL';

/** Percent; a contract with another `takerFeeRate` carries its own fee. */
export const TAKER_FEE_PCT = 0.08;

/** A call for more than seven days is refused, as is one that starts more than 365 days ago. */
export const HISTORY_WINDOW_DAYS = 7;
export const HISTORY_DEPTH_DAYS = 365;
export const HISTORY_PAGE_ROWS = 1000;

/** 15 or 200; any other number is refused. */
export const DEPTH_LEVELS = 200;

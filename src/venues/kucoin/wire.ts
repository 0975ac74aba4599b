import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What KuCoin Futures sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://www.kucoin.com/docs-new/rest/futures-trading/market-data/get-all-symbols
 */

/** Errors come with HTTP 200 and another code. */
export const GOOD_CODE = '200000';

/** `type` of a perpetual; dated futures are `FFICSX`. */
export const PERPETUAL_TYPE = 'FFWCSX';

/** KuCoin keeps the BitMEX name of bitcoin, as a base and as a settlement currency. */
export const CURRENCY_ALIASES: Readonly<Record<string, string>> = { XBT: 'BTC' };

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  Init: 'preopen',
  Open: 'trading',
  Paused: 'halted',
  CancelOnly: 'halted',
  BeingSettled: 'delisting',
  Settled: 'delisted',
  Closed: 'delisted',
};

export const ASSET_CLASS: Readonly<Record<string, AssetClass>> = {
  CRYPTO: 'crypto',
  STOCK: 'stock',
  METAL: 'commodity',
  COMMODITY: 'commodity',
  INDEX: 'index',
  FOREX: 'forex',
};

/** The most settled prints seen in one reply; the call has no page size. */
export const FUNDING_PAGE_ROWS = 100;

import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What OKX sends, as far as we read it. Every field arrives as `unknown` and is checked when parsed.
 * https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments
 * https://www.okx.com/docs-v5/en/#public-data-rest-api-get-funding-rate
 * https://www.okx.com/docs-v5/en/#order-book-trading-market-data-get-tickers
 */

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  preopen: 'preopen',
  live: 'trading',
  suspend: 'halted',
  rebase: 'halted',
  post_only: 'halted',
  settling: 'halted',
};

/** Test pairs can never be traded. */
export const TEST_STATUS = 'test';

/** The reasons under which instruments that are not perpetuals are counted. X-Perps are futures of five years. */
export const OTHER_KINDS: Readonly<Record<string, string>> = {
  SPOT: 'spot',
  MARGIN: 'spot',
  FUTURES: 'dated future',
  OPTION: 'option',
  EVENTS: 'event contract',
};

/** `instCategory` of the base. Indices such as US500 and JP225 come as 3 (2026-09-14); their names decide. Bonds have no class of their own; it matters only that they are not coins. */
export const ASSET_CLASS: Readonly<Record<string, AssetClass>> = {
  1: 'crypto',
  3: 'stock',
  4: 'commodity',
  5: 'forex',
  6: 'index',
};

/** The documentation has the first name for the pool of dollars and dollar coins, replies have the second. */
export const SETTLE_ALIASES: Readonly<Record<string, string>> = { 'USDⓈ': 'USD' };

/**
 * From the announcement until five minutes before the opening, a contract has no fields but its name, state and
 * listing time. Its size is unknown then; this is a placeholder, and no size or volume is computed with it.
 */
export const UNKNOWN_CONTRACT_SIZE = 1;

/** `BTC-USDT-SWAP`, and `BTC-USD_UM-SWAP` for the linear contract beside the coin-margined `BTC-USD-SWAP`. */
export const SWAP_ID = /^([^-]+)-([A-Z0-9]+)(_UM)?-SWAP$/;

/** Some announced contracts are named so: LISTING-SWAP-SLX-USDT will be SLX-USDT-SWAP. */
export const ANNOUNCED_ID = /^LISTING-SWAP-(.+)$/;

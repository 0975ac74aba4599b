import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Orderly sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * HTTP: https://orderly.network/docs/build-on-omnichain/restful-api/public/get-available-symbols and the pages beside it
 * WebSocket: https://orderly.network/docs/build-on-omnichain/websocket-api/public/bbos
 */

/** The only word that was seen; another one rejects the row with its name. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = { ACTIVE: 'trading' };

/** Commodities and funds that trade around the clock here, so that no field distinguishes them from coins. */
export const CLASS_OF_BASE: Readonly<Record<string, AssetClass>> = {
  XAU: 'commodity',
  XAG: 'commodity',
  CL: 'commodity',
  WTI: 'commodity',
  BRENT: 'commodity',
};

/** The server returns at most 500 rows, whatever size is requested. */
export const HISTORY_PAGE_ROWS = 500;

/** A round of book requests over all contracts takes this long: a sample uses books of at most a minute. */
export const BOOK_ROUND_SECONDS = 40;

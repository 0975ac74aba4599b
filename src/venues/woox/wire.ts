import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What WOO X sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * HTTP: https://developer.woox.io/api-reference/endpoint/public_data/instruments and the pages beside it
 * WebSocket: https://developer.woox.io/api-reference/websocket_introduction
 */

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  TESTING: 'preopen',
  TRADING: 'trading',
  SUSPENDED: 'halted',
};

/**
 * The list has no asset class, so every base is a coin unless it is named here. These two have the price of a share, not
 * of a coin (1,884 and 114 USDT on 2026-09-23): SNDK is Sandisk and EWT is a fund of Taiwanese shares, not Energy Web.
 * https://api.woox.io/v3/public/futures
 */
export const CLASS_OF_BASE: Readonly<Record<string, AssetClass>> = { SNDK: 'stock', EWT: 'stock' };

/** Page size, 25 by default; the reply has the total number of rows. */
export const HISTORY_PAGE_ROWS = 100;

export const DEPTH_LEVELS = 100;

/** The documentation allows 20 topics a request, but requests with more than 10 have been refused whole. */
export const TOPICS_PER_REQUEST = 10;
export const TOPICS_PER_SOCKET = 100;

import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What the dYdX indexer sends, as far as we read it.
 * https://docs.dydx.exchange/developers/indexer/indexer_api and .../indexer_websocket
 * Limits and page sizes: indexer/services/{comlink,socks}/src/config.ts in https://github.com/dydxprotocol/v4-chain
 */

/** A market in final settlement accepts no orders; its row stays in the list. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  INITIALIZING: 'preopen',
  ACTIVE: 'trading',
  PAUSED: 'halted',
  CANCEL_ONLY: 'halted',
  POST_ONLY: 'halted',
  FINAL_SETTLEMENT: 'delisted',
};

/** The indexer has no asset class, so every market is a coin but these; both traded on 2026-09-14. */
export const CLASS_OF_BASE: Readonly<Record<string, AssetClass>> = {
  XAG: 'commodity',
  XAU: 'commodity',
  WTI: 'commodity',
};

/** Profit, loss and margin of every market are in USDC. */
export const SETTLE = 'USDC';

/** The chain's funding-tick epoch is 3,600 s long. */
export const INTERVAL_HOURS = 1;

export const FUNDING_PAGE_ROWS = 1000;

export const BOOKS_PER_SOCKET = 32;

/** Matches `BTC-USD` and the long form `NAME,VENUE,ADDRESS-USD` of permissionless markets. */
export const TICKER = /^([^,]+)(?:,.*)?-([A-Z]+)$/;

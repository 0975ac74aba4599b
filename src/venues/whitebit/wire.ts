/**
 * What WhiteBIT sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * HTTP: https://docs.whitebit.com/api-reference/market-data/available-futures-markets-list and the pages beside it
 * WebSocket: https://docs.whitebit.com/websocket/market-streams/book-ticker
 */
export const DOCS = 'https://docs.whitebit.com';

/** Perpetuals on coins, and on stocks, metals and fuels. */
export const COIN_TYPE = 'futures';
export const TRADITIONAL_TYPE = 'tradfiFutures';

/** The default and the most that one call has returned. */
export const HISTORY_PAGE_ROWS = 100;
export const DEPTH_LEVELS = 100;

/** The documentation calls 200 comfortable; all 397 perpetuals have been served on one socket. */
export const MARKETS_PER_SOCKET = 200;

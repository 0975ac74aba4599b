/**
 * What CoinEx sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * HTTP and WebSocket: https://docs.coinex.com/api/v2/
 */

/** The only value seen in `status`; `is_market_available` says whether the market trades. */
export const ONLINE = 'online';

/** One contract of an inverse market is worth one dollar; linear amounts are plain base amounts. */
export const INVERSE_FACE_USD = 1;

/** History pages hold at most this many rows. */
export const HISTORY_PAGE_ROWS = 1000;

/** The depth call takes 5, 10, 20 or 50. */
export const DEPTH_LEVELS = 50;

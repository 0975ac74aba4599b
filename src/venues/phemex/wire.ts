/**
 * What Phemex sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * Calls and channels: https://phemex-docs.github.io/
 *
 * USDT and USDC contracts carry real decimals (fields ending in Rp, Rq, Rv, Rr). The older coin-margined ones carry
 * integers that are scaled by the product's own power of ten (Ep for prices) and count contracts of one dollar.
 */

/** Prices of coin-margined contracts, where the product does not say otherwise. */
export const USUAL_PRICE_SCALE = 4;

/** Page size of the funding call, whose default is 20. */
export const FUNDING_PAGE_ROWS = 200;

export const HISTORY_PAGE_ROWS = 100;

/**
 * Documented are 20 subscriptions a socket and 5 sockets, too few for 134 contracts. 101 subscriptions were accepted on
 * one socket on 2026-09-23, so 50 keep well below that and need 3 sockets.
 */
export const SUBSCRIPTIONS_PER_SOCKET = 50;
/** A socket that sends more than 20 requests a second is throttled. */
export const SUBSCRIPTIONS_PER_SECOND = 15;

/** `TradFi` only means that the base is not a coin. A base in neither of these lists is a stock. */
export const COMMODITIES: ReadonlySet<string> = new Set(['XAU', 'XAG', 'XPT', 'XPD', 'NG', 'CL', 'COPPER']);
export const INDEXES: ReadonlySet<string> = new Set(['NAS100', 'SPX500', 'SP500', 'US30']);

import type { AssetClass } from '../observations.ts';

/**
 * What Bitfinex sends, as far as we read it: rows are lists, so a field is its position.
 * https://docs.bitfinex.com/reference/rest-public-derivatives-status and the pages beside it
 */
export const DOCS = 'https://docs.bitfinex.com/reference';

/** `BTCF0:USTF0`; other calls put a t before it. */
export const PAIR = /^(\w+)F0:(\w+)F0$/;

/** Positions in `status/deriv`. In its history the rows have no key, so every position is one lower. */
export const STATUS = { key: 0, time: 1, next: 8, rate: 12, mark: 15, openInterest: 18 };
export const STATUS_HISTORY = { next: STATUS.next - 1, rate: STATUS.rate - 1 };
/** The sizes at 2 and 4 are those of the 25 best orders together, so they are not read. */
export const TICKER = { symbol: 0, bid: 1, ask: 3, last: 7, volume: 8 };
export const INFO = { pair: 0, details: 1 };
export const INITIAL_MARGIN_AT = 8;

/** The venue's own codes, and its names of stock indices. */
export const CURRENCY_OF_CODE: Readonly<Record<string, string>> = {
  ...{ UST: 'USDT', ALG: 'ALGO', ATO: 'ATOM', IOT: 'IOTA' },
  ...{ AUSTRALIA200IX: 'AU200', EUROPE50IX: 'EU50', FRANCE40IX: 'FR40', GERMANY40IX: 'DE40' },
  ...{ HONGKONG50IX: 'HK50', JAPAN225IX: 'JP225', SPAIN35IX: 'ES35', UK100IX: 'UK100' },
};

/** Implied volatility of BTC and ETH, and currencies against the dollar. */
export const CLASS_OF_CODE: Readonly<Record<string, AssetClass>> = {
  ...{ BVIV: 'index', EVIV: 'index', EUR: 'forex', GBP: 'forex' },
};

/** Every contract settles at 00:00, 08:00 and 16:00 UTC. */
export const INTERVAL_HOURS = 8;

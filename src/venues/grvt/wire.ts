import type { AssetClass } from '../observations.ts';

/**
 * What GRVT sends, as far as we read it. Times are nanoseconds, and rates are percent of the contract's own interval.
 * https://api-docs.grvt.io/market_data_api and .../market_data_streams
 */

/** Names with a capital K for a thousand. KPEPE, KBONK and KSHIB had the prices of 1000PEPE, 1000BONK and 1000SHIB on 2026-09-13. */
export const THOUSANDS: ReadonlySet<string> = new Set(
  ['PEPE', 'BONK', 'SHIB', 'FLOKI', 'LUNC', 'DOGS', 'NEIRO'].map((coin) => `K${coin}`),
);

/** `asset_class` is UNSPECIFIED on every contract, so every base is a coin but these, which are known to be listed. */
export const CLASS_OF_BASE: Readonly<Record<string, AssetClass>> = {
  AAPL: 'stock',
  NVDA: 'stock',
  NATGAS: 'commodity',
  XAU: 'commodity',
};

export const TICKER_STREAM = 'v1.ticker.s';

/** A feed is at most this often; 500, 1000 and 5000 ms can be chosen. */
export const TICKER_EVERY_MS = 1000;
export const SELECTORS_PER_REQUEST = 50;

/** Every ticker has all figures; rates and volumes need not be as new as bids and asks. */
export const FIGURES_EVERY_MS = 15_000;

export const HISTORY_PAGE_ROWS = 1000;
export const DEPTH_LEVELS = 100;

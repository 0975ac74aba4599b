import type { AssetClass } from '../observations.ts';

/**
 * What Ondo Perps sends, as far as we read it: https://docs.ondoperps.xyz
 * Prices are in dollars; losses, fees and funding move the USDC balance.
 */

export const SETTLE = 'USDC';

/** Paid at each full hour: https://docs.ondoperps.xyz/funding-rates.md */
export const INTERVAL_HOURS = 1;

/** Of `tags`, of which every contract has one. A share of a fund trades as a stock. */
export const CLASS_OF_TAG: Readonly<Record<string, AssetClass>> = {
  Crypto: 'crypto',
  Stock: 'stock',
  ETF: 'stock',
  Commodity: 'commodity',
  Index: 'index',
  FX: 'forex',
};

export const HISTORY_PAGE_ROWS = 1000;
export const DEPTH_LEVELS = 100;
export const TOPS_CHANNEL = 'topOfBooksPerps';

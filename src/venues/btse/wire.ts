import type { AssetClass } from '../observations.ts';

/**
 * What BTSE sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * Markets: https://docs.btse.com/markets/rest/get-24-hr-ticker/ and the pages beside it
 * Mark and index: https://btsecom.github.io/docs/futuresV2_3/en/#query-market-price
 */
export const MARKETS_API = '/public-api/market/v1';
export const LEGACY_API = '/futures/api/v2.3';
export const HELP = 'https://support.btse.com/en/support/solutions/articles';

export const PERPETUAL = 'FuturesPerpetual';
export const PERPETUALS_ONLY = { types: JSON.stringify([PERPETUAL]) };

/** BTC-PERP-USDT in the markets API, BTC-PERP in the older one. */
export const SYMBOL = /^(.+)-PERP-([A-Z]+)$/;
export const LEGACY_SUFFIX = '-USDT';

export const CLASS_OF_CATEGORY: Readonly<Record<string, AssetClass>> = {
  CRYPTO: 'crypto',
  STOCK: 'stock',
  COMMODITIES: 'commodity',
};

/** 7D, 2W or 1M; no call for older prints is known to work. */
export const LONGEST_PERIOD = { name: '1M', days: 30 };
/** The most that is not refused. */
export const DEPTH_LEVELS = 50;

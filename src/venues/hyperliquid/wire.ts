/**
 * What Hyperliquid sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * Info endpoint: https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/perpetuals
 * WebSocket: https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions
 */

import type { AssetClass } from '../observations.ts';

/** Every perpetual of a live dex is quoted, margined and settled in USDC. */
export const QUOTE = 'USDC';

/** Funding is paid every hour, at an eighth of the rate that the formula gives for 8 hours. */
export const FUNDING_INTERVAL_HOURS = 1;

/** `dex:COIN` is a market of another deployer's dex (HIP-3), with its own oracle and collateral. */
export const DEX_SEPARATOR = ':';

/** Categories of perpConciseAnnotations, in lower case: deployers spell them in several ways. */
export const CLASS_OF_CATEGORY: Readonly<Record<string, AssetClass>> = {
  crypto: 'crypto',
  stock: 'stock',
  stocks: 'stock',
  preipo: 'stock',
  indices: 'index',
  rates: 'index',
  commodities: 'commodity',
  fx: 'forex',
};

/** A coin without `isDelisted` trades; a delisted coin stays in the list. */
export const TRADING = 'listed';
export const DELISTED = 'isDelisted';

/** Weights of 1,200 a minute; fundingHistory costs one more for every 20 rows that come back. */
export const INFO_WEIGHT = 20;
export const BOOK_WEIGHT = 2;
export const ROWS_PER_EXTRA_WEIGHT = 20;
export const FUNDING_PAGE_ROWS = 500;

import type { AssetClass } from '../observations.ts';

/**
 * What Crypto.com sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://exchange-developer.crypto.com/exchange/v1/docs (HTTP and WebSocket)
 */
export const DOCS = 'https://exchange-developer.crypto.com/exchange/v1/docs/api/rest';

export const PERPETUAL = 'PERPETUAL_SWAP';
export const PERPETUAL_SUFFIX = '-PERP';

/** `product_type` of the list. EQUITY_IND holds funds beside indices; a share before its listing is PRE_IPO. */
export const CLASS_OF_PRODUCT: Readonly<Record<string, AssetClass>> = {
  DIGITAL_CURRENCIES: 'crypto',
  EQUITY: 'stock',
  PRE_IPO: 'stock',
  EQUITY_IND: 'index',
  COMMODITIES: 'commodity',
};

/** Every perpetual settles on the full hour. The rate is fixed for four of them, from 00:00 UTC on. */
export const INTERVAL_HOURS = 1;

/** Rows to request at once. The most that the venue gives is not known, so a page of its default size may be cut. */
export const HISTORY_PAGE_ROWS = 100;
export const DEFAULT_PAGE_ROWS = 25;

/** The documentation says 50; 150 were given on 2026-09-22. */
export const DEPTH_LEVELS = 150;

/** A socket takes 400 channels; a contract has two. */
export const CHANNELS = ['ticker', 'funding'];
export const CONTRACTS_PER_SOCKET = 200;

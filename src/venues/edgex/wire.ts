import type { AssetClass } from '../observations.ts';

/**
 * What edgeX V2 sends, as far as we read it. V1 (pro.edgex.exchange) still lists contracts, but answers every other call
 * with SUCCESS and no rows.
 * https://edgex-1.gitbook.io/edgeX-documentation/api-v2 (HTTP and WebSocket)
 */

/** Flags mark shares and currencies; commodities have none. These were listed on 2026-09-13. */
export const CLASS_OF_BASE: Readonly<Record<string, AssetClass>> = Object.fromEntries(
  ['XAU', 'XAG', 'XPT', 'XPD', 'COPPER', 'CL', 'BZ', 'NATGAS'].map((base) => [base, 'commodity']),
);

/** Every contract of V2 is quoted and settled in the coin that `global.collateralCoinId` names. */
export const QUOTE = { coinId: '1000', name: 'USDC' };

/** 173 ids in one call were answered in full on 2026-09-13; no maximum is documented. */
export const IDS_PER_CALL = 200;

export const HISTORY_PAGE_ROWS = 100;

/** A book has 15 or 200 levels. */
export const DEPTH_LEVELS = 200;

export const TOPS_CHANNEL = 'bookTicker.all.1s';
export const TICKERS_CHANNEL = 'ticker.all.1s';

/** Every second brings the tickers of all contracts; volumes and open interest need not be that new. */
export const TICKERS_EVERY_MS = 15_000;

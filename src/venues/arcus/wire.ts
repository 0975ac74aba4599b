import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Arcus sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://docs.arcus.xyz/api-reference
 */

/** Prices are in dollars; profit, loss and funding are paid in USDG. */
export const CURRENCY = { quote: 'USD', settle: 'USDG' };

/** Charged once an hour. */
export const INTERVAL_HOURS = 1;

export const STATUSES: Readonly<Record<string, ContractStatus>> = { ONLINE: 'trading', OFFLINE: 'halted' };

/** The other categories are shares and funds: COMMODITIES had four of them (GLD, SLV, USO, CPER), INDICES two (SPY, QQQ). */
export const CLASSES: Readonly<Record<string, AssetClass>> = { CRYPTO: 'crypto', FOREX: 'forex' };

export const HISTORY_PAGE_ROWS = 1000;

/** Of calls for markets and for prints: 20, and one for every 20 rows. */
export const weightOf = (rows: number): number => 20 + Math.floor(rows / 20);

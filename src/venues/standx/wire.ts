import type { ContractStatus } from '../observations.ts';

/**
 * What StandX sends, as far as we read it: https://docs.standx.com/standx-api/perps-http
 * Symbols are in dollars (BTC-USD), margin and payments in DUSD.
 */

/** The only word that was seen, on all 13 contracts. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = { trading: 'trading' };

/** Paid at each full hour: 960 of 960 prints. */
export const INTERVAL_HOURS = 1;

/** The API has no classes; the site's own labels of 2026-09-14. Metals are known by name. */
export const SHARES: ReadonlySet<string> = new Set(['TSLA', 'MU', 'SPCX']);
export const CRUDE_OIL = 'CL';

/** A request of 40 days was answered with all 960 prints; what is cut from a longer one, nobody tried. */
export const DAYS_PER_REQUEST = 30;

import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What SoDEX sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://sodex.com/documentation/trading-api/rest-v1
 */

/** The venue's own name of the USDC in which everything is quoted and settled. */
export const QUOTE_COIN = 'vUSDC';
export const QUOTE = 'USDC';

/** 3600 on all of 98 contracts. Whether the rate of another interval would be of an hour is not known: it is refused. */
export const INTERVAL_SECONDS = 3600;
export const INTERVAL_HOURS = 1;

export const STATUSES: Readonly<Record<string, ContractStatus>> = { TRADING: 'trading', HALT: 'halted' };

/** Traditional assets pay half of the rate (`fundingDiscount`). Their names say the kind, but for these. */
export const CLASS_OF_BASE: Readonly<Record<string, AssetClass>> = { CL: 'commodity', USTECH100: 'index' };

/** Of calls, a minute: 1,200 for each address. */
export const WEIGHTS = { list: 2, book: 5 };
export const BOOK_LEVELS = 100;

import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What ApeX Omni sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://api-docs.omni.apex.exchange (version 3)
 */

/**
 * The switches `enableTrade`, `enableDisplay` and `enableOpenPosition`. Live is only what has all three on. What is shown and not
 * traded may come back, so it is halted.
 */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  prelaunch: 'preopen',
  'true true true': 'trading',
  'true true false': 'delisting',
  'true false false': 'delisting',
  'true false true': 'halted',
  'false true true': 'halted',
  'false true false': 'halted',
  'false false true': 'delisted',
  'false false false': 'delisted',
};

/** `category` of traditional contracts; some have none. That of coins is a sector (L1, MEME). */
export const CLASS_OF_CATEGORY: Readonly<Record<string, AssetClass>> = {
  STOCK: 'stock',
  COMMODITY: 'commodity',
  INDEX: 'index',
};

/** Funding is exchanged every hour, and `fundingRate` is that of one hour; no field says so. */
export const INTERVAL_HOURS = 1;

/** More is refused. */
export const HISTORY_PAGE_ROWS = 100;

/** The call gives up to 200 levels. */
export const DEPTH_LEVELS = 100;

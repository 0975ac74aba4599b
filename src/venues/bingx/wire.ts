import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What BingX sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * USDT-M and USDC-M: https://bingx-api.github.io/docs-v3/#/en/Swap/Market%20Data/USDT-M%20Perp%20Futures%20symbols
 * Coin-M: https://bingx-api.github.io/docs-v3/#/en/Coin-M%20Futures/Market%20Data/Contract%20Information
 */

/** 25 bars opening and has neither quotes nor a book; 10 ("accessed") is a step before 1. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  0: 'delisted',
  1: 'trading',
  5: 'preopen',
  10: 'preopen',
  25: 'halted',
  29: 'delisting',
  30: 'delisted',
};

/** Traditional assets are named like `NCSKTSLA2USD` and `NCFXUSD2JPY`; a coin may begin with NC as well. */
export const TRADITIONAL_BASE = /^NC(SK|FX|CO|SI).+2[A-Z]{3}$/;

export const TRADITIONAL_CLASS: Readonly<Record<string, AssetClass>> = {
  SK: 'stock',
  FX: 'forex',
  CO: 'commodity',
  SI: 'index',
};

/** The most settled prints of one reply. */
export const FUNDING_PAGE_ROWS = 1000;

import type { ContractStatus } from '../observations.ts';

/**
 * What Deepcoin sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://www.deepcoin.com/docs/DeepCoinMarket/getBaseInfo and the pages beside it
 */

/** Only `live` has been seen; the other words are OKX's, whose shapes the venue copies. `settlement` is the funding payment. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  live: 'trading',
  settlement: 'trading',
  suspend: 'halted',
  preopen: 'preopen',
};

/** `BTC-USDT-SWAP`. The base is read from it, because `baseCcy` is cut to eight letters (1000CHEE for 1000CHEEMS). */
export const SYMBOL = /^(.+)-([A-Z]+)-SWAP$/;

/** The words of the funding calls for contracts settled in USDT, and in their coin. */
export const FAMILIES = { linear: 'SwapU', inverse: 'Swap' };

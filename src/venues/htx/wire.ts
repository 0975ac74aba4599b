import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What HTX sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * USDT-M: https://huobiapi.github.io/docs/usdt_swap/v1/en/
 * Coin-M: https://huobiapi.github.io/docs/coin_margined_swap/v1/en/
 * The move to API v5 (June to September 2026) left these market calls as they were; v5 gives funding for ten
 * contracts a call at most, these give it for all.
 */

export type Part = 'linear' | 'inverse';

/**
 * `contract_status`. 5 and 7 are the routine settlement, a short phase several times a day that must not look like a
 * halt. 0 is "delisting" in the English documentation and "delisted" in the Chinese original.
 */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  0: 'delisted',
  1: 'trading',
  2: 'preopen',
  3: 'halted',
  4: 'halted',
  5: 'trading',
  6: 'delisting',
  7: 'trading',
  8: 'delisted',
  9: 'halted',
};

/** `tradfi_labels` and, on some contracts, only `labels`, in lower case. A share ETF is labelled Stocks and Indices,
 * JP225 only Stocks, and EURUSD has no label (2026-09-14): their names decide. */
export const LABEL_CLASS: readonly (readonly [label: string, assetClass: AssetClass])[] = [
  ['stocks', 'stock'],
  ['stock', 'stock'],
  ['indices', 'index'],
  ['metals', 'commodity'],
  ['commodities', 'commodity'],
  ['forex', 'forex'],
];

/** The most prints that a page of the settled history holds. */
export const HISTORY_PAGE_ROWS: Readonly<Record<Part, number>> = { linear: 100, inverse: 50 };

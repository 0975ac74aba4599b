import type { AssetClass, ContractStatus } from '../observations.ts';

export const DOCS = 'https://docs.blofin.com/index.html';

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  live: 'trading',
  suspend: 'halted',
};

/** `assetClass` of the list. XAU, XAG and two fuels are filed as Crypto, so a coin's name is looked at too. */
export const CLASS_OF_LABEL: Readonly<Record<string, AssetClass>> = {
  Stocks: 'stock',
  Commodities: 'commodity',
  Indices: 'index',
};

export const HOURS_OF_UNIT: Readonly<Record<string, number>> = { minute: 1 / 60, hour: 1, day: 24 };

/** A larger limit is cut to it without a word. */
export const HISTORY_PAGE_ROWS = 100;
export const DEPTH_LEVELS = 100;

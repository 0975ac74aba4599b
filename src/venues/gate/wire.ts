import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Gate sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://www.gate.com/docs/developers/apiv4/en/#futures
 */

/** Without this header the venue truncates the sizes of contracts that trade in fractions to whole contracts. */
export const DECIMAL_SIZES = { 'X-Gate-Size-Decimal': '1' };

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  prelaunch: 'preopen',
  trading: 'trading',
  suspend: 'halted',
  circuit_breaker: 'halted',
  delisting: 'delisting',
  delisted: 'delisted',
};

/** `contract_type` is empty on coins. */
export const ASSET_CLASS: Readonly<Record<string, AssetClass>> = {
  stocks: 'stock',
  indices: 'index',
  metals: 'commodity',
  commodities: 'commodity',
  forex: 'forex',
};

/** The inverse contract has a multiplier of "0", which means one dollar per contract. */
export const INVERSE_FACE_USD = 1;

export const ARTICLE_HOST = 'https://www.gate.com';

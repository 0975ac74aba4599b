import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Bitget sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * Classic futures (v2) and the unified account (v3), for what the classic list lacks: https://www.bitget.com/docs/catalog
 */

export const SUCCESS_CODE = '00000';

/** The classic words and those of the unified account, which are used side by side. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  listed: 'preopen',
  normal: 'trading',
  online: 'trading',
  restrictedAPI: 'trading',
  maintain: 'halted',
  limit_close: 'halted',
  limit_open: 'delisting',
  off: 'delisted',
  offline: 'delisted',
};

/** `symbolType` of the unified account's list; the classic list has only `isRwa`. */
export const ASSET_CLASS: Readonly<Record<string, AssetClass>> = {
  crypto: 'crypto',
  stock: 'stock',
  metal: 'commodity',
  commodity: 'commodity',
  index: 'index',
  forex: 'forex',
};

/** The kinds of notices about listings. A page has at most ten, so each kind is requested separately. */
export const NOTICE_TYPES = ['coin_listings', 'symbol_delisting'] as const;

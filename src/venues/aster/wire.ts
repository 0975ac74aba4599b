import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Aster sends beyond Binance's shapes, which it copies.
 * https://github.com/asterdex/api-docs/blob/master/V3(Recommended)/EN/aster-finance-futures-api-v3.md
 * Notices: https://github.com/asterdex/api-docs/blob/master/bapi/aster-bapi-en.md
 */

/** A perpetual without a scheduled end carries this far date as `deliveryDate`. */
export const NO_DELIVERY_MS = 4_133_404_800_000;

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  PENDING_TRADING: 'preopen',
  TRADING: 'trading',
  PRE_SETTLE: 'delisting',
  SETTLING: 'delisting',
  CLOSE: 'delisted',
  DELISTED: 'delisted',
};

/** `underlyingType` is COIN on every row; `underlyingSubType` and `channel` have the asset class. */
export const CLASS_OF_SUB_TYPE: Readonly<Record<string, AssetClass>> = {
  INDEX: 'index',
  COMMODITIES: 'commodity',
  STOCK: 'stock',
  ETF: 'stock',
};

export const CLASS_OF_CHANNEL: Readonly<Record<string, AssetClass>> = {
  forex: 'forex',
  nasdaq: 'stock',
  usstock: 'stock',
  hkstock: 'stock',
  krstock: 'stock',
  astock: 'stock',
};

/** `symbolType` of the rows that are not on coins, whatever their tags: 128 of 594 on 2026-09-14, most of them shares. */
export const NOT_A_COIN = 1;

export const NOTICE_OK = '000000';

import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Binance sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * USDⓈ-M: https://developers.binance.com/docs/derivatives/usds-margined-futures
 * COIN-M: https://developers.binance.com/docs/derivatives/coin-margined-futures
 */

/** A perpetual without a scheduled end carries this far date as `deliveryDate`. */
export const NO_DELIVERY_MS = 4_133_404_800_000;

/**
 * By the documentation, fundingInfo lists the contracts whose interval or cap was adjusted and all others settle every 8
 * hours. On 2026-09-13 every trading perpetual was in it (312 at 8 hours), so this applies to none of them.
 */
export const UNADJUSTED_INTERVAL_HOURS = 8;

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  PENDING_TRADING: 'preopen',
  PRE_TRADING: 'preopen',
  TRADING: 'trading',
  TRADING_HALT: 'halted',
  HALT: 'halted',
  BREAK: 'halted',
  CANCEL_ONLY: 'halted',
  PRE_SETTLE: 'delisting',
  SETTLING: 'delisting',
  PRE_DELIVERING: 'delisting',
  DELIVERING: 'delisting',
  DELIVERED: 'delisted',
  CLOSE: 'delisted',
};

/** `contractType` of perpetuals on stocks, commodities and currencies. */
export const TRADITIONAL_TYPE = 'TRADIFI_PERPETUAL';

/** `underlyingType`. PREMARKET is a coin before its launch or, among traditional contracts, a company before its. */
export const ASSET_CLASS: Readonly<Record<string, AssetClass>> = {
  COIN: 'crypto',
  INDEX: 'index',
  EQUITY: 'stock',
  HK_EQUITY: 'stock',
  KR_EQUITY: 'stock',
  CN_EQUITY: 'stock',
  COMMODITY: 'commodity',
  FX: 'forex',
};

import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Bybit sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://bybit-exchange.github.io/docs/v5/market/instrument
 * https://bybit-exchange.github.io/docs/v5/market/tickers
 * https://bybit-exchange.github.io/docs/v5/enum
 */

/** Without `status` the list has only open contracts; pre-market contracts must be requested by status. */
export const PRE_MARKET_STATUS = 'PreLaunch';

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  PreLaunch: 'preopen',
  PendingOpen: 'preopen',
  Trading: 'trading',
  Settling: 'delisting',
  Delivering: 'delisting',
  Closed: 'delisted',
};

/** A pre-market contract goes through auctions and then trades like any other, still as `PreLaunch`. */
export const AUCTION_PHASE: Readonly<Record<string, ContractStatus>> = {
  NotStarted: 'preopen',
  CallAuction: 'preopen',
  CallAuctionNoCancel: 'preopen',
  CrossMatching: 'preopen',
  ContinuousTrading: 'trading',
  Finished: 'delisted',
};

export const OPEN_PHASE = 'ContinuousTrading';

/** `symbolType`; a coin has "" or the name of a zone (innovation, adventure). */
export const ASSET_CLASS: Readonly<Record<string, AssetClass>> = {
  stock: 'stock',
  xstocks: 'stock',
  ETF: 'stock',
  commodity: 'commodity',
  forex: 'forex',
};

/** `symbolType` of the Innovation Zone. */
export const INNOVATION_ZONE = 'innovation';

/**
 * Taker fees in percent of contracts that do not have the usual one, at VIP 0.
 * https://www.bybit.com/en/help-center/article/FAQ-Perpetual-Trading-Innovation-ZoneBybit_Perpetual_Contract_mechanism
 */
export const INNOVATION_TAKER_FEE_PCT = 0.11;
export const PRE_MARKET_TAKER_FEE_PCT = 0.1;

/** The only base with its multiplier after the coin instead of before it. */
export const BASE_ALIASES: Readonly<Record<string, string>> = { SHIB1000: '1000SHIB' };

/** Linear sizes are base units; an inverse contract is 1 USD. */
export const CONTRACT_SIZE = 1;

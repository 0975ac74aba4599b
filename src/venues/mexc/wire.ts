import type { ContractStatus } from '../observations.ts';

/**
 * What MEXC sends, as far as we read it. Every field arrives as `unknown` and is checked in the parsers.
 * REST: https://www.mexc.com/api-docs/futures/market-endpoints/get-contract-info
 * WebSocket: https://www.mexc.com/api-docs/futures/websocket-api/order-book-depth
 */

/** A contract that stops trading usually leaves the list without passing through the later states. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  '0': 'trading',
  '1': 'delisting',
  '2': 'delisted',
  '3': 'delisted',
  '4': 'halted',
};

export const PERPETUAL_FUTURE_TYPE = 1;
/** `type` 2 marks stocks, indices and commodities, although the documentation calls it suspended. */
export const TRADITIONAL_TYPE = 2;

/** `conceptPlate` words after this prefix, in lower case: the venue spells them both ways. */
export const PLATE_PREFIX = 'mc-trade-zone-';
export const COMMODITY_PLATES = [
  'metals',
  'metalsfutures',
  'commodities',
  'oil',
  'energyfutures',
  'agriculturefutures',
];
export const STOCK_PLATES = ['stock', 'preipo', 'tradfi'];

export const DEPTH_CHANNEL = 'depth.full';

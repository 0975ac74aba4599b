import { ownValue } from '../../base/own-value.ts';
import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Extended sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://api.docs.extended.exchange (HTTP and WebSocket)
 */

/** `REDUCE_ONLY` comes before a delisting; `PRELISTED` markets have figures, but nobody can trade yet. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  PRELISTED: 'preopen',
  ACTIVE: 'trading',
  REDUCE_ONLY: 'delisting',
  DISABLED: 'halted',
  DELISTED: 'delisted',
};

/** `subCategory` where `category` is RWA. Gold tokens are of the category Crypto, and their `Commodity` says nothing. */
export const CLASS_OF_LABEL: Readonly<Record<string, AssetClass>> = {
  Equity: 'stock',
  'Pre-market': 'stock',
  'ETF/Index': 'index',
  Commodity: 'commodity',
  FX: 'forex',
};

/** Trading hours in the name of a share: MU_24_5 is Micron, five days a week. */
const SESSION_SUFFIX = /_24_5$/;

/** Own names for what other venues list under another one (`uiName` has them too). SPX is the coin SPX6900. */
const COMMON_NAME: Readonly<Record<string, string>> = {
  SPX500m: 'SPX500',
  TECH100m: 'NAS100',
  XNG: 'NATGAS',
  ANTHROP: 'ANTHROPIC',
};

export function commonNameOf(name: string): string {
  const plain = name.replace(SESSION_SUFFIX, '');
  return ownValue(COMMON_NAME, plain) ?? plain;
}

/** Funding is charged every hour, and `fundingRate` is that of one hour. */
export const INTERVAL_HOURS = 1;

/** Measured on 2026-09-14: a window of 500 days returned 1,000 rows, the newest. */
export const HISTORY_PAGE_ROWS = 1000;

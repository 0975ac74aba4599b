import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Coinbase International Exchange (INTX) sent until its end, as far as we read it. Every field arrives as `unknown`
 * and is checked in parse.ts: https://docs.cdp.coinbase.com/international-exchange/rest-api
 */
export const FEES =
  'https://help.coinbase.com/en/international-exchange/trading-deposits-withdrawals/international-exchange-fees';
export const DOCS = 'https://docs.cdp.coinbase.com/intx/docs';

export const MIGRATION = 'https://docs.deribit.com/articles/intx-api-migration';

/** The quotes of all 131 perpetuals stopped at this time, and every one was PAUSED. The hours before it were funded as usual. */
export const ENDED_AT_MS = Date.UTC(2026, 9, 1, 9, 0, 29);

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  EXTERNAL: 'preopen',
  STANDBY: 'preopen',
  TRADING: 'trading',
  PAUSED: 'halted',
  HALT: 'halted',
  DELISTED: 'delisted',
};

/** The list has no asset class. */
export const CLASS_OF_BASE: Readonly<Record<string, AssetClass>> = { TSLA: 'stock' };

export const PERPETUAL_SUFFIX = '-PERP';
export const NANOSECONDS_PER_HOUR = 3_600e9;
export const HISTORY_PAGE_ROWS = 100;

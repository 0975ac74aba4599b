import type { ContractStatus } from '../observations.ts';

/**
 * What Delta Exchange India sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * https://docs.delta.exchange
 */
export const DOCS = 'https://docs.delta.exchange';

export const PERPETUAL = 'perpetual_futures';

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  upcoming: 'preopen',
  live: 'trading',
  expired: 'delisted',
  settled: 'delisted',
};
/** `trading_status` of a contract that trades; the other words are disruptions, in which only some orders are taken. */
export const OPERATIONAL = 'operational';

/** Percent; a contract with another `taker_commission_rate` has its own fee. */
export const TAKER_FEE_PCT = 0.05;

/** Hourly rows in one call; about 2,000 are the most that the venue gives. */
export const HISTORY_PAGE_HOURS = 1500;

/** Until then funding was exchanged minute by minute, so what the history has before is no settled rate. */
export const FIRST_SETTLEMENT_MS = Date.UTC(2025, 8, 8, 12);

export const DEPTH_LEVELS = 20;

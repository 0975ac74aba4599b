import type { ContractStatus } from '../observations.ts';

/**
 * What Nado sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * HTTP: https://docs.nado.xyz/developer-resources/api/v2/contracts and the pages beside it
 * WebSocket: https://docs.nado.xyz/developer-resources/api/subscriptions/streams
 */

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  live: 'trading',
  post_only: 'halted',
  not_tradable: 'halted',
  soft_reduce_only: 'delisting',
  reduce_only: 'delisting',
};

/** USDT0 is USDT that is locked on Ethereum and minted on Ink: it counts as USDT. */
export const QUOTE_ON_INK = 'USDT0';

/** Shares and funds of the table of price feeds in https://docs.nado.xyz/llms-full.txt; no call has a class. */
export const SHARES: ReadonlySet<string> = new Set(
  (
    'AAPL AMD AMZN AVGO BBX CRCL DELL GOOGL HIMS INTC LLY META MRVL MSFT MSTR MU NBIS NVDA ORCL PENG QQQ SKHY SNDK ' +
    'SPCX SPY TSLA ZHIPU'
  ).split(' '),
);

/** A best ask of the largest number there is means that there is none. */
export const NO_PRICE = '170141183460469231731687303715884105727';

export const HISTORY_PAGE_ROWS = 1000;
export const DEPTH_LEVELS = 100;

import type { ContractStatus } from '../observations.ts';

/** https://api-docs.toobit.com/api/usdt-m-market-data.html */
export const DOCS = 'https://api-docs.toobit.com/api/usdt-m-market-data.html';

/** `ONLINE` is documented as not tradable; the last two forbid to open or to close positions. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  TRADING: 'trading',
  API_TRADE_FORBIDDEN: 'trading',
  ONLINE: 'halted',
  OPEN_FORBIDDEN: 'halted',
  CLOSE_FORBIDDEN: 'halted',
};

/** `endTime` is ignored: the next page is the one below the `fromId` of its last row. */
export const HISTORY_PAGE_ROWS = 1000;

export const DEPTH_LEVELS = 100;

import type { ContractStatus } from '../observations.ts';

/**
 * What Bitunix sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * HTTP: https://www.bitunix.com/api-docs/futures/market/get_funding_rate_batch.html and the pages beside it
 * WebSocket: https://www.bitunix.com/api-docs/futures/websocket/public/depth_channel.html
 */
export const SITE = 'https://www.bitunix.com';

export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  PREVIEW: 'preopen',
  OPEN: 'trading',
  CANCEL_ONLY: 'halted',
  STOP: 'halted',
};

export const HISTORY_PAGE_ROWS = 200;
/** One of 1, 5, 15, 50 and max; max is the whole book, tens of thousands of levels. */
export const DEPTH_LEVELS = 50;
export const TOPICS_PER_SOCKET = 300;
export const TOP_CHANNEL = 'depth_book1';

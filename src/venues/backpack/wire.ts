import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { AssetClass, ContractStatus } from '../observations.ts';

/**
 * What Backpack sends, as far as we read it: https://docs.backpack.exchange (Markets, Streams).
 * Limits: https://support.backpack.exchange/exchange/api-and-developer-docs/faqs
 */

/** `PostOnly` and `CancelOnly` books match nothing; a closed book is that of a delisted market. */
export const CONTRACT_STATUS: Readonly<Record<string, ContractStatus>> = {
  Open: 'trading',
  LimitOnly: 'trading',
  PostOnly: 'halted',
  CancelOnly: 'halted',
  Closed: 'delisted',
};

export const CLASS_OF_RWA: Readonly<Record<string, AssetClass>> = {
  STOCK: 'stock',
  INDEX: 'index',
  COMMODITY: 'commodity',
  FX: 'forex',
};

/** Shares of companies and funds carry the country of their exchange: `NVDA.US`. */
export const EXCHANGE_SUFFIX = /\.US$/;

/** `fundingInterval` is in milliseconds. */
export const INTERVAL_UNIT_MS = HOUR_MS;

/** The rate of an hour that has just ended still changes for up to three minutes. */
export const FINAL_AFTER_MS = 5 * MINUTE_MS;

/** The documentation allows 10,000 rows, but ccxt and others request at most 1,000; nobody has measured more. */
export const FUNDING_PAGE_ROWS = 1000;
/** Rows requested in addition to those of the window: the running hour, and some newer than the window. */
export const SPARE_FUNDING_ROWS = 8;

/** A market that has sent nothing for this long since its subscription is subscribed to again and reported. */
export const SILENT_AFTER_MS = 10 * MINUTE_MS;

export const BOOK_LEVELS = 100;
export const MICROSECONDS_PER_MS = 1000;

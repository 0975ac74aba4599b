import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';

/**
 * What Paradex sends, as far as we read it.
 * https://docs.paradex.trade/api/prod/markets/get-markets and its neighbours.
 * Funding: https://docs.paradex.trade/risk/funding-mechanism
 */

/** Funding accrues continuously; we publish what it comes to in eight hours. */
export const RATE_HOURS = 8;
/** Documented default of the period that a market's funding rate is for. */
export const DEFAULT_PERIOD_HOURS = 8;

/**
 * Funding accrues every second and is never paid on a schedule. We read the funding index, which changes only by what
 * was paid, at 00:00, 08:00 and 16:00 UTC; its change between two of these times is one settled print.
 */
export const PRINT_EVERY_MS = 8 * HOUR_MS;
export const PRINTS_PER_PAGE = 30;
/** The maximum age of the last reading at such a time; the venue writes one every few seconds. */
export const READING_MAX_AGE_MS = MINUTE_MS;

/** Markets that are not coins have a multiplier of one half; the documentation gives all others 1. */
export const TRADFI_FUNDING_MULTIPLIER = 0.5;
export const COMMODITIES: ReadonlySet<string> = new Set([
  'BZ',
  'CL',
  'NG',
  'XAG',
  'XAU',
  'XCU',
  'XPD',
  'XPT',
]);
export const INDICES: ReadonlySet<string> = new Set(['US100', 'US500']);
export const CURRENCIES: ReadonlySet<string> = new Set(['EUR', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD']);

/** Both limits count every call: https://docs.paradex.trade/api/general-information/rate-limits/api and its headers. */
export const BUDGETS: readonly string[] = ['minute', 'second'];

/** Kinds of markets that are not perpetual futures. */
export const OTHER_KIND: Readonly<Record<string, string>> = {
  PERP_OPTION: 'option',
  OPTION: 'option',
  SPOT: 'spot',
  FUTURE: 'dated future',
};

export const BOOK_LEVELS = 50;

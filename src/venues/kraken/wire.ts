/**
 * What Kraken Futures sends, as far as we read it. Every field arrives as `unknown` and is checked in parse.ts.
 * Instruments: https://docs.kraken.com/api-reference/instrument-details/get-instruments
 * Tickers: https://docs.kraken.com/api-reference/market-data/get-tickers
 * Funding: https://docs.kraken.com/api-reference/historical-funding-rates/historical-funding-rates
 */

/** `type` separates linear from inverse. A dated future has the type of its perpetual; the symbol's prefix differs. */
export const LINEAR_TYPE = 'flexible_futures';
export const INVERSE_TYPE = 'futures_inverse';
export const PERPETUAL_SYMBOL = /^P[FI]_/;
export const DATED_SYMBOL = /^F[FI]_/;
/** Tickers of real-time indices and reference rates, which some replies have among the contracts. */
export const INDEX_SYMBOL = /^(in|rr)_/;

/** Kraken's own names of two coins; the list says XBT or BTC, depending on the day. */
export const COIN_ALIASES: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' };

/** Linear contracts pay out in USD unless the account chooses another collateral. */
export const LINEAR_SETTLE = 'USD';

/** No reply has an interval: the contract specifications say that every perpetual settles at the end of each hour. */
export const FUNDING_INTERVAL_HOURS = 1;
/** Before this day funding had other periods and another formula, so older rows are not hourly prints. */
export const HOURLY_FUNDING_SINCE_MS = Date.UTC(2022, 8, 29);

/** Each contract has its own cap (0.5 % and 2 % an hour occur); a rate beyond this is in another unit. */
export const IMPLAUSIBLE_HOURLY_PCT = 4;

/**
 * How far the rate derived from the amount may be from the stated rate. They differ by the move of the price within the
 * hour (0.09 % and 0.73 % of the rate in two recordings of PF_XBTUSD); a wrong unit or sign differs by far more.
 */
export const MAX_AMOUNT_DEVIATION = 0.5;
/** Both figures have few digits on coins of low price, so a deviation of this many percent points says nothing. */
export const NEGLIGIBLE_PCT = 0.0001;

/** A tokenised share is named after its ticker with a small x: `AAPLx`, unlike the coins AVAX and TRX. */
export const SHARE_BASE = /^[A-Z0-9.]+x$/;
export const CURRENCIES: ReadonlySet<string> = new Set(['EUR', 'GBP', 'AUD', 'CHF', 'JPY', 'CAD', 'NZD']);
export const METALS_AND_FUELS: ReadonlySet<string> = new Set(['XAU', 'XAG', 'XPT', 'XPD', 'WTI', 'BRENT']);

/** The order book call has no depth parameter and returns well over a thousand levels a side. */
export const BOOK_LEVELS = 100;

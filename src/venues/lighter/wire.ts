import type { AssetClass } from '../observations.ts';

/**
 * What Lighter sends, as far as we read it. Every call takes a market's number instead of its symbol.
 * https://apidocs.lighter.xyz/reference and https://apidocs.lighter.xyz/docs/websocket-reference
 */

export const CODE_OK = 200;

/** What the contracts of a deployment are quoted and settled in. */
export interface Currency {
  quote: string;
  settle: string;
}
export const USDC: Currency = { quote: 'USDC', settle: 'USDC' };

/** Paid at each full hour: https://docs.lighter.xyz/trading/funding */
export const INTERVAL_HOURS = 1;

/** `funding-rates` gives the rate of eight hours, so that it is comparable with the other venues in the reply. */
export const FUNDING_RATES_HOURS = 8;

/** Margin fractions are in hundredths of a percent: 200 is 2 %, so 50-fold leverage. */
export const MARGIN_FRACTION_UNIT = 10_000;

/**
 * A reply of `fundings` holds at most 750 rows, one an hour. Sources disagree on which end of a longer one is cut, so a
 * request covers fewer hours than a reply can hold.
 */
export const FUNDINGS_MAX_ROWS = 750;
export const FUNDINGS_HOURS_PER_REQUEST = 500;

export const BOOK_ORDERS = 250;

/** Categories of real-world assets in `tokenlist`, the decisive ones first. */
export const CLASS_OF_CATEGORY: readonly (readonly [category: string, assetClass: AssetClass])[] = [
  ['FX', 'forex'],
  ['STOCK', 'stock'],
  ['ETF', 'stock'],
  ['PRE_IPO', 'stock'],
  ['KRW', 'forex'],
  ['COMMODITIES', 'commodity'],
  ['BONDS', 'index'],
  ['COMPUTE', 'index'],
];

/** An address may send 200 messages a minute and have 50 unanswered; a reconnection within the minute must fit too. */
export const SUBSCRIPTIONS_PER_MINUTE = 90;
export const UNANSWERED_SUBSCRIPTIONS = 30;
/** One connection may hold 500 subscriptions; the venue has numbers for 255 perpetuals. */
export const MARKETS_PER_SOCKET = 400;

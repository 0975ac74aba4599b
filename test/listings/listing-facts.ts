/**
 * What a venue's simulator publishes about listings and delistings. `src/engines/listings/watch.long.test.ts` derives the
 * expected calendar from it, and scripts/listings-doc.ts the notices in docs/listings.md.
 */
export interface ListingFacts {
  /** The instrument list includes contracts before they open. */
  listsBeforeOpening: boolean;
  listingTime: 'exact' | 'day' | 'none';
  /** Before the end the list states its time, only marks the contract, or does neither. */
  ending: 'time' | 'mark' | 'none';
  notices: 'none' | 'titles' | 'texts';
  /** How long the venue shows a notice. */
  noticeDays: number;
}

const facts = (
  listsBeforeOpening: boolean,
  listingTime: ListingFacts['listingTime'],
  ending: ListingFacts['ending'],
  notices: ListingFacts['notices'],
  noticeDays = 60,
): ListingFacts => ({ listsBeforeOpening, listingTime, ending, notices, noticeDays });

/** By the venue's slug. */
export const LISTING_FACTS: Readonly<Record<string, ListingFacts>> = {
  aster: facts(true, 'exact', 'time', 'texts'),
  backpack: facts(true, 'exact', 'none', 'none'),
  binance: facts(true, 'exact', 'time', 'none'),
  bingx: facts(true, 'exact', 'time', 'none'),
  bitget: facts(true, 'exact', 'time', 'texts', 30),
  bybit: facts(true, 'exact', 'time', 'texts'),
  coinex: facts(false, 'none', 'time', 'none'),
  deribit: facts(true, 'exact', 'time', 'texts'),
  dydx: facts(true, 'none', 'none', 'none'),
  edgex: facts(false, 'none', 'mark', 'none'),
  extended: facts(true, 'none', 'mark', 'none'),
  gate: facts(true, 'exact', 'time', 'texts'),
  grvt: facts(false, 'none', 'none', 'none'),
  htx: facts(true, 'day', 'time', 'none'),
  hyperliquid: facts(false, 'none', 'none', 'none'),
  kraken: facts(true, 'exact', 'none', 'none'),
  blofin: facts(false, 'exact', 'time', 'none'),
  xt: facts(false, 'exact', 'none', 'none'),
  kucoin: facts(true, 'exact', 'time', 'texts', 30),
  lighter: facts(true, 'exact', 'mark', 'texts', 30),
  mexc: facts(true, 'exact', 'none', 'titles'),
  nado: facts(false, 'none', 'mark', 'none'),
  okx: facts(true, 'exact', 'time', 'titles'),
  orderly: facts(false, 'exact', 'none', 'none'),
  pacifica: facts(false, 'exact', 'none', 'none'),
  paradex: facts(true, 'exact', 'none', 'texts', 30),
  toobit: facts(false, 'exact', 'none', 'none'),
  phemex: facts(true, 'exact', 'time', 'none'),
  whitebit: facts(false, 'none', 'time', 'none'),
  pionex: facts(false, 'none', 'none', 'none'),
  btse: facts(false, 'none', 'none', 'none'),
  weex: facts(false, 'none', 'none', 'none'),
  bitunix: facts(true, 'none', 'none', 'none'),
  coinbaseintl: facts(true, 'none', 'none', 'none'),
  woox: facts(true, 'none', 'none', 'none'),
};

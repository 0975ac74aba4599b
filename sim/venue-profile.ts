import type { SimCoin } from './coins.ts';

/** What a venue publishes about listings and delistings; the tests derive the expected calendar from it. */
export interface ListingFacts {
  /** The instrument list includes contracts before they open. */
  isListedBeforeOpening?: boolean;
  /** `none` if not given. */
  listingTime?: 'exact' | 'day' | 'none';
  /** Before the end the list states its time, only marks the contract, or does neither (`none`, if not given). */
  ending?: 'time' | 'mark' | 'none';
  notices?: 'none' | 'titles' | 'texts';
  /** How long the venue shows a notice; 60 if not given. */
  noticeDays?: number;
}

/** How a venue builds its contracts; each encoder in sim/venues has one. */
export interface VenueProfile {
  slug: string;
  listings?: ListingFacts;
  exchange: string;
  /** Quotes of linear contracts; the first is listed for every coin, the others for the liquid ones. */
  quotes: readonly string[];
  /** What linear contracts settle in, when it is not the quote (a USD quote settled in USDC). */
  settleOf?: (quote: string) => string;
  /** Quote of inverse contracts on the majors; null when the venue has none. */
  inverseQuote: string | null;
  /** Which of the majors have an inverse contract; all of them if not given. */
  inverseTickers?: readonly string[];
  inverseFaceUsd: (ticker: string) => number;
  /** Linear contracts quoted in a coin, as base and quote: ETH, BTC. None if not given. */
  crossPairs?: readonly (readonly [base: string, quote: string])[];
  /** Settlement intervals in hours that occur at the venue. */
  intervals: readonly number[];
  /** Some contracts settle this many hours off the grid from midnight, by their interval; none if not given. */
  offGridHours?: Readonly<Record<number, number>>;
  /** One contract in so many is off the grid; nine if not given. */
  offGridOneIn?: number;
  /** How long after a settlement the old estimate and then the charged rate are shown beside the next time. */
  afterSettlement?: { estimateSeconds: number; chargedSeconds: number };
  /** Some books of thin contracts stand still for minutes, and the stream sends only changes. */
  hasQuietBooks?: true;
  /** When the venue ended for good. It goes on listing its contracts, without books, and writing prints. */
  endedAtMs?: number;
  /** Largest funding rate of one settlement, as a fraction. */
  rateCap: number;
  /** The cap of contracts on these coins, where it is another one. */
  rateCaps?: Readonly<Record<string, number>>;
  /** Share of the coins that the venue lists. */
  coverage: number;
  /** Share of the shares, indices, goods and currencies; none if not given. */
  traditionalCoverage?: number;
  /** `PEPE`, 1000 -> `1000PEPE` or `kPEPE`; null when the venue trades the coin itself. */
  multipliedBase: ((ticker: string, multiplier: number) => string) | null;
  /** Base units in one contract of a linear market. 1 where quantities are plain base amounts. */
  contractSize: (coin: SimCoin, multiplier: number) => number;
  /** Decimals of a quantity: 0 where the venue counts whole contracts. */
  sizeDecimals: (coin: SimCoin, multiplier: number) => number;
  venueSymbol: (parts: {
    base: string;
    coin: SimCoin;
    quote: string;
    settle: string;
    isInverse: boolean;
  }) => string;
}

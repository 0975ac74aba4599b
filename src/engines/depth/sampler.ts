import { PRICE_COLUMNS, SIZES_USD } from '../../history/samples/model.ts';
import type { ContractNames } from '../../history/samples/store.ts';
import { type BookSide, fillPrice, isTradable, isTradableBook } from '../../market/depth/fill-price.ts';
import type { Identity } from '../../market/identity.ts';
import { type QuotedMid, usdtPerQuote } from '../../market/quote-conversion.ts';
import { type BookTop, type Depth, ownFee } from '../../venues/observations.ts';

/** One linear contract when it is sampled. The caller leaves out stale tops and books. */
export interface SampledLeg {
  /** `exchange/venueSymbol`. */
  key: string;
  exchange: string;
  venueSymbol: string;
  quote: string;
  /** In percent, where it is not the venue's usual one. */
  takerFeePct?: number;
  top: BookTop | null;
  depth: Depth | null;
  volume24hUsdt: number;
  /** The feed of the venue is late in this minute: the leg has neither top nor book. */
  isLate?: boolean;
}

/** How a contract was priced: from its top, from its book, for some sizes only, or not at all. */
export type SampleOutcome = 'top' | 'book' | 'partial' | 'unpriced' | 'outlier' | 'late';

export interface PricedLeg extends ContractNames {
  /** PRICE_COLUMNS in single precision; NaN where the size cannot be filled. */
  prices: Float32Array;
  volumeUsdt: number;
}

export interface DepthSample {
  priced: PricedLeg[];
  outcomes: Map<string, Map<SampleOutcome, number>>;
}

const LARGEST_USD = SIZES_USD[SIZES_USD.length - 1] as number;

/** Prices every contract at every size. Keeps the last known USDT price of each quote. */
export class DepthSampler {
  #usdtPerQuote: ReadonlyMap<string, number> = new Map();

  /** Updates the USDT price of each quote. */
  updateQuotes(legs: readonly SampledLeg[], identities: ReadonlyMap<string, Identity>): void {
    this.#usdtPerQuote = usdtPerQuote(quotedMids(legs, identities), this.#usdtPerQuote);
  }

  sample(legs: readonly SampledLeg[], identities: ReadonlyMap<string, Identity>): DepthSample {
    const priced: PricedLeg[] = [];
    const outcomes = new Map<string, Map<SampleOutcome, number>>();
    for (const leg of legs) {
      const identity = identities.get(leg.key);
      const usdt = this.#usdtPerQuote.get(leg.quote);
      const isOutlier = identity?.isPriceOutlier ?? false;
      const fills = isOutlier || !identity || usdt === undefined ? null : fillsOf(leg, usdt);
      if (fills && identity && usdt !== undefined) {
        priced.push({
          exchange: leg.exchange,
          venueSymbol: leg.venueSymbol,
          coin: identity.coin,
          quote: leg.quote,
          ...ownFee(leg),
          prices: Float32Array.from(fills.prices, (price) => (price * usdt) / identity.multiplier),
          volumeUsdt: leg.volume24hUsdt,
        });
      }
      const outcome = leg.isLate ? 'late' : isOutlier ? 'outlier' : (fills?.outcome ?? 'unpriced');
      const ofVenue = outcomes.get(leg.exchange) ?? new Map<SampleOutcome, number>();
      outcomes.set(leg.exchange, ofVenue);
      ofVenue.set(outcome, (ofVenue.get(outcome) ?? 0) + 1);
    }
    return { priced, outcomes };
  }
}

/** Whether the top is too small to price the largest order, so that the book is needed. */
export function needsBook({ top }: Pick<SampledLeg, 'top'>): boolean {
  if (!top || !isTradable(top.bidPrice, top.askPrice)) return true;
  return !holds(top.askPrice, top.askSize) || !holds(top.bidPrice, top.bidSize);
}

/** Counts every quote as one dollar: a few basis points do not matter for deciding which books to fetch. */
function holds(price: number, size: number | null): boolean {
  return size !== null && price * size >= LARGEST_USD;
}

/** Fill prices in quote units of the contract's own base; null when no size can be filled on any side. */
function fillsOf(
  { top, depth }: SampledLeg,
  usdtPerUnit: number,
): { prices: Float64Array; outcome: SampleOutcome } | null {
  const goodTop = top && isTradable(top.bidPrice, top.askPrice) ? top : null;
  const book = depth && isTradableBook(depth) ? depth : null;
  const prices = new Float64Array(PRICE_COLUMNS).fill(Number.NaN);
  let filled = 0;
  let isFromBook = false;
  for (let column = 0; column < PRICE_COLUMNS; column++) {
    const isBuy = column < SIZES_USD.length;
    const value = (SIZES_USD[column % SIZES_USD.length] as number) / usdtPerUnit;
    const atTop = goodTop && fillPrice(topSide(goodTop, isBuy), value, isBuy);
    const price = atTop ?? (book && fillPrice(isBuy ? book.asks : book.bids, value, isBuy));
    if (price === null) continue;
    prices[column] = price;
    filled++;
    isFromBook ||= atTop === null;
  }
  if (filled === 0) return null;
  return { prices, outcome: filled < PRICE_COLUMNS ? 'partial' : isFromBook ? 'book' : 'top' };
}

function topSide({ bidPrice, bidSize, askPrice, askSize }: BookTop, isBuy: boolean): BookSide {
  const size = isBuy ? askSize : bidSize;
  return size === null ? [] : [[isBuy ? askPrice : bidPrice, size]];
}

function* quotedMids(
  legs: readonly SampledLeg[],
  identities: ReadonlyMap<string, Identity>,
): Iterable<QuotedMid> {
  for (const { key, exchange, quote, top, depth } of legs) {
    const identity = identities.get(key);
    const mid = midOf(top, depth);
    if (!identity || identity.isPriceOutlier || mid === null) continue;
    yield { exchange, coin: identity.coin, quote, mid: mid / identity.multiplier };
  }
}

/** The mid price in quote units of the contract's own base. */
export function midOf(top: BookTop | null, depth: Depth | null): number | null {
  if (top && isTradable(top.bidPrice, top.askPrice)) return (top.bidPrice + top.askPrice) / 2;
  const [bid, ask] = [depth?.bids[0], depth?.asks[0]];
  return bid && ask && isTradable(bid[0], ask[0]) ? (bid[0] + ask[0]) / 2 : null;
}

import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { ContractState } from '../../market/contract-state.ts';
import { sameTop } from '../../market/moved.ts';
import { BULK_ROWS } from '../../market/repetition.ts';
import type { Batch, BookTop } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';

/** An older price is in no sample, so the prices of two contracts in one minute are at most this far apart. */
export const PRICE_MAX_AGE_MS = 30 * SECOND_MS;
/** Contracts without a quote for this long say nothing about the feed: their books may be empty. */
const QUOTED_WITHIN_MS = 5 * MINUTE_MS;
const LATE_SHARE = 0.5;

interface Quote {
  top: BookTop;
  /** Monotonic, as all times here. */
  atMs: number;
  isStreamed: boolean;
}

interface Feed {
  readonly quotes: Map<string, Quote>;
  streamMovedAtMs: number;
}

/**
 * How old the quotes really are. A frozen venue and a stale cache repeat old quotes, so a reply that equals the one before
 * in every row does not make its quotes newer, nor does a stream of which no quote changes.
 */
export class QuoteAges {
  readonly #clock: Clock;
  readonly #feeds = new Map<string, Feed>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(venue: Venue, batch: Batch, receivedAtMs: number): void {
    const { bookTops } = batch;
    if (bookTops.length === 0) return;
    const isStreamed = batch.isStreamed === true;
    const feed = this.#feedOf(venue);
    const atMs = this.#clock.monotonicMs() - Math.max(0, this.#clock.nowMs() - receivedAtMs);
    const hasMoved = bookTops.some((top) => {
      const known = feed.quotes.get(top.venueSymbol);
      return !known || !sameTop(known.top, top);
    });
    if (isStreamed && hasMoved) feed.streamMovedAtMs = atMs;
    if (!isStreamed && !hasMoved && bookTops.length >= BULK_ROWS) return;
    for (const top of bookTops) feed.quotes.set(top.venueSymbol, { top, atMs, isStreamed });
  }

  /** Infinity if there is no quote. */
  ageMs({ venue, contract, topAtMs }: ContractState): number {
    const feed = this.#feedOf(venue);
    const quote = feed.quotes.get(contract.venueSymbol);
    if (!quote) return Number.POSITIVE_INFINITY;
    const provenAtMs = quote.isStreamed ? Math.min(quote.atMs, feed.streamMovedAtMs) : quote.atMs;
    // An impossible quote does not replace the one before, which then keeps its time.
    return Math.max(this.#clock.monotonicMs() - provenAtMs, this.#clock.nowMs() - topAtMs);
  }

  /** Venues whose feed is late: most of the contracts that were quoted in the last minutes have no recent quote. */
  lateVenues(states: readonly ContractState[]): ReadonlySet<Venue> {
    const counts = new Map<Venue, { quoted: number; old: number }>();
    for (const state of states) {
      const count = counts.get(state.venue) ?? { quoted: 0, old: 0 };
      counts.set(state.venue, count);
      const ageMs = this.ageMs(state);
      if (ageMs <= QUOTED_WITHIN_MS) count.quoted++;
      if (ageMs <= QUOTED_WITHIN_MS && ageMs > PRICE_MAX_AGE_MS) count.old++;
    }
    const late = [...counts].filter(([, { quoted, old }]) => quoted === 0 || old > quoted * LATE_SHARE);
    return new Set(late.map(([venue]) => venue));
  }
  #feedOf({ slug }: Venue): Feed {
    let feed = this.#feeds.get(slug);
    if (!feed) {
      feed = { quotes: new Map(), streamMovedAtMs: 0 };
      this.#feeds.set(slug, feed);
    }
    return feed;
  }
}

import { linkedAbort } from '../../base/async/linked-abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Metrics } from '../../base/metrics.ts';
import { PRIORITY } from '../../base/request-budget.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { ContractState } from '../../market/contract-state.ts';
import type { DatedCurve } from '../../market/depth/book-curve.ts';
import type { Collector } from '../../venues/collecting/collector.ts';
import type { Batch, Depth } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import { EARLY_MS, FetchPeriods } from './fetch-periods.ts';
import { BOOK_MAX_AGE_MS, KnownBook } from './known-book.ts';
import { needsBook } from './sampler.ts';

interface BookFetcherOptions {
  collectors: readonly Collector[];
  clock: Clock;
  metrics: Metrics;
}

/** Which books to fetch, and how. */
interface FetchKind {
  isSpread?: boolean;
  /** No sample follows: only what is due for the curves, without the contracts that the next sample needs. */
  isForCurves?: boolean;
}

interface Wanted {
  state: ContractState;
  /** Its book has been fetched before, and is due again. */
  isLate: boolean;
}

const CALLS_AT_ONCE = 4;
const GIVE_UP_AFTER = 5;
const STARTING_PART = 1 / 3;
/** A streamed book of at most this age needs no call; an older one may mean that the stream has stopped. */
const STREAMED_WITHIN_MS = 10_000;

/** The newest order book of each contract. Fetches them at the lowest priority of the venues' request budgets. */
export class BookFetcher {
  readonly #options: BookFetcherOptions;
  readonly #books = new Map<string, KnownBook>();
  readonly #periods = new FetchPeriods();
  readonly #stopping = new AbortController();

  constructor(options: BookFetcherOptions) {
    this.#options = options;
  }

  /** Takes the books of a stream. */
  take(venue: Venue, { depths }: Batch, receivedAtMs: number): void {
    for (const depth of depths) {
      const key = `${venue.facts.exchange}/${depth.venueSymbol}`;
      this.#books.set(key, KnownBook.received(depth, receivedAtMs, true));
    }
  }

  /** Takes the curves that another process has stored, where they are newer. */
  recall(curves: ReadonlyMap<string, DatedCurve>, nowMs: number): void {
    for (const [key, stored] of curves) {
      const isNewer = stored.atMs > (this.#books.get(key)?.atMs ?? Number.NEGATIVE_INFINITY);
      if (isNewer && stored.atMs <= nowMs) this.#books.set(key, KnownBook.stored(stored));
    }
  }

  /** The best levels of a contract, from a stream or a call; null if there is no book of at most this age. */
  bookOf(key: string, nowMs: number, withinMs: number): Depth | null {
    const known = this.#books.get(key);
    return known && nowMs - known.atMs <= withinMs ? known.topLevels : null;
  }

  /** The curve of the newest valid book of every contract. The map is a copy, so it stays as of that time. */
  curvesAt(nowMs: number): ReadonlyMap<string, DatedCurve> {
    const curves = new Map<string, DatedCurve>();
    for (const [key, known] of this.#books) {
      if (nowMs - known.atMs > BOOK_MAX_AGE_MS) this.#books.delete(key);
      else if (known.curve) {
        curves.set(key, { curve: known.curve, atMs: known.atMs, periodMs: this.#periodMsOf(key, known) });
      }
    }
    return curves;
  }

  #periodMsOf(key: string, { isStreamed, storedPeriodMs }: KnownBook): number {
    if (isStreamed) return MINUTE_MS;
    const plannedMs = this.#periods.periodMsOf(key);
    return Number.isNaN(plannedMs) && storedPeriodMs !== null ? storedPeriodMs : plannedMs;
  }

  /** The machine's clock was set. */
  shiftTimes(byMs: number): void {
    for (const known of this.#books.values()) known.atMs += byMs;
  }

  /**
   * Fetches the books that are due, and before a sample those that it needs, until the given time. If it is spread, venues
   * begin one after the other within the first third of the time, those with most books first: a thousand replies at
   * once take a second, in which no other reply is read.
   */
  async fetch(states: readonly ContractState[], untilMs: number, given: FetchKind = {}): Promise<void> {
    const { clock, collectors } = this.#options;
    // A call that starts late is aborted at once, which closes its connection.
    if (untilMs <= clock.nowMs()) return;
    const timeUp = linkedAbort(this.#stopping.signal);
    const finished = new AbortController();
    void clock.sleep(untilMs - clock.nowMs(), finished.signal).then(() => timeUp.abort());
    const byVenue = Map.groupBy(states, ({ venue }) => venue);
    const queues = collectors
      .map((collector) => ({ collector, queue: this.#queueOf(byVenue.get(collector.venue) ?? [], given) }))
      .filter(({ queue }) => queue.length > 0)
      .sort((a, b) => b.queue.length - a.queue.length);
    const pauseMs = given.isSpread ? ((untilMs - clock.nowMs()) * STARTING_PART) / queues.length : 0;
    const fetching: Promise<void>[] = [];
    for (const { collector, queue } of queues) {
      if (fetching.length > 0) await clock.sleep(pauseMs, timeUp.signal);
      fetching.push(this.#fetchVenue(collector, queue, timeUp.signal));
    }
    await Promise.all(fetching);
    finished.abort();
    timeUp.release();
  }

  stop(): void {
    this.#stopping.abort();
  }

  /**
   * The contracts of one venue to fetch, in this order: those whose book is due, by how far it is overdue, then those
   * whose top is too small for the sample, the most traded first.
   */
  #queueOf(states: readonly ContractState[], { isForCurves }: FetchKind): Wanted[] {
    const nowMs = this.#options.clock.nowMs();
    const byVolume = states.toSorted((a, b) => (b.volume24hUsdt ?? 0) - (a.volume24hUsdt ?? 0));
    this.#periods.plan(byVolume);
    const due: (Wanted & { ratio: number })[] = [];
    const forSample: Wanted[] = [];
    for (const state of byVolume) {
      const known = this.#books.get(state.key);
      const ageMs = known ? nowMs - known.atMs : Number.POSITIVE_INFINITY;
      if (known?.isStreamed && ageMs <= STREAMED_WITHIN_MS) continue;
      const isNeeded = needsBook(state);
      // Before a sample they are fetched for both.
      if (isForCurves && isNeeded) continue;
      const periodMs = this.#periods.periodMsOf(state.key);
      // Books of before a restart are due because of it, not because the budget is too small.
      const isLate = known !== undefined && known.storedPeriodMs === null;
      if (ageMs >= periodMs - EARLY_MS) due.push({ state, isLate, ratio: ageMs / periodMs });
      else if (isNeeded) forSample.push({ state, isLate: false });
    }
    return [...due.sort((a, b) => (a.ratio === b.ratio ? 0 : b.ratio - a.ratio)), ...forSample];
  }

  async #fetchVenue(collector: Collector, queue: Wanted[], signal: AbortSignal): Promise<void> {
    const { clock, metrics } = this.#options;
    const { depth: call, facts } = collector.venue;
    if (!call) return;
    const { exchange } = facts;
    let failuresInARow = 0;
    const worker = async () => {
      for (let next = queue[0]; next && !signal.aborted; next = queue[0]) {
        if (failuresInARow >= GIVE_UP_AFTER) return;
        queue.shift();
        const { state } = next;
        const send = collector.caller.sender(PRIORITY.depth, signal);
        let heldMs = 0;
        try {
          const depth = await call(state.contract, {
            send: async (request) => {
              const reply = await send(request);
              heldMs = Math.max(heldMs, reply.ageMs);
              return reply;
            },
            contracts: collector.contracts,
          });
          // A book that a cache has held is as old as the cache says.
          this.#books.set(state.key, KnownBook.received(depth, clock.nowMs() - heldMs, false));
          failuresInARow = 0;
          metrics.depthBooks.inc({ exchange, outcome: 'good' });
        } catch {
          // Running out of time is no failure. A venue that fails loses only its own samples of this minute.
          if (signal.aborted) {
            queue.push(next);
            return;
          }
          failuresInARow++;
          metrics.depthBooks.inc({ exchange, outcome: 'failed' });
        }
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
    if (failuresInARow === 0) this.#periods.adapt(exchange, !queue.some(({ isLate }) => isLate));
  }
}

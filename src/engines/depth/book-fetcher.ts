import { linkedAbort } from '../../base/async/linked-abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Metrics } from '../../base/metrics.ts';
import { PRIORITY } from '../../base/request-budget.ts';
import type { ContractState } from '../../market/contract-state.ts';
import type { Collector } from '../../venues/collecting/collector.ts';
import type { Batch, Depth } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import { needsBook } from './sampler.ts';

interface BookFetcherOptions {
  collectors: readonly Collector[];
  clock: Clock;
  metrics: Metrics;
  /** Older books are forgotten. */
  maxAgeMs: number;
}

interface KnownBook {
  depth: Depth;
  atMs: number;
  isStreamed: boolean;
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
  readonly #stopping = new AbortController();

  constructor(options: BookFetcherOptions) {
    this.#options = options;
  }

  /** Takes the books of a stream. */
  take(venue: Venue, { depths }: Batch, receivedAtMs: number): void {
    for (const depth of depths) {
      const key = `${venue.facts.exchange}/${depth.venueSymbol}`;
      this.#books.set(key, { depth, atMs: receivedAtMs, isStreamed: true });
    }
  }

  /** The newest book of a contract, from a stream or a call; null if there is none of at most this age. */
  bookOf(key: string, nowMs: number, withinMs: number): Depth | null {
    const known = this.#books.get(key);
    if (known && nowMs - known.atMs > this.#options.maxAgeMs) this.#books.delete(key);
    return known && nowMs - known.atMs <= withinMs ? known.depth : null;
  }

  /** The newest book of every contract that is not too old, by contract key. The map is a copy, so it stays as of that time. */
  depthsAt(nowMs: number): ReadonlyMap<string, Depth> {
    const depths = new Map<string, Depth>();
    for (const [key, { depth, atMs }] of this.#books)
      if (nowMs - atMs <= this.#options.maxAgeMs) depths.set(key, depth);
    return depths;
  }

  /**
   * Fetches the missing books of every venue, the most traded contracts first, until the given time. If it is spread,
   * venues begin one after the other within the first third of the time, those with most books first: a thousand replies
   * at once take a second, in which no other reply is read.
   */
  async fetch(states: readonly ContractState[], untilMs: number, isSpread = false): Promise<void> {
    const { clock, collectors } = this.#options;
    // A call that starts late is aborted at once, which closes its connection.
    if (untilMs <= clock.nowMs()) return;
    const timeUp = linkedAbort(this.#stopping.signal);
    const finished = new AbortController();
    void clock.sleep(untilMs - clock.nowMs(), finished.signal).then(() => timeUp.abort());
    const wanted = states.filter((state) => needsBook(state) && !this.#isStreaming(state.key));
    const queues = collectors
      .map((collector) => ({ collector, queue: wanted.filter((state) => state.venue === collector.venue) }))
      .filter(({ queue }) => queue.length > 0)
      .sort((a, b) => b.queue.length - a.queue.length);
    const pauseMs = isSpread ? ((untilMs - clock.nowMs()) * STARTING_PART) / queues.length : 0;
    const fetching: Promise<void>[] = [];
    for (const { collector, queue } of queues) {
      if (fetching.length > 0) await clock.sleep(pauseMs, timeUp.signal);
      queue.sort((a, b) => (b.volume24hUsdt ?? 0) - (a.volume24hUsdt ?? 0));
      fetching.push(this.#fetchVenue(collector, queue, timeUp.signal));
    }
    await Promise.all(fetching);
    finished.abort();
    timeUp.release();
  }

  stop(): void {
    this.#stopping.abort();
  }

  #isStreaming(key: string): boolean {
    const known = this.#books.get(key);
    return known?.isStreamed === true && this.#options.clock.nowMs() - known.atMs <= STREAMED_WITHIN_MS;
  }

  async #fetchVenue(collector: Collector, queue: ContractState[], signal: AbortSignal): Promise<void> {
    const { clock, metrics } = this.#options;
    const { depth: call, facts } = collector.venue;
    if (!call) return;
    const { exchange } = facts;
    let failuresInARow = 0;
    const worker = async () => {
      for (let state = queue.shift(); state && !signal.aborted; state = queue.shift()) {
        if (failuresInARow >= GIVE_UP_AFTER) return;
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
          this.#books.set(state.key, { depth, atMs: clock.nowMs() - heldMs, isStreamed: false });
          failuresInARow = 0;
          metrics.depthBooks.inc({ exchange, outcome: 'good' });
        } catch {
          // Running out of time is no failure. A venue that fails loses only its own samples of this minute.
          if (signal.aborted) return;
          failuresInARow++;
          metrics.depthBooks.inc({ exchange, outcome: 'failed' });
        }
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
  }
}

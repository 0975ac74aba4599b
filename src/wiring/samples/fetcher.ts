import { linkedAbort } from '../../base/async/linked-abort.ts';
import { nextTurn } from '../../base/async/next-turn.ts';
import { PRIORITY } from '../../base/request-budget.ts';
import { needsBook } from '../../engines/depth/sampler.ts';
import type { ContractState } from '../../market/contract-state.ts';
import type { Collector } from '../../venues/collecting/collector.ts';
import type { Depth } from '../../venues/observations.ts';
import type { PartContext } from '../part.ts';

export interface BookFetcher {
  /** The newest book of a contract, from a stream or a call; null if there is none of at most this age. */
  bookOf(key: string, nowMs: number, withinMs: number): Depth | null;
  /** The newest book of every contract that is not too old, by contract key. The map is a copy, so it stays as of that time. */
  depthsAt(nowMs: number): ReadonlyMap<string, Depth>;
  /**
   * Fetches the missing books of every venue, the most traded contracts first, until the given time. If it is spread, venues
   * begin one after the other within the first third of the time, those with most books first: a thousand books at once
   * are a second in which requests wait.
   */
  fetch(states: readonly ContractState[], untilMs: number, isSpread?: boolean): Promise<void>;
  stop(): void;
}

const CALLS_AT_ONCE = 4;
const GIVE_UP_AFTER = 5;
const STARTING_PART = 1 / 3;
/** A streamed book of at most this age needs no call; an older one may mean that the stream has stopped. */
const STREAMED_WITHIN_MS = 10_000;

/** Fetches order books at the lowest priority of the venues' request budgets. */
export function bookFetcher(context: PartContext, maxAgeMs: number): BookFetcher {
  const { clock, collectors, metrics } = context;
  const books = new Map<string, { depth: Depth; atMs: number; isStreamed: boolean }>();
  const stopping = new AbortController();

  context.observe((venue, batch, receivedAtMs) => {
    for (const depth of batch.depths)
      books.set(`${venue.facts.exchange}/${depth.venueSymbol}`, {
        depth,
        atMs: receivedAtMs,
        isStreamed: true,
      });
  });
  const isStreaming = (key: string) => {
    const known = books.get(key);
    return known?.isStreamed === true && clock.nowMs() - known.atMs <= STREAMED_WITHIN_MS;
  };

  const fetchVenue = async (collector: Collector, queue: ContractState[], signal: AbortSignal) => {
    const { depth: call } = collector.venue;
    if (!call) return;
    let failuresInARow = 0;
    const worker = async () => {
      for (let state = queue.shift(); state && !signal.aborted; state = queue.shift()) {
        if (failuresInARow >= GIVE_UP_AFTER) return;
        const exchange = collector.venue.facts.exchange;
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
          books.set(state.key, { depth, atMs: clock.nowMs() - heldMs, isStreamed: false });
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
  };

  return {
    bookOf: (key, nowMs, withinMs) => {
      const known = books.get(key);
      if (known && nowMs - known.atMs > maxAgeMs) books.delete(key);
      return known && nowMs - known.atMs <= withinMs ? known.depth : null;
    },
    depthsAt: (nowMs) => {
      const depths = new Map<string, Depth>();
      for (const [key, { depth, atMs }] of books) if (nowMs - atMs <= maxAgeMs) depths.set(key, depth);
      return depths;
    },
    fetch: async (states, untilMs, isSpread = false) => {
      // A call that starts late is aborted at once, which closes its connection.
      if (untilMs <= clock.nowMs()) return;
      const timeUp = linkedAbort(stopping.signal);
      const finished = new AbortController();
      void clock.sleep(untilMs - clock.nowMs(), finished.signal).then(() => timeUp.abort());
      const wanted = states.filter((state) => needsBook(state) && !isStreaming(state.key));
      const queues = collectors
        .map((collector) => ({ collector, queue: wanted.filter((state) => state.venue === collector.venue) }))
        .filter(({ queue }) => queue.length > 0)
        .sort((a, b) => b.queue.length - a.queue.length);
      const pauseMs = isSpread ? ((untilMs - clock.nowMs()) * STARTING_PART) / queues.length : 0;
      const fetching: Promise<void>[] = [];
      for (const { collector, queue } of queues) {
        if (fetching.length > 0) await clock.sleep(pauseMs, timeUp.signal);
        // Starting the calls of all venues takes too long for one turn.
        if (fetching.length > 0) await nextTurn();
        queue.sort((a, b) => (b.volume24hUsdt ?? 0) - (a.volume24hUsdt ?? 0));
        fetching.push(fetchVenue(collector, queue, timeUp.signal));
      }
      await Promise.all(fetching);
      finished.abort();
      timeUp.release();
    },
    stop: () => stopping.abort(),
  };
}

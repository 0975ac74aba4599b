import type { Batch } from './observations.ts';
import { type BookTop, type Contract, emptyBatch, isLive } from './observations.ts';
import { type Row, rowOf } from './reading.ts';
import { type ParseContext, type Stream, TOP_TOPICS } from './venue.ts';

const REPEAT_EVERY_MS = 15_000;

type TopStreamDefault = 'name' | 'gives' | 'host' | 'applies' | 'silenceSeconds';

/** A stream of best bids and asks of live contracts on the host `ws`, unless `stream` says otherwise. */
export function topStream(stream: Omit<Stream, TopStreamDefault> & Partial<Stream>): Stream {
  const name = 'best bids and asks';
  return { name, gives: TOP_TOPICS, host: 'ws', applies: isLive, silenceSeconds: 45, ...stream };
}

/** What a stream needs where messages do not depend on those before them. */
interface PlainSession {
  /** The messages to send first. */
  subscribe(contracts: readonly Contract[]): string[];
  /** Reads a message; null if it has nothing for us, such as an acknowledgement. */
  read(message: Row, context: ParseContext): Batch | null;
}

/** A stream of tops without state. */
export function plainTopStream({
  subscribe,
  read,
  ...stream
}: PlainSession & Omit<Stream, TopStreamDefault | 'open'> & Partial<Stream>): Stream {
  return topStream({
    ...stream,
    open: (contracts) => ({
      opening: subscribe(contracts),
      receive: (message, context) => ({
        batch: read(rowOf(message, 'message'), context) ?? emptyBatch(),
      }),
    }),
  });
}

/**
 * The tops of a stream that sends only changes. Any message proves that the connection is alive, so unchanged tops are
 * still valid: they are repeated periodically, because quiet contracts would look stale otherwise.
 */
export class HeldTops {
  readonly #tops = new Map<string, BookTop>();
  #repeatedAtMs = 0;

  hold(top: BookTop): void {
    this.#tops.set(top.venueSymbol, top);
  }

  /** Holds and drops what a message says, and adds the held tops to it if a repetition is due. */
  follow(batch: Batch, context: ParseContext): void {
    for (const { venueSymbol } of batch.rejected) if (venueSymbol !== null) this.drop(venueSymbol);
    for (const top of batch.bookTops) this.hold(top);
    batch.bookTops.push(...this.due(context));
  }

  /** Call it when the previous top is no longer valid and there is no new one. */
  drop(venueSymbol: string): void {
    this.#tops.delete(venueSymbol);
  }

  /** Every held top of a live contract if a repetition is due; else none. */
  due(context: ParseContext): BookTop[] {
    if (this.#repeatedAtMs === 0) this.#repeatedAtMs = context.receivedAtMs;
    if (context.receivedAtMs - this.#repeatedAtMs < REPEAT_EVERY_MS) return [];
    this.#repeatedAtMs = context.receivedAtMs;
    return [...this.#tops.values()].filter((top) => {
      const contract = context.contracts.get(top.venueSymbol);
      return contract !== undefined && isLive(contract);
    });
  }
}

import { decimalOrNull } from '../../base/numbers.ts';
import { SECOND_MS } from '../../base/times.ts';
import { epochNanosecondsOf } from '../fields.ts';
import { type BookTop, type Contract, emptyBatch, isLive } from '../observations.ts';
import { isRow, NOT_LISTED, type Row, readRows, rowOf } from '../reading.ts';
import { readTop } from '../units.ts';
import type { ParseContext, Stream, StreamSession } from '../venue.ts';
import { plainLevels } from './parse.ts';
import { SUBSCRIPTIONS_PER_SECOND, SUBSCRIPTIONS_PER_SOCKET } from './wire.ts';

const PING_ID = 0;
/** Levels to subscribe to: only the best one is needed. */
const DEPTH = 1;

/** The window of a book that deltas change: price to size, as the venue counts sizes. */
interface Window {
  bids: Map<number, number>;
  asks: Map<number, number>;
}

/** Applies a delta: size 0 deletes. The venue sends no updates for levels outside the window, so they are deleted too. */
function apply(
  side: Map<number, number>,
  levels: [number, number][],
  best: (a: number, b: number) => number,
) {
  for (const [price, size] of levels) {
    if (size > 0) side.set(price, size);
    else side.delete(price);
  }
  for (const price of [...side.keys()].sort(best).slice(DEPTH)) side.delete(price);
}

function topOf(contract: Contract, { bids, asks }: Window, venueTimeMs: number | null): BookTop | string {
  const [[bidPrice, bidSize] = []] = bids;
  const [[askPrice, askSize] = []] = asks;
  const unit = contract.isInverse ? 'contracts' : 'base';
  return readTop(contract, { bidPrice, bidSize, askPrice, askSize }, unit, venueTimeMs);
}

class Session implements StreamSession {
  readonly opening: readonly string[];
  readonly #subscribed: ReadonlyMap<number, Contract>;
  readonly #windows = new Map<string, Window>();
  /** Subscriptions to send later, because the venue limits their number a second. */
  readonly #waiting: string[];
  #sentAtMs: number | null = null;

  constructor(contracts: readonly Contract[]) {
    this.#subscribed = new Map(contracts.map((contract, i) => [i + 1, contract]));
    // One subscription a request; `true` gathers changes for about 120 ms.
    this.#waiting = [...this.#subscribed].map(([id, { venueSymbol, isInverse }]) =>
      JSON.stringify({
        id,
        method: isInverse ? 'orderbook.subscribe' : 'orderbook_p.subscribe',
        params: [venueSymbol, true, DEPTH],
      }),
    );
    this.opening = this.#waiting.splice(0, SUBSCRIPTIONS_PER_SECOND);
  }

  receive(message: unknown, context: ParseContext) {
    const batch = emptyBatch();
    const row = rowOf(message, 'message');
    if (row.book !== undefined || row.orderbook_p !== undefined) {
      readRows([row], batch, 'symbol', (book, venueSymbol) => {
        const contract = context.contracts.get(venueSymbol);
        if (!contract) return NOT_LISTED;
        const top = this.#take(contract, book);
        if (typeof top === 'string') return top;
        batch.bookTops.push(top);
        return null;
      });
    } else if (isRow(row.error)) {
      const refused = this.#subscribed.get(decimalOrNull(row.id) ?? PING_ID);
      batch.rejected.push({ venueSymbol: refused?.venueSymbol ?? null, reason: 'subscription refused' });
    }
    return { batch, replies: this.#next(context.receivedAtMs) };
  }

  #next(receivedAtMs: number): string[] {
    this.#sentAtMs ??= receivedAtMs;
    if (receivedAtMs - this.#sentAtMs < SECOND_MS) return [];
    this.#sentAtMs = receivedAtMs;
    return this.#waiting.splice(0, SUBSCRIPTIONS_PER_SECOND);
  }

  #take(contract: Contract, message: Row): BookTop | string {
    const book = contract.isInverse ? message.book : message.orderbook_p;
    if (!isRow(book)) return 'book of the other kind';
    let window = this.#windows.get(contract.venueSymbol);
    if (message.type === 'snapshot' || !window) {
      if (message.type !== 'snapshot') return 'change before the snapshot';
      window = { bids: new Map(), asks: new Map() };
      this.#windows.set(contract.venueSymbol, window);
    }
    apply(window.bids, plainLevels(contract, book.bids), (a, b) => b - a);
    apply(window.asks, plainLevels(contract, book.asks), (a, b) => a - b);
    return topOf(contract, window, epochNanosecondsOf(message.timestamp));
  }
}

/** The tickers have prices without sizes, so the tops come from here. A whole snapshot follows every 60 seconds. */
export const bookTops: Stream = {
  name: 'book tops',
  gives: ['bid and ask', 'sizes'],
  host: 'ws',
  path: '/',
  call: 'orderbook_p.subscribe, orderbook.subscribe',
  contractsPerSocket: SUBSCRIPTIONS_PER_SOCKET,
  applies: isLive,
  open: (contracts) => new Session(contracts),
  // A socket that sends no ping for 30 seconds is closed.
  heartbeat: {
    everySeconds: 10,
    message: () => JSON.stringify({ id: PING_ID, method: 'server.ping', params: [] }),
  },
  sendsOnlyChanges: true,
  silenceSeconds: 30,
};

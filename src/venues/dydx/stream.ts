import { textOf } from '../fields.ts';
import { HeldTops } from '../held-tops.ts';
import { type Batch, type Contract, emptyBatch } from '../observations.ts';
import { BadReply, type Row, rowOf } from '../reading.ts';
import { readTop } from '../units.ts';
import type { ParseContext, Stream, StreamSession } from '../venue.ts';
import { LiveBook } from './book.ts';
import { BOOKS_PER_SOCKET } from './wire.ts';

const CHANNEL = 'v4_orderbook';
const RETRY_AFTER_MS = 30_000;

/** A message for every block of the chain, about one a second: it proves that a socket of quiet markets is alive. */
const BLOCK_HEIGHT = JSON.stringify({ type: 'subscribe', channel: 'v4_block_height' });

/** `batched` makes the venue send the changes of a quarter second in one message. */
export function subscription(id: string): string {
  return JSON.stringify({ type: 'subscribe', channel: CHANNEL, id, batched: true });
}

class BookSession implements StreamSession {
  readonly opening: readonly string[];
  readonly #books = new Map<string, LiveBook>();
  readonly #held = new HeldTops();
  /** Markets whose subscription failed, and when. */
  readonly #refused = new Map<string, number>();
  #messages = 0;

  constructor(contracts: readonly Contract[]) {
    this.opening = [BLOCK_HEIGHT, ...contracts.map((contract) => subscription(contract.venueSymbol))];
  }

  receive(message: unknown, context: ParseContext): { batch: Batch; replies: string[] } {
    const batch = emptyBatch();
    const row = rowOf(message, 'message');
    const id = textOf(row.id);
    this.#messages++;
    if (row.type === 'error') this.#refuse(row, id, context.receivedAtMs, batch);
    else if (row.channel === CHANNEL && id !== null) this.#change(row, id, context, batch);
    batch.bookTops.push(...this.#held.due(context));
    return { batch, replies: this.#retries(context.receivedAtMs) };
  }

  #change(row: Row, id: string, context: ParseContext, batch: Batch): void {
    if (row.type === 'subscribed') this.#books.set(id, new LiveBook());
    const book = this.#books.get(id);
    const contract = context.contracts.get(id);
    if (!book || !contract) return;
    // A batch is a list of changes; a snapshot or a single change is one object.
    const changes = Array.isArray(row.contents) ? (row.contents as unknown[]) : [row.contents];
    for (const change of changes) book.apply(change, this.#messages);
    const best = book.top();
    const top = best && readTop(contract, best, 'base', null);
    if (top === null || typeof top === 'string') {
      this.#held.drop(id);
      if (top === null) batch.ignored.set('one-sided book', 1);
      else batch.rejected.push({ venueSymbol: id, reason: top });
      return;
    }
    this.#held.hold(top);
    batch.bookTops.push(top);
  }

  /** A refused market must not cost the others their socket; an error that names no market concerns all. */
  #refuse(row: Row, id: string | null, receivedAtMs: number, batch: Batch): void {
    const why = textOf(row.message) ?? 'error message';
    if (id === null && !why.startsWith('Invalid subscription')) throw new BadReply(why);
    batch.rejected.push({ venueSymbol: id, reason: 'subscription refused' });
    if (id !== null) this.#refused.set(id, receivedAtMs);
  }

  #retries(receivedAtMs: number): string[] {
    const due = [...this.#refused].filter(([, atMs]) => receivedAtMs - atMs >= RETRY_AFTER_MS);
    for (const [id] of due) this.#refused.delete(id);
    return due.map(([id]) => subscription(id));
  }
}

export const orderbookStream: Stream = {
  name: CHANNEL,
  gives: ['bid and ask', 'sizes'],
  host: 'ws',
  path: '/v4/ws',
  call: `${CHANNEL}, ${BOOKS_PER_SOCKET} markets a socket`,
  contractsPerSocket: BOOKS_PER_SOCKET,
  applies: (contract) => contract.status !== 'preopen' && contract.status !== 'delisted',
  open: (contracts) => new BookSession(contracts),
  // The venue sends WebSocket pings and answers none of ours.
  heartbeat: null,
  silenceSeconds: 30,
  sendsDecimalTexts: true,
};

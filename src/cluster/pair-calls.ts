import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { SECOND_MS } from '../base/times.ts';
import type { PairName, PairView } from '../engines/backtest/pair-view.ts';
import type { Redis, Subscription } from '../storage/redis/redis.ts';
import type { Channels } from './channels.ts';
import { pack, unpack } from './envelope.ts';
import {
  count,
  listOf,
  MalformedMessageError,
  nullable,
  number,
  objectOf,
  type Parse,
  text,
} from './shape.ts';

export interface PairCall {
  kind: 'ask-pair';
  id: string;
  replyTo: string;
  name: PairName;
}

/** The spread of a pair by minute is too large to send with every result, so API processes request it. */
const REPLY_TIMEOUT_MS = 3 * SECOND_MS;

export function encodePairReply(id: string, view: PairView | null): Buffer {
  if (!view) return pack({ kind: 'pair', id, view: null });
  const { spreadsPct, ...rest } = view;
  const bytes = new Uint8Array(spreadsPct.buffer, spreadsPct.byteOffset, spreadsPct.byteLength);
  return pack({ kind: 'pair', id, view: rest }, bytes);
}

/** A collector of an earlier version does not send it. */
const newer =
  <Value>(parse: Parse<Value | null>): Parse<Value | null> =>
  (value, name) =>
    value === undefined ? null : parse(value, name);

const viewHead = objectOf<Omit<PairView, 'spreadsPct'>>({
  fromMinute: count,
  cycles: listOf(
    objectOf<PairView['cycles'][number]>({
      direction: count,
      openMinute: count,
      closeMinute: count,
      profitPct: number,
    }),
  ),
  recent: listOf(
    objectOf<PairView['recent'][number]>({
      minute: count,
      buyA: nullable(number),
      sellA: nullable(number),
      buyB: nullable(number),
      sellB: nullable(number),
      usualExitAPct: nullable(number),
      usualExitBPct: nullable(number),
      dayChangeAPct: newer(nullable(number)),
      dayChangeBPct: newer(nullable(number)),
    }),
  ),
});

/** Null for a message of another kind or version; throws MalformedMessageError if it does not have the right shape. */
export function decodePairReply(bytes: Buffer): { id: string; view: PairView | null } | null {
  const message = unpack(bytes);
  if (message?.head.kind !== 'pair') return null;
  const id = text(message.head.id, 'id');
  if (message.head.view === null) return { id, view: null };
  const rest = viewHead(message.head.view, 'view');
  if (message.body.length % Float32Array.BYTES_PER_ELEMENT !== 0)
    throw new MalformedMessageError('the spreads end in the middle of a number');
  // A copy, because the body of a message need not be aligned for a Float32Array.
  return { id, view: { ...rest, spreadsPct: new Float32Array(new Uint8Array(message.body).buffer) } };
}

export interface PairCallsOptions {
  redis: Redis;
  channels: Channels;
  owner: string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Requests pairs from the process that runs the engine. */
export class PairCalls {
  readonly #options: PairCallsOptions;
  readonly #waiting = new Map<string, (view: PairView | null) => void>();
  #subscription: Subscription | null = null;

  constructor(options: PairCallsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { redis, channels, owner } = this.#options;
    this.#subscription = await redis.subscribe(channels.repliesTo(owner), (bytes) => this.#receive(bytes));
  }

  #receive(bytes: Buffer): void {
    const { log, metrics } = this.#options;
    try {
      const reply = decodePairReply(bytes);
      metrics.clusterMessages.inc({ kind: 'pair', outcome: reply ? 'received' : 'unknown version' });
      if (reply) this.#waiting.get(reply.id)?.(reply.view);
    } catch (error) {
      metrics.clusterMessages.inc({ kind: 'pair', outcome: 'unreadable' });
      log.warn({ err: error }, 'dropped an unreadable reply about a pair');
    }
  }

  async stop(): Promise<void> {
    await this.#subscription?.close();
  }

  /** Null if the pair has no row, or if no reply arrives in time: the page then asks the visitor to come back. */
  async ask(name: PairName): Promise<PairView | null> {
    const { redis, channels, owner, clock } = this.#options;
    const id = randomUUID();
    const call: PairCall = { kind: 'ask-pair', id, replyTo: channels.repliesTo(owner), name };
    const answered = new AbortController();
    const answer = new Promise<PairView | null>((resolve) => {
      this.#waiting.set(id, resolve);
      void clock.sleep(REPLY_TIMEOUT_MS, answered.signal).then(() => resolve(null));
    });
    try {
      await redis.command(['PUBLISH', channels.calls, pack(call)]);
      return await answer;
    } catch {
      return null;
    } finally {
      answered.abort();
      this.#waiting.delete(id);
    }
  }
}

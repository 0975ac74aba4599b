import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { SECOND_MS } from '../base/times.ts';
import type { PairName, PairView } from '../engines/backtest/pair-view.ts';
import type { Redis, Subscription } from '../storage/redis/redis.ts';
import type { Channels } from './channels.ts';
import { pack, unpack } from './envelope.ts';

export interface PairCall {
  kind: 'ask-pair';
  id: string;
  replyTo: string;
  name: PairName;
}

/** The minute-by-minute spread of a pair is too much to send around with every result, so it is asked for. */
const ANSWER_WITHIN_MS = 3 * SECOND_MS;

export function encodePairReply(id: string, view: PairView | null): Buffer {
  if (!view) return pack({ kind: 'pair', id, view: null });
  const { spreadsPct, ...rest } = view;
  const bytes = new Uint8Array(spreadsPct.buffer, spreadsPct.byteOffset, spreadsPct.byteLength);
  return pack({ kind: 'pair', id, view: rest }, bytes);
}

export function decodePairReply(bytes: Buffer): { id: string; view: PairView | null } | null {
  const message = unpack(bytes);
  if (message?.head.kind !== 'pair') return null;
  const id = String(message.head.id);
  const rest = message.head.view as Omit<PairView, 'spreadsPct'> | null;
  // Copied, because a part of a message need not begin where a number may.
  const spreadsPct = new Float32Array(new Uint8Array(message.body).buffer);
  return { id, view: rest && { ...rest, spreadsPct } };
}

/** Asks the process that has the engine about pairs. */
export class PairCalls {
  readonly #options: { redis: Redis; channels: Channels; owner: string; clock: Clock };
  readonly #waiting = new Map<string, (view: PairView | null) => void>();
  #subscription: Subscription | null = null;

  constructor(options: { redis: Redis; channels: Channels; owner: string; clock: Clock }) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { redis, channels, owner } = this.#options;
    this.#subscription = await redis.subscribe(channels.repliesTo(owner), (bytes) => {
      const reply = decodePairReply(bytes);
      if (reply) this.#waiting.get(reply.id)?.(reply.view);
    });
  }

  async stop(): Promise<void> {
    await this.#subscription?.close();
  }

  /** Null when the pair has no row, and also when nobody answers in time: the page then says to come back. */
  async ask(name: PairName): Promise<PairView | null> {
    const { redis, channels, owner, clock } = this.#options;
    const id = randomUUID();
    const call: PairCall = { kind: 'ask-pair', id, replyTo: channels.repliesTo(owner), name };
    const answered = new AbortController();
    const answer = new Promise<PairView | null>((resolve) => {
      this.#waiting.set(id, resolve);
      void clock.sleep(ANSWER_WITHIN_MS, answered.signal).then(() => resolve(null));
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

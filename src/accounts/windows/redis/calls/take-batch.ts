import {
  ArgumentList,
  type EncodedArguments,
  encodeArguments,
  type Redis,
  type RedisArgument,
  RedisUnavailableError,
} from '../../../../storage/redis/redis.ts';
import type { RedisNames } from '../../../redis-names.ts';
import type { ReportUnreadable } from '../../../unreadable.ts';
import type { TakeListener, WindowHolder } from '../../windows.ts';
import type { ModeSwitch } from '../mode.ts';
import { type HolderReply, parseTakeReplies } from '../replies.ts';
import { TAKE } from '../scripts.ts';
import type { WindowsOfAllServers } from '../windows-options.ts';
import { type NamesOfHolder, requestsText } from './holder-names.ts';
import type { ScriptTimes } from './script-times.ts';

/** What one holder asks of the server in one call. */
export interface Wish {
  readonly holder: WindowHolder;
  readonly names: NamesOfHolder;
  /** Those who wait for its requests, in the order in which these pass; none if it only reads. */
  readonly listeners: TakeListener[];
  /** How often its requests were tried before. */
  readonly attempt: number;
  /** The number of its first request; 0 until the call. The others have the next ones. */
  firstNumber: number;
  /** Whether an earlier call may have counted it. Then it is the only request of the wish. */
  readonly isRepeated: boolean;
  onReply(wish: Wish, reply: WishReply): void;
  onError(wish: Wish, error: unknown): void;
}

/** `lost`: Redis may have counted, but there is no valid reply. `unsent`: it has not been called. */
export type WishReply = HolderReply | { outcome: 'lost' | 'unsent' };

const LOST: WishReply = { outcome: 'lost' };
const UNSENT: WishReply = { outcome: 'unsent' };

/**
 * Redis runs one script at a time. The largest batch, of 64 keys, takes it about as long as 64 single calls less their
 * overhead, one or two milliseconds, and other processes wait that long. A larger one would save nothing more.
 */
export const MAX_REQUESTS = 64;

export interface TakeBatchOptions {
  redis: Redis;
  redisNames: RedisNames;
  modeSwitch: Pick<ModeSwitch, 'mode' | 'term' | 'epoch'>;
  layout: { readonly version: number };
  directory: { revision(): number };
  processId: string;
  times: ScriptTimes;
  all: Pick<WindowsOfAllServers, 'reserveNumbers'>;
  reportUnreadable: ReportUnreadable;
}

/**
 * Collects the requests of one turn of the event loop on one server, and sends them in one call when the code that runs now
 * has finished. While a call is under way, requests wait for its reply, or until they fill a call: a process at the limit of
 * its core then makes calls of 27 requests instead of 18, and waits no longer than the server takes to answer.
 */
export class TakeBatch {
  readonly #options: TakeBatchOptions;
  #wishes: Wish[] = [];
  #requestCount = 0;
  /** The wish of each holder that more of its requests can join. */
  #open = new Map<WindowHolder, Wish>();
  #isScheduled = false;
  #callsUnderWay = 0;
  #lastHead: CallHead | null = null;
  /** Whether the batch is sent after the next reply. */
  #isHeld = false;
  readonly #sendScheduled = () => {
    if (this.#callsUnderWay > 0) {
      this.#isHeld = true;
      return;
    }
    this.#isScheduled = false;
    this.#send();
  };

  constructor(options: TakeBatchOptions) {
    this.#options = options;
  }

  /** The wish that a first request of the holder joins; undefined if there is none yet. */
  openWish(holder: WindowHolder): Wish | undefined {
    return this.#open.get(holder);
  }

  join(wish: Wish, listener: TakeListener): void {
    wish.listeners.push(listener);
    if (++this.#requestCount >= MAX_REQUESTS) this.#send();
  }

  add(wish: Wish): void {
    this.#wishes.push(wish);
    if (wish.listeners.length > 0 && !wish.isRepeated) this.#open.set(wish.holder, wish);
    if (++this.#requestCount >= MAX_REQUESTS) this.#send();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      queueMicrotask(this.#sendScheduled);
    }
  }

  #send(): void {
    const wishes = this.#wishes;
    if (wishes.length === 0) return;
    this.#wishes = [];
    this.#requestCount = 0;
    // Not `clear`: V8 links the table of a cleared Map to the next one, so that a table that a collection has moved to the old
    // space keeps all later ones alive, with the requests in them, until the next full collection.
    this.#open = new Map();
    const { modeSwitch, layout } = this.#options;
    // Both may have changed since the first request of the batch.
    const isCurrent = wishes.every(({ names }) => names.layoutVersion === layout.version);
    if (modeSwitch.mode === 'shared' && isCurrent) this.#callRedis(wishes);
    else answerAll(wishes, UNSENT);
  }

  #callRedis(wishes: readonly Wish[]): void {
    const { redis, modeSwitch, layout } = this.#options;
    const { term } = modeSwitch;
    const { version } = layout;
    const [keys, args] = this.#arguments(wishes);
    this.#callsUnderWay++;
    redis.run(TAKE, keys, args).then(
      (reply) => {
        this.#onCallEnd(() => {
          const replies = parseTakeReplies(reply, wishes.length);
          if (replies === null) this.#options.reportUnreadable('windows');
          for (const [place, wish] of wishes.entries()) {
            // Redis may have lost a count of an earlier term, or slots may have moved: also while the requests before this
            // one were answered. It is decided again under the same name.
            const isValid = modeSwitch.term === term && layout.version === version;
            answer(wish, (isValid && replies?.[place]) || LOST);
          }
        });
      },
      (error: unknown) => {
        this.#onCallEnd(() => {
          if (error instanceof RedisUnavailableError) answerAll(wishes, LOST);
          else for (const wish of wishes) wish.onError(wish, error);
        });
      },
    );
  }

  /** Sends the next call before the requests of this one are answered, so that the server decides them meanwhile. */
  #onCallEnd(answerRequests: () => void): void {
    this.#callsUnderWay--;
    if (this.#isHeld) {
      this.#isHeld = false;
      this.#isScheduled = false;
      this.#send();
    }
    // The connection writes in a microtask too, which is before this one.
    queueMicrotask(answerRequests);
  }

  #arguments(wishes: readonly Wish[]): [keys: RedisArgument[], args: RedisArgument[]] {
    let newCount = 0;
    for (const { isRepeated, listeners } of wishes) if (!isRepeated) newCount += listeners.length;
    const firstNumber = this.#options.all.reserveNumbers(newCount);
    const [keys, requests] = [new ArgumentList(), new ArgumentList()];
    let nextNumber = firstNumber;
    for (const wish of wishes) {
      const { holder, names, isRepeated, listeners } = wish;
      const count = listeners.length;
      keys.add(names.keys);
      if (isRepeated) requests.add(encodeArguments([requestsText(holder, count, wish.firstNumber)]));
      else {
        // As the script numbers them.
        wish.firstNumber = nextNumber;
        nextNumber += count;
        requests.add(count === 1 ? names.oneRequest : encodeArguments([requestsText(holder, count)]));
      }
    }
    const { redisNames } = this.#options;
    return [
      [redisNames.cluster, keys.encoded()],
      [this.#head(), String(firstNumber), requests.encoded()],
    ];
  }

  /** The arguments that most calls of a process share. */
  #head(): EncodedArguments {
    const { modeSwitch, layout, directory, processId, times } = this.#options;
    const { epoch } = modeSwitch;
    const [texts, revision, { version }] = [times.texts(), directory.revision(), layout];
    const last = this.#lastHead;
    if (
      last?.texts === texts &&
      last.epoch === epoch &&
      last.revision === revision &&
      last.version === version
    )
      return last.encoded;
    const encoded = encodeArguments([...texts, epoch, String(revision), String(version), processId]);
    this.#lastHead = { texts, epoch, revision, version, encoded };
    return encoded;
  }
}

interface CallHead {
  texts: readonly string[];
  epoch: string;
  revision: number;
  version: number;
  encoded: EncodedArguments;
}

function answerAll(wishes: readonly Wish[], reply: WishReply): void {
  for (const wish of wishes) answer(wish, reply);
}

/** An error of one wish must not leave the others without an answer. */
function answer(wish: Wish, reply: WishReply): void {
  try {
    wish.onReply(wish, reply);
  } catch (error) {
    wish.onError(wish, error);
  }
}

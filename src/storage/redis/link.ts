import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RedisAddress, redisCause } from './address.ts';
import { CONNECT_TIMEOUT_MS, openClient, type RedisClient } from './client.ts';
import {
  type Redis,
  type RedisArgument,
  type RedisScript,
  type RedisState,
  RedisUnavailableError,
  type Subscription,
} from './redis.ts';
import { RedisSubscriber } from './subscriber.ts';

const PROBE_EVERY_MS = 1_000;
const PROBE_AGAIN_MS = 50;
/** A client that has been down for this long is replaced: its server may have accepted the connection and hang. */
const REPLACE_AFTER_MS = 3_000;

export class RedisLink implements Redis {
  readonly #address: RedisAddress;
  readonly #log: Log;
  readonly #timeoutMs: number;
  readonly #listeners = new Set<(state: RedisState) => void>();
  readonly #closing = new AbortController();
  #client: RedisClient;
  #subscriber: RedisSubscriber | null = null;
  #isUp = false;
  #reason = 'not connected yet';

  constructor(address: RedisAddress, log: Log, timeoutMs: number) {
    this.#address = address;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#client = this.#open();
    void this.#keepProbing();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  state(): RedisState {
    return { isUp: this.#isUp, reason: this.#isUp ? null : this.#reason };
  }

  onChange(listener: (state: RedisState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  firstContact(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isUp) return resolve();
      const done = () => {
        clearTimeout(timer);
        removeListener();
        resolve();
      };
      const timer = setTimeout(done, CONNECT_TIMEOUT_MS);
      const removeListener = this.onChange(done);
    });
  }

  async run({ sha1, text }: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    const [key = ''] = keys;
    try {
      return await this.#send(key, ['EVALSHA', sha1, ...rest]);
    } catch (error) {
      if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
      return await this.#send(key, ['EVAL', text, ...rest]);
    }
  }

  command(command: readonly [name: string, key: string, ...rest: RedisArgument[]]): Promise<unknown> {
    return this.#send(command[1], command);
  }

  subscribe(channel: string, onMessage: (message: Buffer) => void): Promise<Subscription> {
    this.#subscriber ??= new RedisSubscriber(this.#address);
    return this.#subscriber.subscribe(channel, onMessage);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#isUp = false;
    this.#reason = 'closed';
    this.#client.destroy();
    this.#subscriber?.close();
  }

  async #send(key: string, command: readonly RedisArgument[]): Promise<unknown> {
    if (!this.#isUp) throw new RedisUnavailableError(this.#reason);
    const client = this.#client;
    try {
      return await answered(this.#timeoutMs, client.send(key, command));
    } catch (error) {
      if (error instanceof ErrorReply && !isNotServing(error)) throw error;
      if (client === this.#client) this.#markUnavailable(error);
      throw new RedisUnavailableError(redisCause(error));
    }
  }

  #open(): RedisClient {
    const client = openClient(this.#address, (error) => {
      if (client === this.#client) this.#markUnavailable(error);
    });
    return client;
  }

  /** Notices an outage without requests, and the end of an outage. */
  async #keepProbing(): Promise<void> {
    const { signal } = this.#closing;
    let openedMs = systemClock.monotonicMs();
    while (!signal.aborted) {
      try {
        await answered(this.#timeoutMs, this.#client.probe());
        this.#markUp();
      } catch (error) {
        this.#markUnavailable(error);
      }
      if (this.#isUp) openedMs = systemClock.monotonicMs();
      else if (systemClock.monotonicMs() - openedMs > REPLACE_AFTER_MS && !signal.aborted) {
        openedMs = systemClock.monotonicMs();
        this.#client.destroy();
        this.#client = this.#open();
      }
      await systemClock.sleep(this.#isUp ? PROBE_EVERY_MS : PROBE_AGAIN_MS, signal);
    }
  }

  #markUnavailable(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    // The connection's own error, which came before, says more.
    const isConsequence = error instanceof ClientOfflineError || error instanceof ClientClosedError;
    if (this.#isUp || !isConsequence) this.#reason = redisCause(error);
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#log.warn({ reason: this.#reason }, `${this.#address.label} is unavailable`);
    this.#notifyListeners();
  }

  #markUp(): void {
    if (this.#closing.signal.aborted || this.#isUp) return;
    this.#isUp = true;
    this.#log.info(`${this.#address.label} is connected`);
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener(this.state());
  }
}

function answered<Reply>(timeoutMs: number, reply: Promise<Reply>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no reply within ${timeoutMs} ms`));
    // After a blocked event loop timers run before replies are read, so the reply gets one more turn.
    const timer = setTimeout(() => setImmediate(late), timeoutMs);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether the error reply means that the server runs but cannot serve now. */
function isNotServing(error: ErrorReply): boolean {
  return /^(BUSY|LOADING|MASTERDOWN|READONLY|NOAUTH|NOPERM|WRONGPASS|NOREPLICAS|MISCONF|OOM|CLUSTERDOWN)\b/.test(
    error.message,
  );
}

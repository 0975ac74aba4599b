import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';
import { within } from '../../base/async/within.ts';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RedisAddress, redisCause } from './address.ts';
import { openClient, type RedisClient } from './client.ts';
import { type Redis, type RedisScript, RedisUnavailableError } from './redis.ts';

const PROBE_EVERY_MS = 1_000;
const PROBE_AGAIN_MS = 50;
/** A client that has been down for this long is replaced: its server may have accepted the connection and hang. */
const REPLACE_AFTER_MS = 3_000;
/** Error replies of a server that runs but cannot serve now. */
const NOT_SERVING =
  /^(BUSY|LOADING|MASTERDOWN|READONLY|NOAUTH|NOPERM|WRONGPASS|NOREPLICAS|MISCONF|OOM|CLUSTERDOWN)\b/;

type RedisLinkOptions = { address: RedisAddress; log: Log; timeoutMs: number };

export class RedisLink implements Redis {
  readonly #options: RedisLinkOptions;
  readonly #listeners = new Set<(isUp: boolean) => void>();
  readonly #closing = new AbortController();
  #client: RedisClient;
  reason: string | null = 'not connected yet';

  constructor(options: RedisLinkOptions) {
    this.#options = options;
    this.#client = this.#open();
    void this.#keepProbing();
  }

  get isUp(): boolean {
    return this.reason === null;
  }

  onChange(listener: (isUp: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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

  command(command: readonly [name: string, key: string, ...rest: string[]]): Promise<unknown> {
    return this.#send(command[1], command);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.reason = 'closed';
    this.#client.destroy();
  }

  async #send(key: string, command: readonly string[]): Promise<unknown> {
    if (this.reason !== null) throw new RedisUnavailableError(this.reason);
    const client = this.#client;
    try {
      return await within(this.#options.timeoutMs, client.send(key, command));
    } catch (error) {
      if (error instanceof ErrorReply && !NOT_SERVING.test(error.message)) throw error;
      if (client === this.#client) this.#noteError(error);
      throw new RedisUnavailableError(redisCause(error));
    }
  }

  #open(): RedisClient {
    const client = openClient(
      this.#options.address,
      (error) => client === this.#client && this.#noteError(error),
    );
    return client;
  }

  /** Notices an outage without requests, and the end of an outage. */
  async #keepProbing(): Promise<void> {
    const { signal } = this.#closing;
    let openedMs = systemClock.monotonicMs();
    while (!signal.aborted) {
      await within(this.#options.timeoutMs, this.#client.probe()).then(
        () => this.#setReason(null),
        (error: unknown) => this.#noteError(error),
      );
      const isReplaced = !this.isUp && systemClock.monotonicMs() - openedMs > REPLACE_AFTER_MS;
      if (this.isUp || isReplaced) openedMs = systemClock.monotonicMs();
      if (isReplaced && !signal.aborted) {
        this.#client.destroy();
        this.#client = this.#open();
      }
      await systemClock.sleep(this.isUp ? PROBE_EVERY_MS : PROBE_AGAIN_MS, signal);
    }
  }

  #noteError(error: unknown): void {
    // The connection's own error, which came before, says more.
    const isConsequence = error instanceof ClientOfflineError || error instanceof ClientClosedError;
    if (this.isUp || !isConsequence) this.#setReason(redisCause(error));
  }

  #setReason(reason: string | null): void {
    if (this.#closing.signal.aborted) return;
    const wasUp = this.isUp;
    this.reason = reason;
    if (wasUp === this.isUp) return;
    const { address, log } = this.#options;
    if (this.isUp) log.info(`${address.label} is connected`);
    else log.warn({ reason }, `${address.label} is unavailable`);
    for (const listener of this.#listeners) listener(this.isUp);
  }
}

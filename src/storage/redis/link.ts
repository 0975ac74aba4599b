import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import type { Log } from '../../base/log.ts';
import { type RedisAddress, redisCause } from './address.ts';
import {
  type Redis,
  type RedisArgument,
  type RedisScript,
  type RedisState,
  RedisUnavailableError,
  type Subscription,
} from './redis.ts';

const CONNECT_TIMEOUT_MS = 1_000;
const PROBE_EVERY_MS = 100;
const SUBSCRIBE_RETRY_MS = 20;
/** After this long without a reply to a probe the connection counts as dead and is replaced. */
const PROBE_TIMEOUT_MS = 2_000;
/** A write: a Redis with a full disk and a read-only replica both answer PING. */
const PROBE = ['SET', 'perpwire:probe', '1', 'PX', '1000'];

type Client = ReturnType<typeof newClient>;

function newClient(address: RedisAddress) {
  return createClient({
    url: address.url,
    RESP: 2,
    name: 'perpwire',
    disableClientInfo: true,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // Commands have a timeout of our own; the client's would make an AbortSignal for each of them.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (attempt) => Math.min(25 * 2 ** attempt, 500),
    },
  });
}

export class RedisLink implements Redis {
  readonly #address: RedisAddress;
  readonly #log: Log;
  readonly #timeoutMs: number;
  readonly #listeners = new Set<(state: RedisState) => void>();
  readonly #loadedScripts = new Set<string>();
  #client: Client;
  #subscriber: Client | null = null;
  #isUp = false;
  #isClosed = false;
  #reason: string | null = 'not connected yet';
  #probeTimer: NodeJS.Timeout | null = null;

  constructor(address: RedisAddress, log: Log, timeoutMs: number) {
    this.#address = address;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#client = this.#connect();
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

  run(script: RedisScript, keys: readonly RedisArgument[], args: readonly RedisArgument[]): Promise<unknown> {
    const { sha1 } = script;
    if (!this.#loadedScripts.has(sha1)) return this.#load(script, keys, args);
    return this.command(['EVALSHA', sha1, String(keys.length), ...keys, ...args]).catch((error: unknown) => {
      // A restarted Redis has an empty script cache.
      if (!(error instanceof ErrorReply) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.#load(script, keys, args);
    });
  }

  async #load(
    { sha1, text }: RedisScript,
    keys: readonly RedisArgument[],
    args: readonly RedisArgument[],
  ): Promise<unknown> {
    const reply = await this.command(['EVAL', text, String(keys.length), ...keys, ...args]);
    this.#loadedScripts.add(sha1);
    return reply;
  }

  command(args: readonly RedisArgument[], timeoutMs = this.#timeoutMs): Promise<unknown> {
    return this.#timed(timeoutMs, () => this.#client.sendCommand(args));
  }

  binaryCommand(args: readonly RedisArgument[], timeoutMs = this.#timeoutMs): Promise<unknown> {
    const typeMapping = { [RESP_TYPES.BLOB_STRING]: Buffer };
    return this.#timed(timeoutMs, () => this.#client.sendCommand(args, { typeMapping }));
  }

  async subscribe(channel: string, onMessage: (message: Buffer) => void): Promise<Subscription> {
    this.#subscriber ??= this.#newSubscriber();
    const subscriber = this.#subscriber;
    let isWanted = true;
    const listener = (message: Buffer) => {
      if (isWanted) onMessage(message);
    };
    // The client resubscribes after outages, but only to a channel it has subscribed to once.
    const subscribeWithRetries = async () => {
      while (isWanted && !this.#isClosed) {
        try {
          return await subscriber.subscribe(channel, listener, true);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, SUBSCRIBE_RETRY_MS));
        }
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CONNECT_TIMEOUT_MS);
    });
    await Promise.race([subscribeWithRetries(), timedOut]);
    clearTimeout(timer);
    return {
      close: async () => {
        isWanted = false;
        if (subscriber.isReady) await subscriber.unsubscribe(channel, listener, true).catch(() => undefined);
      },
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#probeTimer) clearTimeout(this.#probeTimer);
    this.#isUp = false;
    this.#reason = 'closed';
    for (const client of [this.#client, this.#subscriber]) if (client?.isOpen) client.destroy();
  }

  #connect(): Client {
    const client = newClient(this.#address);
    // A host can accept the connection while its Redis hangs and never replies.
    let handshakeTimer: NodeJS.Timeout | undefined;
    client.on('connect', () => {
      handshakeTimer = setTimeout(() => this.#replace(client), PROBE_TIMEOUT_MS);
    });
    client.on('error', (error: unknown) => {
      clearTimeout(handshakeTimer);
      if (client === this.#client) this.#markUnavailable(redisCause(error));
    });
    client.on('ready', () => {
      clearTimeout(handshakeTimer);
      if (client === this.#client) this.#sendProbe();
    });
    client.once('end', () => clearTimeout(handshakeTimer));
    client.connect().catch(() => undefined);
    return client;
  }

  #replace(client: Client): void {
    if (client.isOpen) client.destroy();
    if (!this.#isClosed && client === this.#client) this.#client = this.#connect();
  }

  #newSubscriber(): Client {
    const client = newClient(this.#address);
    client.on('error', () => undefined);
    client.connect().catch(() => undefined);
    return client;
  }

  #timed(timeoutMs: number, send: () => Promise<unknown>): Promise<unknown> {
    if (!this.#isUp) return Promise.reject(new RedisUnavailableError(this.#reason ?? 'unavailable'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // A busy event loop runs timers before it reads replies that have already arrived; let it read them first.
        setImmediate(() => {
          if (isSettled) return;
          this.#markUnavailable(`no reply within ${timeoutMs} ms`);
          reject(new RedisUnavailableError('no reply'));
        });
      }, timeoutMs);
      let isSettled = false;
      const settle = () => {
        isSettled = true;
        clearTimeout(timer);
      };
      send().then(
        (reply) => {
          settle();
          resolve(reply);
        },
        (error: unknown) => {
          settle();
          if (error instanceof ErrorReply && !isNotServing(error)) return reject(error);
          this.#markUnavailable(redisCause(error));
          reject(new RedisUnavailableError(redisCause(error)));
        },
      );
    });
  }

  #markUnavailable(reason: string): void {
    if (this.#isClosed) return;
    this.#reason = reason;
    if (this.#probeTimer === null) this.#probeTimer = setTimeout(() => this.#sendProbe(), PROBE_EVERY_MS);
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#log.warn({ reason }, `${this.#address.label} is unavailable`);
    this.#notifyListeners();
  }

  /**
   * Redis replies in the order of the commands. So a reply to the probe also proves that earlier commands whose
   * replies timed out have run by now.
   */
  #sendProbe(): void {
    if (this.#probeTimer) clearTimeout(this.#probeTimer);
    this.#probeTimer = null;
    if (this.#isClosed || this.#isUp) return;
    const client = this.#client;
    if (!client.isReady) return;
    const deadTimer = setTimeout(() => this.#replace(client), PROBE_TIMEOUT_MS);
    client.sendCommand(PROBE).then(
      () => {
        clearTimeout(deadTimer);
        if (client === this.#client) this.#markUp();
      },
      (error: unknown) => {
        clearTimeout(deadTimer);
        if (client === this.#client) this.#markUnavailable(redisCause(error));
      },
    );
  }

  #markUp(): void {
    if (this.#isClosed || this.#isUp) return;
    this.#isUp = true;
    this.#reason = null;
    this.#log.info(`${this.#address.label} is connected`);
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener(this.state());
  }
}

/** Whether the error reply means that the server runs but cannot serve now. */
function isNotServing(error: ErrorReply): boolean {
  return /^(BUSY|LOADING|MASTERDOWN|READONLY|NOAUTH|NOPERM|WRONGPASS|NOREPLICAS|MISCONF|OOM|CLUSTERDOWN)\b/.test(
    error.message,
  );
}

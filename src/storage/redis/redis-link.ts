import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import type { Log } from '../../base/log.ts';
import type { Redis, RedisArgument, RedisScript, RedisState, Subscription } from './redis.ts';
import { type RedisAddress, RedisAwayError, redisCause } from './redis-address.ts';

const CONNECT_TIMEOUT_MS = 1_000;
const PROBE_EVERY_MS = 100;
const SUBSCRIBE_EVERY_MS = 20;
/** A probe that is not answered for this long means a dead connection: a new one is made. */
const PROBE_TIMEOUT_MS = 2_000;
/** A write, because a full disk or a replica answers PING as if all were well. */
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
  readonly #known = new Set<string>();
  #client: Client;
  #subscriber: Client | null = null;
  #isUp = false;
  #isClosed = false;
  #reason: string | null = 'not connected yet';
  #probe: NodeJS.Timeout | null = null;

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
        forget();
        resolve();
      };
      const timer = setTimeout(done, CONNECT_TIMEOUT_MS);
      const forget = this.onChange(done);
    });
  }

  async run(
    { sha1, text }: RedisScript,
    keys: readonly RedisArgument[],
    args: readonly RedisArgument[],
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    if (this.#known.has(sha1)) {
      try {
        return await this.command(['EVALSHA', sha1, ...rest]);
      } catch (error) {
        // A Redis that was restarted has forgotten it.
        if (!(error instanceof ErrorReply) || !error.message.startsWith('NOSCRIPT')) throw error;
      }
    }
    const reply = await this.command(['EVAL', text, ...rest]);
    this.#known.add(sha1);
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
    // The client keeps a channel over outages once it has subscribed; until then it is tried again and again.
    const keepTrying = async () => {
      while (isWanted && !this.#isClosed) {
        try {
          return await subscriber.subscribe(channel, listener, true);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, SUBSCRIBE_EVERY_MS));
        }
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CONNECT_TIMEOUT_MS);
    });
    await Promise.race([keepTrying(), patience]);
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
    if (this.#probe) clearTimeout(this.#probe);
    this.#isUp = false;
    this.#reason = 'closed';
    for (const client of [this.#client, this.#subscriber]) if (client?.isOpen) client.destroy();
  }

  #connect(): Client {
    const client = newClient(this.#address);
    // A connection may be accepted by a machine whose Redis then never says a word.
    let greeting: NodeJS.Timeout | undefined;
    client.on('connect', () => {
      greeting = setTimeout(() => this.#replace(client), PROBE_TIMEOUT_MS);
    });
    client.on('error', (error: unknown) => {
      clearTimeout(greeting);
      if (client === this.#client) this.#lost(redisCause(error));
    });
    client.on('ready', () => {
      clearTimeout(greeting);
      if (client === this.#client) this.#ask();
    });
    client.once('end', () => clearTimeout(greeting));
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
    if (!this.#isUp) return Promise.reject(new RedisAwayError(this.#reason ?? 'away'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // A busy event loop runs timers before it reads replies that are there already; they get their turn first.
        setImmediate(() => {
          if (isSettled) return;
          this.#lost(`no answer within ${timeoutMs} ms`);
          reject(new RedisAwayError('no answer'));
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
          this.#lost(redisCause(error));
          reject(new RedisAwayError(redisCause(error)));
        },
      );
    });
  }

  #lost(reason: string): void {
    if (this.#isClosed) return;
    this.#reason = reason;
    if (this.#probe === null) this.#probe = setTimeout(() => this.#ask(), PROBE_EVERY_MS);
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#log.warn({ reason }, `${this.#address.label} is away`);
    this.#tell();
  }

  /**
   * Replies come in the order of the commands, so an answered probe also says that all that was sent before it, and
   * given up, has been done by now.
   */
  #ask(): void {
    if (this.#probe) clearTimeout(this.#probe);
    this.#probe = null;
    if (this.#isClosed || this.#isUp) return;
    const client = this.#client;
    if (!client.isReady) return;
    const dead = setTimeout(() => this.#replace(client), PROBE_TIMEOUT_MS);
    client.sendCommand(PROBE).then(
      () => {
        clearTimeout(dead);
        if (client === this.#client) this.#found();
      },
      (error: unknown) => {
        clearTimeout(dead);
        if (client === this.#client) this.#lost(redisCause(error));
      },
    );
  }

  #found(): void {
    if (this.#isClosed || this.#isUp) return;
    this.#isUp = true;
    this.#reason = null;
    this.#log.info(`${this.#address.label} is connected`);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.state());
  }
}

/** Replies of a server that is there and cannot serve yet, or not any more. */
function isNotServing(error: ErrorReply): boolean {
  return /^(BUSY|LOADING|MASTERDOWN|READONLY|NOAUTH|NOPERM|WRONGPASS|NOREPLICAS|MISCONF|OOM|CLUSTERDOWN)\b/.test(
    error.message,
  );
}

import type { Log } from '../../base/log.ts';
import { CONNECT_TIMEOUT_MS, type RedisAddress, reconnectDelayMs, redisCause } from './address.ts';
import { NoReplyError, RedisConnection } from './connection/connection.ts';
import {
  EncodedArguments,
  type Redis,
  type RedisArgument,
  RedisErrorReply,
  type RedisScript,
  type RedisState,
  RedisUnavailableError,
  type Subscription,
} from './redis.ts';
import { RedisSubscriber } from './subscriber.ts';

const PROBE_EVERY_MS = 100;
/** After this long without a reply to a probe the connection counts as dead and is replaced. */
const PROBE_TIMEOUT_MS = 2_000;
/** A write: a Redis with a full disk and a read-only replica both answer PING. */
const PROBE = ['SET', 'perpwire:probe', '1', 'PX', '1000'];

interface CommandOptions {
  timeoutMs: number;
  isBinary: boolean;
}

export class RedisLink implements Redis {
  readonly #address: RedisAddress;
  readonly #log: Log;
  readonly #timeoutMs: number;
  readonly #listeners = new Set<(state: RedisState) => void>();
  readonly #loadedScripts = new Set<string>();
  #connection: RedisConnection;
  #subscriber: RedisSubscriber | null = null;
  #isUp = false;
  #isClosed = false;
  #reason: string | null = 'not connected yet';
  #failedAttempts = 0;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #probeTimer: NodeJS.Timeout | null = null;

  constructor(address: RedisAddress, log: Log, timeoutMs: number) {
    this.#address = address;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#connection = this.#connect();
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
    return new Promise((resolve, reject) => {
      const command = ['EVALSHA', sha1, countOf(keys), ...keys, ...args];
      const options = { timeoutMs: this.#timeoutMs, isBinary: false };
      this.#send(command, options, resolve, (error) => {
        // A restarted Redis has an empty script cache.
        const isUnknown = error instanceof RedisErrorReply && error.message.startsWith('NOSCRIPT');
        if (isUnknown) resolve(this.#load(script, keys, args));
        else reject(error);
      });
    });
  }

  async #load(
    { sha1, text }: RedisScript,
    keys: readonly RedisArgument[],
    args: readonly RedisArgument[],
  ): Promise<unknown> {
    const reply = await this.command(['EVAL', text, countOf(keys), ...keys, ...args]);
    this.#loadedScripts.add(sha1);
    return reply;
  }

  command(args: readonly RedisArgument[], timeoutMs = this.#timeoutMs): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#send(args, { timeoutMs, isBinary: false }, resolve, reject);
    });
  }

  binaryCommand(args: readonly RedisArgument[], timeoutMs = this.#timeoutMs): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#send(args, { timeoutMs, isBinary: true }, resolve, reject);
    });
  }

  subscribe(channel: string, onMessage: (message: Buffer) => void): Promise<Subscription> {
    this.#subscriber ??= new RedisSubscriber(this.#address);
    return this.#subscriber.subscribe(channel, onMessage);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#probeTimer) clearTimeout(this.#probeTimer);
    clearTimeout(this.#reconnectTimer);
    this.#isUp = false;
    this.#reason = 'closed';
    this.#connection.destroy();
    this.#subscriber?.close();
  }

  #send(
    args: readonly RedisArgument[],
    options: CommandOptions,
    onReply: (reply: unknown) => void,
    onFailure: (error: Error) => void,
  ): void {
    if (!this.#isUp) {
      onFailure(new RedisUnavailableError(this.#reason ?? 'unavailable'));
      return;
    }
    const onError = (error: Error) => {
      if (error instanceof RedisErrorReply && !isNotServing(error)) return onFailure(error);
      this.#markUnavailable(redisCause(error));
      onFailure(new RedisUnavailableError(redisCause(error)));
    };
    this.#connection.send({ args, ...options, onReply, onError });
  }

  #connect(): RedisConnection {
    return new RedisConnection({
      endpoint: this.#address.endpoint,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      // A host can accept the connection while its Redis hangs and never replies.
      handshakeTimeoutMs: PROBE_TIMEOUT_MS,
      onReady: () => {
        this.#failedAttempts = 0;
        this.#sendProbe();
      },
      onEnd: (error) => {
        this.#markUnavailable(redisCause(error));
        if (this.#isClosed) return;
        this.#reconnectTimer = setTimeout(
          () => {
            this.#connection = this.#connect();
          },
          reconnectDelayMs(this.#failedAttempts++),
        );
      },
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
    const connection = this.#connection;
    if (this.#isClosed || this.#isUp || !connection.isReady) return;
    connection.send({
      args: PROBE,
      isBinary: false,
      timeoutMs: PROBE_TIMEOUT_MS,
      onReply: () => this.#markUp(),
      onError: (error) => {
        if (this.#isClosed || connection !== this.#connection) return;
        this.#markUnavailable(redisCause(error));
        if (!(error instanceof NoReplyError)) return;
        connection.destroy();
        this.#connection = this.#connect();
      },
    });
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

function countOf(args: readonly RedisArgument[]): string {
  let count = 0;
  for (const argument of args) count += argument instanceof EncodedArguments ? argument.count : 1;
  return String(count);
}

/** Whether the error reply means that the server runs but cannot serve now. */
function isNotServing(error: RedisErrorReply): boolean {
  return /^(BUSY|LOADING|MASTERDOWN|READONLY|NOAUTH|NOPERM|WRONGPASS|NOREPLICAS|MISCONF|OOM|CLUSTERDOWN)\b/.test(
    error.message,
  );
}

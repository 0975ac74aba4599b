import pg from 'pg';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { SECOND_MS } from '../../base/times.ts';
import { type PostgresAddress, postgresCause } from './address.ts';
import { openSession, type PostgresSession } from './session.ts';

const HEARTBEAT_MS = 5 * SECOND_MS;
const REPLY_TIMEOUT_MS = 5 * SECOND_MS;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2 * SECOND_MS;

/** The one connection of a process that receives notifications. It connects at the first `on`, and again when it is lost. */
export class PostgresListener {
  readonly #address: PostgresAddress;
  readonly #log: Log;
  readonly #handlers = new Map<string, Set<(payload: string) => void>>();
  readonly #reconnected = new Set<() => void>();
  readonly #stopping = new AbortController();
  #session: PostgresSession | null = null;
  #connecting: Promise<void> | null = null;

  constructor(address: PostgresAddress, log: Log) {
    this.#address = address;
    this.#log = log;
  }

  /** Calls the handler for every notification of the channel from now on. Returns a function that removes the handler. */
  async on(channel: string, handler: (payload: string) => void): Promise<() => void> {
    const handlers = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, handlers.add(handler));
    if (this.#session) await this.#session.query(listenTo(channel));
    else await this.#connected(() => this.#connect());
    return () => void handlers.delete(handler);
  }

  /** Calls the handler after each reconnect, because notifications sent in between are lost. */
  onReconnect(handler: () => void): () => void {
    this.#reconnected.add(handler);
    return () => void this.#reconnected.delete(handler);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#connecting?.catch(() => undefined);
    await this.#session?.close();
  }

  #connected(connect: () => Promise<void>): Promise<void> {
    this.#connecting ??= connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<void> {
    let opened: PostgresSession | null = null;
    const session = await openSession(this.#address, {
      heartbeatMs: HEARTBEAT_MS,
      replyTimeoutMs: REPLY_TIMEOUT_MS,
      onLost: (reason) => {
        this.#log.warn({ reason }, 'lost the PostgreSQL listener connection');
        // A connection that is lost before it listens makes #connect fail instead.
        if (opened === null || this.#session !== opened) return;
        this.#session = null;
        void this.#connected(() => this.#reconnect());
      },
      onNotice: (channel, payload) => {
        for (const handler of this.#handlers.get(channel) ?? []) handler(payload);
      },
    });
    try {
      for (const channel of this.#handlers.keys()) await session.query(listenTo(channel));
    } catch (error) {
      await session.close();
      throw error;
    }
    opened = session;
    this.#session = session;
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#stopping;
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS)) {
      await systemClock.sleep(waitMs, signal);
      if (signal.aborted) return;
      try {
        await this.#connect();
        break;
      } catch (error) {
        this.#log.warn({ reason: postgresCause(error) }, 'cannot reconnect the PostgreSQL listener yet');
      }
    }
    for (const handler of this.#reconnected) handler();
  }
}

const listenTo = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`;

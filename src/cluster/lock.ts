import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { FencedError, raiseFence } from '../storage/fences.ts';
import { postgresCause } from '../storage/postgres/address.ts';
import type { PostgresSession } from '../storage/postgres/session.ts';
import type { PostgresStorage } from '../storage/storage.ts';

/** The jobs that one process at a time does, by the number of their advisory lock. */
const JOBS = { engine: 1, alerts: 2 };
/** Separates these locks from those of other programs in the same database. */
const LOCK_CLASS = 0x7077;

export interface JobLockOptions {
  job: keyof typeof JOBS;
  storage: Pick<PostgresStorage, 'openSession'>;
  /** After so long without a word of the holder the server frees the lock. */
  leaseMs: number;
  log: Log;
  metrics: Metrics;
  /** This process holds the lock, under this fencing number. */
  onTaken?: (number: number) => void;
  /** Another process has taken the lock that this one held. */
  onSuperseded?: () => void;
}

const ROUNDS_PER_LEASE = 6;
/** A holder without a reply of the server stops publishing before the server frees the lock. */
const SAFE_SHARE_OF_LEASE = 0.75;
/** When the server is back, the former holder comes first: it has what it collected meanwhile. */
const GRACE_SHARE_OF_LEASE = 0.5;

/** A session advisory lock of PostgreSQL: of the processes that want it one holds it, until its session ends. */
export class JobLock {
  readonly #options: JobLockOptions;
  #session: PostgresSession | null = null;
  #number: number | null = null;
  /** The number under which this process held the lock last; null if another one has held it since. */
  #lastNumber: number | null = null;
  /** The server is away, or was until now. */
  #isAway = false;
  #notBeforeMs = 0;
  #task: RepeatingTask | null = null;

  constructor(options: JobLockOptions) {
    this.#options = options;
    this.#setHeld(false);
  }

  /** Whether this is the number of the present session, even if the server has not replied for a while. */
  holds(number: number): boolean {
    return this.#number === number;
  }

  /** The fencing number to write under; null while nothing may be written. */
  number(): number | null {
    const { leaseMs } = this.#options;
    const safeUntilMs = (this.#session?.answeredMs() ?? 0) + leaseMs * SAFE_SHARE_OF_LEASE;
    return systemClock.monotonicMs() < safeUntilMs ? this.#number : null;
  }

  /** Competes for the lock from now on. Resolves after the first attempt. */
  async start(): Promise<void> {
    const { job, leaseMs, log } = this.#options;
    await this.#attempt();
    const everyMs = Math.round(leaseMs / ROUNDS_PER_LEASE);
    this.#task = startRepeatingTask({
      name: `compete for the lock of ${job}`,
      everyMs,
      firstDelayMs: everyMs,
      clock: systemClock,
      log,
      run: async () => {
        await this.#attempt();
        return undefined;
      },
    });
  }

  /** Frees the lock. The work under it must have stopped. */
  async stop(): Promise<void> {
    await this.#task?.stop();
    await this.#session?.close();
    this.#forget();
  }

  async #attempt(): Promise<void> {
    const { job, log, onTaken, onSuperseded } = this.#options;
    try {
      const session = this.#session ?? (await this.#connect());
      if (this.#number !== null) {
        // A process of an earlier version, whose locks are in Redis, may have raised the number.
        if (!(await this.#isSuperseded(session))) return;
        throw new FencedError('another process writes under a later number');
      }
      if (systemClock.monotonicMs() < this.#notBeforeMs) return;
      const [row] = await session.query<{ locked: boolean }>(
        'select pg_try_advisory_lock($1, $2) as locked',
        [LOCK_CLASS, JOBS[job]],
      );
      if (row?.locked) {
        const number = await raiseFence(session, job);
        // The session may have been lost while the last reply was on its way.
        if (this.#session !== session) return;
        this.#number = number;
        this.#lastNumber = number;
        this.#setHeld(true);
        log.info({ lease: job, fence: number }, 'lease taken');
        onTaken?.(number);
      } else if (this.#lastNumber !== null && (await this.#isSuperseded(session))) {
        this.#lastNumber = null;
        onSuperseded?.();
      }
    } catch (error) {
      if (!this.#isAway)
        log.warn({ lease: job, reason: postgresCause(error) }, 'cannot hold or take the lease now');
      await this.#session?.close();
      this.#forget();
    }
  }

  /** By the fencing number: the server may still count a former session of this process as the holder. */
  async #isSuperseded(session: PostgresSession): Promise<boolean> {
    const [row] = await session.query<{ fence: number }>('select fence from fences where name = $1', [
      this.#options.job,
    ]);
    return row?.fence !== this.#lastNumber;
  }

  async #connect(): Promise<PostgresSession> {
    const { job, storage, leaseMs, log } = this.#options;
    const session = await storage.openSession({
      heartbeatMs: leaseMs / ROUNDS_PER_LEASE,
      replyTimeoutMs: leaseMs / 2,
      onLost: (reason) => {
        if (this.#number !== null) log.warn({ lease: job, reason }, 'lease lost');
        this.#forget();
      },
    });
    this.#session = session;
    if (this.#isAway && this.#lastNumber === null)
      this.#notBeforeMs = systemClock.monotonicMs() + leaseMs * GRACE_SHARE_OF_LEASE;
    this.#isAway = false;
    // So the server frees the lock of a process that hangs, and of a machine that has left the network.
    await session.query(`set idle_session_timeout = ${Math.round(leaseMs)}`);
    const seconds = Math.max(1, Math.round(leaseMs / 3000));
    for (const setting of ['idle', 'interval'])
      await session.query(`set tcp_keepalives_${setting} = ${seconds}`);
    await session.query('set tcp_keepalives_count = 2');
    return session;
  }

  #forget(): void {
    this.#isAway = true;
    this.#session = null;
    this.#number = null;
    this.#setHeld(false);
  }

  #setHeld(isHeld: boolean): void {
    this.#options.metrics.leaseHeld.set({ lease: this.#options.job }, isHeld ? 1 : 0);
  }
}

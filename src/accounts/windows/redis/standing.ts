import { systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../../base/repeating-task.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import { within } from '../../../base/within.ts';
import type { Redis } from '../../../storage/redis/redis.ts';
import { type Members, type Membership, nameOf } from './members.ts';
import type { TakeReport } from './own-takes.ts';
import type { Peer, WindowPeers, WindowStanding } from './peers.ts';

export interface StandingOptions {
  redis: Redis;
  members: Members;
  peers: WindowPeers;
  log: Log;
  /** Stores what was counted, so that the database knows all of this process. */
  flush(): Promise<void>;
  /** The requests of the last minute. */
  report(): TakeReport;
  /** Brings into Redis what was counted without it; all of the last minute when it is another Redis. */
  restore(isOtherRedis: boolean): Promise<void>;
  /** All of it is there: windows are shared from now on. */
  joined(): void;
  /** Everybody has stored and told what was counted with Redis: from here on the own share counts. */
  apart(others: readonly TakeReport[]): Promise<void>;
  moved(mode: StandingMode): void;
}

export type StandingMode = 'shared' | 'apart' | 'moving';

/** How often a process shows that it lives. */
const BEAT_EVERY_MS = 500;
const ROW_EVERY_MS = 2_000;
/** While windows are neither shared nor shared out. */
const HURRIED_EVERY_MS = 100;
/** What was last read from the database about the others holds for so long; less than anybody waits when joining. */
const LEASE_MS = 1_000;
/** Joining without the database, which cannot tell who still counts on their own. */
const BLIND_JOIN_MS = 1_500;
/** Requests wait this long for a change between shared and apart; then they are refused. */
const HOLD_MS = 2_000;
/** For the database, when it may be away too. */
const PATIENCE_MS = 1_000;

/**
 * Where this process counts. `shared`: in Redis. `apart`: Redis is away for everybody, all have told through the
 * database what they counted in the last minute, and each has an equal share of what is left. `moving`: neither is
 * certain, and nothing may pass. A process that alone has lost Redis stays there: the others may use up everything.
 */
export class Standing {
  readonly #options: StandingOptions;
  readonly #task: RepeatingTask;
  readonly #forget: () => void;
  #mode: StandingMode = 'moving';
  #term = 0;
  #membership: Membership | null = null;
  #lostAtMs = systemClock.nowMs();
  #movingSinceMs = systemClock.nowMs();
  #hasTold = false;
  #isDivided = false;
  #leaseEndsMs = 0;
  #rowDueMs = 0;
  #hasComplained = false;
  #waiting: (() => void)[] = [];

  constructor(options: StandingOptions) {
    this.#options = options;
    // Real time, even where a test moves the windows' clock: Redis and the database live in it.
    this.#task = startRepeatingTask({
      name: 'share windows',
      everyMs: BEAT_EVERY_MS,
      clock: systemClock,
      log: options.log,
      run: () => this.#tick(),
    });
    this.#forget = options.redis.onChange(({ isUp }) => {
      if (!isUp && this.#mode === 'shared') this.#lost();
      this.#task.hurry();
    });
  }

  get mode(): StandingMode {
    const isLeaseOver = this.#mode === 'apart' && this.#isShared && systemClock.nowMs() > this.#leaseEndsMs;
    return isLeaseOver ? 'moving' : this.#mode;
  }

  /** Raised whenever what is known may have become wrong: an answer that was asked for in another term is void. */
  get term(): number {
    return this.#term;
  }

  get epoch(): string {
    return this.#membership?.epoch ?? '';
  }

  /** Among how many the limits are divided. */
  get processCount(): number {
    return Math.max(1, this.#membership?.processes.length ?? 1);
  }

  /** Redis has shown that it is another one. */
  leaveShared(): void {
    if (this.#mode === 'shared') this.#lost();
    this.#task.hurry();
  }

  /** Once the mode is certain, or after the time that a request may wait. */
  settled(): Promise<void> {
    const restMs = this.#movingSinceMs + HOLD_MS - systemClock.nowMs();
    if (this.mode !== 'moving' || restMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, restMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#forget();
    await this.#task.stop();
    const { members, peers } = this.#options;
    await members.leave();
    await peers.leave().catch(() => undefined);
  }

  get #isShared(): boolean {
    return this.processCount > 1;
  }

  #lost(): void {
    this.#lostAtMs = systemClock.nowMs();
    this.#hasTold = false;
    this.#isDivided = false;
    this.#move('moving');
  }

  #move(mode: StandingMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#term++;
    this.#options.moved(mode);
    if (mode === 'moving') {
      this.#movingSinceMs = systemClock.nowMs();
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  async #tick(): Promise<number> {
    const { redis, log } = this.#options;
    try {
      if (!redis.isUp) await this.#standApart();
      else if (this.#mode === 'shared') await this.#beat();
      else await this.#join();
    } catch (error) {
      const level = redis.isUp && !this.#hasComplained ? 'warn' : 'debug';
      log[level]({ err: error }, 'windows could not be shared; trying again');
      this.#hasComplained ||= redis.isUp;
    }
    return this.#mode === 'shared' ? BEAT_EVERY_MS : HURRIED_EVERY_MS;
  }

  async #beat(): Promise<void> {
    const heard = await this.#options.members.beat('', false);
    if (heard === null || heard.epoch !== this.epoch) return this.leaveShared();
    this.#membership = heard;
    if (systemClock.nowMs() < this.#rowDueMs) return;
    await this.#tell('shared', heard, null);
  }

  async #tell(standing: WindowStanding, membership: Membership, takes: TakeReport | null): Promise<void> {
    await this.#options.peers.tell(standing, nameOf(membership), takes);
    this.#rowDueMs = systemClock.nowMs() + ROW_EVERY_MS;
  }

  /** Nobody may count in Redis before all that was counted without it is there. */
  async #join(): Promise<void> {
    const { redis, flush, restore, joined, log } = this.#options;
    this.#move('moving');
    await within(PATIENCE_MS, flush()).catch(() => undefined);
    const heard = await this.#options.members.beat(crypto.randomUUID(), true);
    if (heard === null) return;
    await restore(this.#membership !== null && heard.epoch !== this.#membership.epoch);
    const startedMs = systemClock.nowMs();
    while (!(await this.#isAlone(heard, startedMs))) {
      await systemClock.sleep(HURRIED_EVERY_MS);
      // Goes on being known to Redis; throws when it is away again.
      if ((await this.#options.members.beat('', false))?.epoch !== heard.epoch) return;
    }
    const now = await this.#options.members.beat('', false);
    if (now?.epoch !== heard.epoch || !redis.isUp) return;
    this.#membership = now;
    joined();
    this.#hasComplained = false;
    this.#move('shared');
    await this.#tell('shared', now, {}).catch(() => undefined);
    log.info({ processes: now.processes.length }, 'windows are shared through Redis');
  }

  /** No process counts outside of this Redis any more, or what it counted there has left the minute. */
  async #isAlone(heard: Membership, startedMs: number): Promise<boolean> {
    const waitedMs = systemClock.nowMs() - startedMs;
    if (waitedMs > MINUTE_MS + LEASE_MS) return true;
    try {
      await this.#tell('joining', heard, null);
      const others = await this.#options.peers.others();
      return !others.some((other) => isOutside(other, heard.epoch));
    } catch {
      return waitedMs > BLIND_JOIN_MS;
    }
  }

  async #standApart(): Promise<void> {
    const { flush, report, apart, log, redis } = this.#options;
    const membership = this.#membership;
    if (membership === null) return;
    try {
      if (!this.#hasTold) await within(PATIENCE_MS, flush());
      await this.#tell('apart', membership, this.#hasTold ? null : report());
      this.#hasTold = true;
    } catch (error) {
      // Whoever is alone needs nobody's word.
      if (this.#isShared) throw error;
    }
    const askedAtMs = systemClock.nowMs();
    const reports = this.#isShared ? await this.#reportsOf(membership) : [];
    if (reports === null) return this.#move('moving');
    this.#leaseEndsMs = askedAtMs + LEASE_MS;
    if (this.#mode === 'apart') return;
    if (!this.#isDivided) await apart(reports);
    this.#isDivided = true;
    if (redis.isUp) return;
    this.#move('apart');
    log.warn({ processes: this.processCount }, 'windows are counted without Redis, in equal shares');
  }

  /** What the others counted in the minute before; null while one of them may still count in Redis. */
  async #reportsOf(membership: Membership): Promise<TakeReport[] | null> {
    const others = await this.#options.peers.others();
    const apart = others.filter(
      (other) => other.standing === 'apart' && other.membership === nameOf(membership),
    );
    if (others.some((other) => other.isAlive && !apart.includes(other))) return null;
    const isComplete = apart.length === membership.processes.length - 1;
    // One that is gone has told nothing; what it counted leaves the minute after a minute.
    const isForgotten = systemClock.nowMs() - this.#lostAtMs > MINUTE_MS;
    return isComplete || isForgotten ? apart.map((other) => other.takes) : null;
  }
}

/** Still counts on its own, or has not told the new Redis what it counted in the last minute. */
function isOutside(other: Peer, epoch: string): boolean {
  return other.isAlive && (other.standing === 'apart' || !other.membership.startsWith(`${epoch}/`));
}

import { within } from '../../../base/async/within.ts';
import { systemClock } from '../../../base/clock.ts';
import { type RepeatingTask, startRepeatingTask } from '../../../base/repeating-task.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import type { RequestReport } from './counted-requests.ts';
import { type Membership, nameOf } from './members/members.ts';
import { lacksCountsOf, localReports, type PeerMode } from './members/peers.ts';
import { SeenMembers } from './members/seen-members.ts';
import type { ModeOptions, WindowsMode } from './mode-options.ts';

const HEARTBEAT_EVERY_MS = 500;
const ROW_EVERY_MS = 2_000;
/** While the mode is not `shared`. */
const RETRY_EVERY_MS = 100;
/** How long the last read of the other processes' rows is valid: less than a process waits when it joins. */
const PEERS_VALID_MS = 1_000;
/** How long a process waits to join without the database, which cannot say who still counts locally. */
const BLIND_JOIN_MS = 1_500;
/** How long requests wait for a switch of the mode before they are refused. */
const HOLD_MS = 2_000;
const DATABASE_TIMEOUT_MS = 1_000;

/**
 * Mode of the shared rate limits. `shared`: requests are counted in Redis. `local`: Redis is unavailable for every
 * process, all have reported the requests of their last minute through the database, and each has 1/N of what was left.
 * `switching`: requests wait up to 2 s, then get 429. A process that alone has lost Redis stays in `switching`, because
 * the others may use up the limit.
 */
export class ModeSwitch {
  readonly #options: ModeOptions;
  readonly #task: RepeatingTask;
  readonly #removeListener: () => void;
  #mode: WindowsMode = 'switching';
  #term = 0;
  #membership: Membership | null = null;
  readonly #seenMembers = new SeenMembers();
  #lostAtMs = systemClock.monotonicMs();
  #switchingSinceMs = systemClock.monotonicMs();
  #hasReported = false;
  #hasShare = false;
  #peersValidUntilMs = 0;
  #rowDueMs = 0;
  #hasWarned = false;
  #waiting: (() => void)[] = [];

  constructor(options: ModeOptions) {
    this.#options = options;
    // Real time, even where a test moves the windows' clock: Redis and the database run in real time.
    this.#task = startRepeatingTask({
      name: 'share windows',
      everyMs: HEARTBEAT_EVERY_MS,
      clock: systemClock,
      log: options.log,
      run: () => this.#tick(),
    });
    this.#removeListener = options.redis.onChange(({ isUp }) => {
      if (!isUp && this.#mode === 'shared') this.#startSwitching();
      this.#task.hurry();
    });
  }

  get mode(): WindowsMode {
    const isExpired =
      this.#mode === 'local' && this.#hasPeers && systemClock.monotonicMs() > this.#peersValidUntilMs;
    return isExpired ? 'switching' : this.#mode;
  }

  /** Increases with every change of the mode. A reply to a command sent in an earlier term is void. */
  get term(): number {
    return this.#term;
  }

  get epoch(): string {
    return this.#membership?.epoch ?? '';
  }

  /** The number of processes that share the limits. */
  get processCount(): number {
    return Math.max(1, this.#membership?.processes.length ?? 1);
  }

  /** Called when a reply shows that this is another Redis. */
  leaveShared(): void {
    if (this.#mode === 'shared') this.#startSwitching();
    this.#task.hurry();
  }

  /** Called when this process counts by another layout: a share that was computed for the one before is void. */
  onLayoutChange(): void {
    this.#hasReported = false;
    this.#hasShare = false;
    if (this.#mode === 'local') this.#setMode('switching');
  }

  /** Resolves when the mode is `shared` or `local`, or when a request has waited long enough. */
  settled(): Promise<void> {
    const restMs = this.#switchingSinceMs + HOLD_MS - systemClock.monotonicMs();
    if (this.mode !== 'switching' || restMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, restMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#removeListener();
    await this.#task.stop();
    const { members, peers } = this.#options;
    await members.leave();
    await peers.leave().catch(() => undefined);
  }

  /** With several servers, a process that does not count on this one may be counting on another. */
  get #hasPeers(): boolean {
    return this.processCount > 1 || this.#options.isSpread();
  }

  async #refreshLayout(isNeeded: boolean): Promise<void> {
    await this.#options.refreshLayout().catch((error: unknown) => {
      if (isNeeded) throw error;
    });
  }

  #startSwitching(): void {
    this.#lostAtMs = systemClock.monotonicMs();
    this.#hasReported = false;
    this.#hasShare = false;
    this.#setMode('switching');
  }

  #setMode(mode: WindowsMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#term++;
    this.#options.onChange(mode);
    if (mode === 'switching') {
      this.#switchingSinceMs = systemClock.monotonicMs();
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  async #tick(): Promise<number> {
    const { redis, log } = this.#options;
    try {
      if (!redis.isUp) await this.#goLocal();
      else if (this.#mode === 'shared') await this.#heartbeat();
      else await this.#join();
    } catch (error) {
      const level = redis.isUp && !this.#hasWarned ? 'warn' : 'debug';
      log[level]({ err: error }, 'could not switch how requests are counted; trying again');
      this.#hasWarned ||= redis.isUp;
    }
    return this.#mode === 'shared' ? HEARTBEAT_EVERY_MS : RETRY_EVERY_MS;
  }

  async #heartbeat(): Promise<void> {
    const membership = await this.#options.members.heartbeat('', false);
    if (membership === null || membership.epoch !== this.epoch) return this.leaveShared();
    this.#setMembership(membership);
    if (systemClock.monotonicMs() < this.#rowDueMs) return;
    await this.#writeRow('shared', membership, null);
  }

  #setMembership(membership: Membership): void {
    this.#membership = membership;
    this.#seenMembers.add(membership.processes);
  }

  async #writeRow(mode: PeerMode, membership: Membership, report: RequestReport | null): Promise<void> {
    await this.#options.peers.write(mode, this.#nameOf(membership), report);
    this.#rowDueMs = systemClock.monotonicMs() + ROW_EVERY_MS;
  }

  #nameOf(membership: Membership): string {
    return nameOf(membership, this.#options.layoutVersion());
  }

  /** Returns to Redis. No process counts there before Redis has all that was counted without it. */
  async #join(): Promise<void> {
    const { redis, members, flush, restore, onShared, log, isSpread } = this.#options;
    this.#setMode('switching');
    await within(DATABASE_TIMEOUT_MS, flush()).catch(() => undefined);
    const joined = await members.heartbeat(crypto.randomUUID(), true);
    if (joined === null) return;
    // A server that has lost its counts has lost the version of the layout too.
    if (joined.epoch !== this.#membership?.epoch) await this.#refreshLayout(isSpread());
    await restore(this.#membership !== null && joined.epoch !== this.#membership.epoch);
    const startedMs = systemClock.monotonicMs();
    let known = joined;
    while (!(await this.#haveAllJoined(known, startedMs))) {
      await systemClock.sleep(RETRY_EVERY_MS);
      // Keeps the membership in Redis; throws if Redis is unavailable again.
      const next = await members.heartbeat('', false);
      if (next?.epoch !== joined.epoch) return;
      known = next;
    }
    const current = await members.heartbeat('', false);
    if (current?.epoch !== joined.epoch || !redis.isUp) return;
    this.#setMembership(current);
    onShared();
    this.#hasWarned = false;
    this.#setMode('shared');
    await this.#writeRow('shared', current, {}).catch(() => undefined);
    log.info({ processes: current.processes.length }, 'requests are counted in Redis');
  }

  /**
   * Whether this Redis has all requests of the last minute that any process has passed, or those that it lacks have
   * expired. A process that died has added nothing, so the others wait until its last minute is over.
   */
  async #haveAllJoined(joined: Membership, startedMs: number): Promise<boolean> {
    const waitedMs = systemClock.monotonicMs() - startedMs;
    const isExpired = waitedMs > MINUTE_MS + PEERS_VALID_MS;
    try {
      await this.#writeRow('joining', joined, null);
      const others = await this.#options.peers.others();
      // Also one that died before this process started may have counted in the last minute.
      this.#seenMembers.add(others.map(({ processId }) => processId));
      const missing = others.filter((other) => lacksCountsOf(other, joined.epoch));
      if (!isExpired) return missing.length === 0;
      const isElsewhere = missing.some(({ isAlive, mode }) => isAlive && mode === 'shared');
      if (isElsewhere) this.#warnOfAnotherRedis();
      return !isElsewhere;
    } catch {
      return isExpired || (waitedMs > BLIND_JOIN_MS && !this.#isMissingIn(joined));
    }
  }

  #warnOfAnotherRedis(): void {
    if (!this.#hasWarned)
      this.#options.log.error(
        'another process counts requests in another Redis; REDIS_URL must be the same for all processes',
      );
    this.#hasWarned = true;
  }

  /** Whether this is another Redis, and a process that counted in the last one has not joined it. */
  #isMissingIn({ epoch, processes }: Membership): boolean {
    const before = this.#membership;
    if (before === null || before.epoch === epoch) return false;
    return before.processes.some((processId) => !processes.includes(processId));
  }

  async #goLocal(): Promise<void> {
    const { flush, report, onLocal, log, redis, layoutVersion } = this.#options;
    const membership = this.#membership;
    if (membership === null) return;
    try {
      await this.#refreshLayout(this.#hasPeers);
      if (!this.#hasReported) await within(DATABASE_TIMEOUT_MS, flush());
      await this.#writeRow('local', membership, this.#hasReported ? null : report());
      this.#hasReported = true;
    } catch (error) {
      // A single process needs no report of others, and so no database.
      if (this.#hasPeers) throw error;
    }
    if (this.#seenMembers.isAnyMissingIn(membership)) return this.#setMode('switching');
    const version = layoutVersion();
    const readAtMs = systemClock.monotonicMs();
    const reports = await this.#reportsOf(membership);
    if (reports === null) return this.#setMode('switching');
    this.#peersValidUntilMs = readAtMs + PEERS_VALID_MS;
    if (this.#mode === 'local') return;
    if (!this.#hasShare) await onLocal(reports);
    if (version !== layoutVersion()) return;
    this.#hasShare = true;
    if (redis.isUp) return;
    this.#setMode('local');
    log.warn(
      { processes: this.processCount },
      'requests are counted without Redis, each process by its share',
    );
  }

  /** The last minute of the other processes before the outage; null while one of them may still count in Redis. */
  async #reportsOf(membership: Membership): Promise<RequestReport[] | null> {
    const others = await this.#options.peers.others().catch((error: unknown) => {
      if (this.#hasPeers) throw error;
      return [];
    });
    // What a process that died had counted expires after a minute.
    const isExpired = systemClock.monotonicMs() - this.#lostAtMs > MINUTE_MS;
    return localReports(others, membership.processes, this.#nameOf(membership), isExpired);
  }
}

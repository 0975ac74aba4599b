import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { type Redis, RedisUnavailableError } from '../storage/redis/redis.ts';
import { LEASE_RELEASE, LEASE_ROUND, parseLeaseRound } from './lease-script.ts';

export interface LeaseEvents {
  /** This process holds the lease, with a fencing number higher than that of every former holder. */
  onTaken(name: string, fence: number): void;
  /** The lease may have expired: nothing may be published under it until `onTaken`. `onGone` ends it. */
  onDoubt(name: string): void;
  /** The lease is lost, or given up for a fair share. It is released when the promise has resolved. */
  onGone(name: string): Promise<void>;
}

export interface LeasesOptions {
  redis: Redis;
  /** Real time, except in tests: the leases of other machines expire in real time. */
  clock: Clock;
  log: Log;
  metrics?: Metrics;
  namespace: string;
  /** Unique to this run of this process. */
  owner: string;
  /** Leases divided evenly among the live collectors. */
  shared: readonly string[];
  /** Leases that the first collector to ask holds. */
  single: readonly string[];
  ttlMs: number;
  events: LeaseEvents;
}

interface Held {
  fence: number;
  /** By the clock of this process, and before the lease expires in Redis. */
  validUntilMs: number;
  isDoubtful: boolean;
}

const ROUNDS_PER_TTL = 6;
/** A holder stops publishing this early, so that its last message arrives before another holder starts. */
const SAFE_SHARE_OF_TTL = 0.75;
/** The heartbeat of a dead collector expires before its leases, so that the share of the others has grown by then. */
const HEARTBEAT_SHARE_OF_TTL = 0.9;
/** After a Redis outage, collectors wait this share of the TTL before taking leases that others held. */
const GRACE_SHARE_OF_TTL = 0.5;

/** The leases of one collector. Each lease has one holder at a time, and expires unless the holder renews it. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #held = new Map<string, Held>();
  /** Lost leases whose work has not stopped yet. */
  readonly #leaving = new Set<string>();
  #ending: Promise<unknown> = Promise.resolve();
  /** Whether Redis has received a round since it was last unavailable. */
  #isJoined = false;
  #graceUntilMs = Number.NEGATIVE_INFINITY;
  #live = 0;
  #task: RepeatingTask | null = null;

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** As of the last round, including this collector. */
  get liveCollectors(): number {
    return this.#live;
  }

  /** The fencing number to publish under; null while nothing may be published. */
  fenceOf(name: string): number | null {
    const held = this.#held.get(name);
    return held && !held.isDoubtful && this.#options.clock.monotonicMs() < held.validUntilMs
      ? held.fence
      : null;
  }

  /** Starts to take and renew leases. When it resolves the first are taken, unless Redis is unavailable. */
  async join(): Promise<void> {
    const { clock, log, ttlMs } = this.#options;
    await this.round();
    await this.round();
    const everyMs = Math.round(ttlMs / ROUNDS_PER_TTL);
    this.#task = startRepeatingTask({
      name: 'renew leases',
      everyMs,
      firstDelayMs: everyMs,
      clock,
      log,
      run: async () => {
        await this.round();
        return undefined;
      },
    });
  }

  /** Releases all leases. The work under them must have stopped. */
  async leave(): Promise<void> {
    await this.#task?.stop();
    await this.#ending;
    await this.#release([...this.#held.keys()], true).catch(() => undefined);
    this.#held.clear();
  }

  async round(): Promise<void> {
    const { redis, namespace, owner, ttlMs, clock, shared } = this.#options;
    const names = this.#names();
    const sentAtMs = clock.monotonicMs();
    const keys = [`${namespace}:collectors`, ...names.flatMap((name) => this.#keysOf(name))];
    const heartbeatMs = String(Math.round(ttlMs * HEARTBEAT_SHARE_OF_TTL));
    const wanted = names.map((name) => this.#wantedOf(name));
    let reply: unknown;
    try {
      const args = [owner, heartbeatMs, String(ttlMs), String(shared.length), ...wanted];
      reply = await redis.run(LEASE_ROUND, keys, args);
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) throw error;
      this.#isJoined = false;
      this.#graceUntilMs = Number.POSITIVE_INFINITY;
      this.#doubtExpired();
      return;
    }
    const round = parseLeaseRound(reply, names.length);
    if (round === null) {
      this.#options.metrics?.clusterMessages.inc({ kind: 'lease', outcome: 'unreadable' });
      this.#options.log.error('ignored an unreadable reply about leases; none is renewed in this round');
      this.#doubtExpired();
      return;
    }
    this.#isJoined = true;
    if (this.#graceUntilMs === Number.POSITIVE_INFINITY) this.#startGrace();
    this.#live = round.liveCollectors;
    const lost: string[] = [];
    for (const [i, name] of names.entries()) {
      const lease = round.leases[i];
      const isOurs = lease?.holder === owner && !this.#leaving.has(name);
      if (isOurs) this.#renewed(name, lease.fence, sentAtMs);
      else if (this.#held.has(name)) lost.push(name);
    }
    this.#end(lost);
    this.#giveUpSurplus();
  }

  #renewed(name: string, fence: number, sentAtMs: number): void {
    const { ttlMs, events } = this.#options;
    const before = this.#held.get(name);
    const validUntilMs = sentAtMs + ttlMs * SAFE_SHARE_OF_TTL;
    // A new number for a lease that was never released: Redis has lost its data.
    if (before && before.fence !== fence) this.#startGrace();
    this.#held.set(name, { fence, validUntilMs, isDoubtful: false });
    if (!before || before.isDoubtful || before.fence !== fence) events.onTaken(name, fence);
  }

  #startGrace(): void {
    const { clock, ttlMs } = this.#options;
    this.#graceUntilMs = clock.monotonicMs() + ttlMs * GRACE_SHARE_OF_TTL;
  }

  #doubtExpired(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const [name, held] of this.#held) {
      if (held.isDoubtful || nowMs < held.validUntilMs) continue;
      held.isDoubtful = true;
      this.#options.events.onDoubt(name);
    }
  }

  #giveUpSurplus(): void {
    const { shared, log } = this.#options;
    const ours = shared.filter((name) => this.#held.has(name));
    const surplus = ours.slice(Math.ceil(shared.length / Math.max(1, this.#live)));
    if (surplus.length === 0) return;
    log.info(
      { leases: surplus, collectors: this.#live },
      'gave up leases for a fair share of another collector',
    );
    this.#end(surplus);
  }

  /** Not awaited: work that takes long to stop must not delay the renewal of other leases. */
  #end(names: readonly string[]): void {
    const { events, log } = this.#options;
    for (const name of names) {
      this.#held.delete(name);
      this.#leaving.add(name);
      const ended = events
        .onGone(name)
        .catch((error: unknown) =>
          log.error({ err: error, lease: name }, 'could not stop the work under a lease'),
        )
        // A lease that is not released expires. The script releases no lease of another collector.
        .then(() => this.#release([name], false))
        .catch(() => undefined)
        .then(() => void this.#leaving.delete(name));
      this.#ending = Promise.all([this.#ending, ended]);
    }
  }

  async #release(names: readonly string[], isLeaving: boolean): Promise<void> {
    const { redis, namespace, owner } = this.#options;
    const leases = names.map((name) => this.#keysOf(name)[0]);
    await redis.run(LEASE_RELEASE, [`${namespace}:collectors`, ...leases], [owner, isLeaving ? '1' : '0']);
  }

  #names(): string[] {
    return [...this.#options.shared, ...this.#options.single];
  }

  #wantedOf(name: string): string {
    if (this.#held.has(name)) return 'keep';
    if (this.#leaving.has(name) || !this.#isJoined || this.#options.clock.monotonicMs() < this.#graceUntilMs)
      return 'look';
    return this.#options.single.includes(name) ? 'any' : 'share';
  }

  #keysOf(name: string): [lease: string, number: string] {
    const { namespace } = this.#options;
    return [`${namespace}:lease:${name}`, `${namespace}:fence:${name}`];
  }
}

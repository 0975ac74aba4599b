import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { type Redis, RedisUnavailableError } from '../storage/redis/redis.ts';
import { LEASE_RELEASE, LEASE_ROUND } from './lease-script.ts';

export interface LeaseEvents {
  /** Ours from now on, with a number that is higher than that of every holder before. */
  onTaken(name: string, fence: number): void;
  /** It may have run out: nothing may be published under it. It comes back by `onTaken`, or goes by `onGone`. */
  onDoubt(name: string): void;
  /** No longer ours. Also called before one is given up for a fairer share; it is released when that has resolved. */
  onGone(name: string): Promise<void>;
}

export interface LeasesOptions {
  redis: Redis;
  /** Leases are a matter of real time: other machines' clocks are not moved with ours. */
  clock: Clock;
  log: Log;
  namespace: string;
  /** Names this process, and no other that ever was. */
  owner: string;
  /** Shared out evenly among the collectors that live. */
  shared: readonly string[];
  /** Held by whoever comes first. */
  single: readonly string[];
  ttlMs: number;
  events: LeaseEvents;
}

interface Held {
  fence: number;
  /** By our own clock, and before Redis lets anybody else have it. */
  validUntilMs: number;
  isDoubtful: boolean;
}

const ROUNDS_PER_TTL = 6;
/** We stop before the others may start, however long a message of ours is under way. */
const SAFE_SHARE_OF_TTL = 0.75;
/** The dead are forgotten before their leases end, so that the living then find room in their share. */
const LIFE_SHARE_OF_TTL = 0.9;
/** When Redis has been away, everybody gets so long to come back before another takes what was theirs. */
const COME_BACK_SHARE_OF_TTL = 0.5;

/** The leases of one collector: each is held by one collector at a time, and by nobody for longer than it lives. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #held = new Map<string, Held>();
  /** No longer ours, though the work under it may not have stopped yet. */
  readonly #leaving = new Set<string>();
  #ending: Promise<unknown> = Promise.resolve();
  /** Redis has heard of us since it was last away. */
  #isKnown = false;
  #othersFirstUntilMs = Number.NEGATIVE_INFINITY;
  #live = 0;
  #task: RepeatingTask | null = null;

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** Collectors that live, ourselves included, as of the last round. */
  get liveCollectors(): number {
    return this.#live;
  }

  /** The number to publish under, or null when nothing may be published. */
  fenceOf(name: string): number | null {
    const held = this.#held.get(name);
    return held && !held.isDoubtful && this.#options.clock.nowMs() < held.validUntilMs ? held.fence : null;
  }

  /** Takes part from now on; the first leases are there when it resolves, if Redis is. */
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

  /** Gives everything back. The work must have stopped before. */
  async leave(): Promise<void> {
    await this.#task?.stop();
    await this.#ending;
    await this.#release([...this.#held.keys()], true).catch(() => undefined);
    this.#held.clear();
  }

  async round(): Promise<void> {
    const { redis, namespace, owner, ttlMs, clock, shared } = this.#options;
    const names = this.#names();
    const sentAtMs = clock.nowMs();
    const keys = [`${namespace}:collectors`, ...names.flatMap((name) => this.#keysOf(name))];
    const lifeMs = String(Math.round(ttlMs * LIFE_SHARE_OF_TTL));
    const wanted = names.map((name) => this.#wantedOf(name));
    let answer: string[];
    try {
      answer = (await redis.run(LEASE_ROUND, keys, [
        owner,
        lifeMs,
        String(ttlMs),
        String(shared.length),
        ...wanted,
      ])) as string[];
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) throw error;
      this.#isKnown = false;
      this.#othersFirstUntilMs = Number.POSITIVE_INFINITY;
      this.#doubtWhatRanOut();
      return;
    }
    this.#isKnown = true;
    if (this.#othersFirstUntilMs === Number.POSITIVE_INFINITY) this.#letOthersComeFirst();
    this.#live = Number(answer[0]);
    const lost: string[] = [];
    for (const [i, name] of names.entries()) {
      const isOurs = answer[1 + 2 * i] === owner && !this.#leaving.has(name);
      if (isOurs) this.#renewed(name, Number(answer[2 + 2 * i]), sentAtMs);
      else if (this.#held.has(name)) lost.push(name);
    }
    this.#end(lost);
    this.#giveUpSurplus();
  }

  #renewed(name: string, fence: number, sentAtMs: number): void {
    const { ttlMs, events } = this.#options;
    const before = this.#held.get(name);
    const validUntilMs = sentAtMs + ttlMs * SAFE_SHARE_OF_TTL;
    // Taken back where it had never been let go: Redis was emptied.
    if (before && before.fence !== fence) this.#letOthersComeFirst();
    this.#held.set(name, { fence, validUntilMs, isDoubtful: false });
    if (!before || before.isDoubtful || before.fence !== fence) events.onTaken(name, fence);
  }

  #letOthersComeFirst(): void {
    const { clock, ttlMs } = this.#options;
    this.#othersFirstUntilMs = clock.nowMs() + ttlMs * COME_BACK_SHARE_OF_TTL;
  }

  #doubtWhatRanOut(): void {
    const nowMs = this.#options.clock.nowMs();
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
    log.info({ leases: surplus, collectors: this.#live }, 'leases given up for another collector');
    this.#end(surplus);
  }

  /** Not awaited: work that takes long to stop must not keep the other leases from being renewed. */
  #end(names: readonly string[]): void {
    const { events, log } = this.#options;
    for (const name of names) {
      this.#held.delete(name);
      this.#leaving.add(name);
      const ended = events
        .onGone(name)
        .catch((error: unknown) => log.error({ err: error, lease: name }, 'work under a lease not stopped'))
        // Unreleased, it runs out by itself. One that another has is not touched.
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
    if (this.#leaving.has(name) || !this.#isKnown || this.#options.clock.nowMs() < this.#othersFirstUntilMs)
      return 'look';
    return this.#options.single.includes(name) ? 'any' : 'share';
  }

  #keysOf(name: string): [lease: string, number: string] {
    const { namespace } = this.#options;
    return [`${namespace}:lease:${name}`, `${namespace}:fence:${name}`];
  }
}

import { systemClock } from '../../../base/clock.ts';
import type { Redis } from '../../../storage/redis/redis.ts';
import type { RedisNames } from '../../redis-names.ts';
import { BEAT, LEAVE } from './scripts.ts';

/** The processes that count in one Redis, and which Redis that is. */
export interface Membership {
  epoch: string;
  processes: readonly string[];
}

export interface MembersOptions {
  redis: Redis;
  names: RedisNames;
  processId: string;
  /** What Redis said: the directory's revision, and its time less this machine's. */
  heard(revision: number, skewMs: number): void;
}

/** Who has not beaten for this long is no member any more. */
const SILENCE_MS = 3_000;

export class Members {
  readonly #options: MembersOptions;

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  /** Shows that this process lives. Null when the Redis is a new one, and no name for it was proposed. */
  async beat(proposedEpoch: string, isNew: boolean): Promise<Membership | null> {
    const { redis, names, processId, heard } = this.#options;
    const askedAtMs = systemClock.nowMs();
    const reply = (await redis.run(
      BEAT,
      [names.cluster, names.processes],
      [processId, proposedEpoch, String(SILENCE_MS), isNew ? '1' : '0'],
    )) as [string, number, number, number, string[]] | [];
    if (reply.length === 0) return null;
    const [epoch, , revision, redisMs, processes] = reply;
    heard(revision, redisMs - (askedAtMs + systemClock.nowMs()) / 2);
    return { epoch, processes: processes.toSorted() };
  }

  async leave(): Promise<void> {
    const { redis, names, processId } = this.#options;
    if (!redis.isUp) return;
    await redis.run(LEAVE, [names.cluster, names.processes], [processId]).catch(() => undefined);
  }
}

export function nameOf({ epoch, processes }: Membership): string {
  return `${epoch}/${processes.join(',')}`;
}

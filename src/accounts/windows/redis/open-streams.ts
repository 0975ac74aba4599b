import { type Redis, RedisUnavailableError } from '../../../storage/redis/redis.ts';
import type { RedisNames } from '../../redis-names.ts';
import { MemoryOpenStreams, type OpenStreams } from '../open-streams.ts';
import { MEMBER_TTL_MS } from './members/members.ts';
import { SET_STREAMS } from './scripts.ts';

const NO_LIMIT = -1;

/**
 * The open streams of all processes. Each process keeps its own count in Redis, and the count of a process that died is
 * dropped with its heartbeat. While Redis is unavailable the limit holds for each process.
 */
export class RedisOpenStreams implements OpenStreams {
  readonly #redis: Redis;
  readonly #names: RedisNames;
  readonly #processId: string;
  readonly #own = new MemoryOpenStreams();
  readonly #removeListener: () => void;

  constructor(redis: Redis, names: RedisNames, processId: string) {
    this.#redis = redis;
    this.#names = names;
    this.#processId = processId;
    // Redis may have been restarted empty.
    this.#removeListener = redis.onChange(({ isUp }) => {
      if (isUp) for (const slotId of this.#own.slotIds()) this.#store(slotId);
    });
  }

  async open(slotId: string, limit: number): Promise<boolean> {
    // Counted before the call, so that parallel calls of this process see each other.
    if (!this.#own.open(slotId, limit)) return false;
    if (await this.#set(slotId, limit)) return true;
    this.#own.close(slotId);
    return false;
  }

  close(slotId: string): void {
    this.#own.close(slotId);
    this.#store(slotId);
  }

  stop(): void {
    this.#removeListener();
  }

  #store(slotId: string): void {
    void this.#set(slotId, NO_LIMIT);
  }

  async #set(slotId: string, limit: number): Promise<boolean> {
    const keys = [this.#names.streams(slotId), this.#names.processes];
    const args = [this.#processId, String(this.#own.countOf(slotId)), String(limit), String(MEMBER_TTL_MS)];
    try {
      return (await this.#redis.run(SET_STREAMS, keys, args)) !== 0;
    } catch (error) {
      if (error instanceof RedisUnavailableError) return true;
      throw error;
    }
  }
}

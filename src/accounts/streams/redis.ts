import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { type Redis, RedisUnavailableError, redisScript } from '../../storage/redis/redis.ts';
import type { RedisNames } from '../redis-names.ts';
import { MemoryOpenStreams, type OpenStreams } from './memory.ts';

/** Each count is written again this often; without that for three times as long it is dropped. */
const REFRESH_EVERY_MS = 5 * SECOND_MS;
const TTL_MS = 3 * REFRESH_EVERY_MS;
const NO_LIMIT = -1;

/**
 * Sets the number of open streams that a process has on a slot, if all processes together stay within the limit. Counts that
 * were not refreshed are dropped, so a killed process frees its streams. Returns 1, or 0 if nothing was set. KEYS: counts
 * by process. ARGV: process, its count, limit (negative: none), lifetime of a count in ms.
 */
const SET_STREAMS = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local own, limit, ttl = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local open = own
local counts = redis.call('HGETALL', KEYS[1])
for place = 1, #counts, 2 do
  local count, seen = string.match(counts[place + 1], '(%d+) (%d+)')
  if tonumber(seen) <= now - ttl then redis.call('HDEL', KEYS[1], counts[place])
  elseif counts[place] ~= ARGV[1] then open = open + tonumber(count) end
end
if limit >= 0 and open > limit then return 0 end
if own > 0 then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %d', own, now))
  redis.call('PEXPIRE', KEYS[1], ttl)
else redis.call('HDEL', KEYS[1], ARGV[1]) end
return 1`);

/** The open streams of all processes. While Redis is unavailable the limit holds for each process. */
export class RedisOpenStreams implements OpenStreams {
  readonly #redis: Redis;
  readonly #names: RedisNames;
  readonly #processId: string;
  readonly #own = new MemoryOpenStreams();
  readonly #stop: () => Promise<void>;

  constructor(redis: Redis, names: RedisNames, processId: string, log: Log) {
    this.#redis = redis;
    this.#names = names;
    this.#processId = processId;
    const refresh = async () => {
      await Promise.all(this.#own.slotIds().map((slotId) => this.#set(slotId, NO_LIMIT)));
      return undefined;
    };
    const task = startRepeatingTask({
      ...{ name: 'refresh open streams', everyMs: REFRESH_EVERY_MS, firstDelayMs: REFRESH_EVERY_MS },
      // The counts expire by the clock of Redis, which no test moves.
      ...{ clock: systemClock, log, run: refresh },
    });
    // Redis may have been restarted empty.
    const removeListener = redis.onChange((isUp) => isUp && void refresh());
    this.#stop = async () => {
      removeListener();
      await task.stop();
    };
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
    void this.#set(slotId, NO_LIMIT);
  }

  /** Frees the places of this process. */
  async stop(): Promise<void> {
    await this.#stop();
    await Promise.all(this.#own.slotIds().map((slotId) => this.#set(slotId, NO_LIMIT, 0)));
  }

  async #set(slotId: string, limit: number, count = this.#own.countOf(slotId)): Promise<boolean> {
    const args = [this.#processId, count, limit, TTL_MS].map(String);
    try {
      return (await this.#redis.run(SET_STREAMS, [this.#names.streams(slotId)], args)) !== 0;
    } catch (error) {
      if (error instanceof RedisUnavailableError) return true;
      throw error;
    }
  }
}

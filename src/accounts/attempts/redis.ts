import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Redis, RedisUnavailableError, redisScript } from '../../storage/redis/redis.ts';
import type { RedisNames } from '../redis-names.ts';
import { AttemptLimit, type AttemptRules, type Attempts } from './memory.ts';

/**
 * Attempts under one name within a sliding time, only the newest of them. ARGV: now (negative: Redis's own time), time in
 * ms, most, a name for this attempt (empty: none), 1 when it counts even beyond the limit. Gives the wait in ms before
 * and after it, -1 for none.
 */
const ATTEMPT = redisScript(`
local now = tonumber(ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local within, most = tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - within)
local function waitMs()
  local first = redis.call('ZRANGE', KEYS[1], -most, -most, 'WITHSCORES')
  if not first[2] then return -1 end
  return math.max(0, tonumber(first[2]) + within - now)
end
local before = waitMs()
if ARGV[4] ~= '' and (before < 0 or ARGV[5] == '1') then
  redis.call('ZADD', KEYS[1], now, ARGV[4])
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -most - 1)
  redis.call('PEXPIRE', KEYS[1], within)
end
return {before, waitMs()}`);

/** Attempts counted over all processes. While Redis is away each process goes on with those that it has seen itself. */
export class RedisAttempts implements Attempts {
  readonly #redis: Redis;
  readonly #keyOf: (name: string) => string;
  readonly #rules: AttemptRules;
  readonly #clock: Clock;
  readonly #own: AttemptLimit;
  readonly #process = randomUUID().slice(0, 13);
  #number = 0;

  constructor(redis: Redis, names: RedisNames, limit: string, rules: AttemptRules, clock: Clock) {
    this.#redis = redis;
    this.#keyOf = (name) => names.attempts(limit, name);
    this.#rules = rules;
    this.#clock = clock;
    this.#own = new AttemptLimit(rules, clock);
  }

  async waitSeconds(name: string): Promise<number | null> {
    const waits = await this.#ask(name, false, false);
    return waits ? secondsOf(waits[0]) : this.#own.waitSeconds(name);
  }

  async note(name: string): Promise<void> {
    this.#own.note(name);
    await this.#ask(name, true, true);
  }

  async take(name: string): Promise<number | null> {
    const own = this.#own.take(name);
    const waits = await this.#ask(name, true, false);
    return waits ? secondsOf(waits[0]) : own;
  }

  /** Counts one if it may pass; the wait in ms that is on the name now. Null while Redis is away. */
  async waitAfterMs(name: string): Promise<number | null> {
    const waits = await this.#ask(name, true, false);
    return waits ? waits[1] : null;
  }

  async forget(name: string): Promise<void> {
    this.#own.forget(name);
    try {
      await this.#redis.command(['DEL', this.#keyOf(name)]);
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) throw error;
    }
  }

  async #ask(name: string, isAttempt: boolean, isForced: boolean): Promise<[number, number] | null> {
    const { withinMs, most } = this.#rules;
    const nowMs = this.#clock === systemClock ? -1 : this.#clock.nowMs();
    const attempt = isAttempt ? `${this.#process}:${++this.#number}` : '';
    const args = [nowMs, withinMs, most, attempt, isForced ? 1 : 0].map(String);
    try {
      return (await this.#redis.run(ATTEMPT, [this.#keyOf(name)], args)) as [number, number];
    } catch (error) {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    }
  }
}

function secondsOf(waitMs: number): number | null {
  return waitMs < 0 ? null : Math.max(1, Math.ceil(waitMs / 1000));
}

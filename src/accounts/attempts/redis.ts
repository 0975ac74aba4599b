import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Redis, RedisUnavailableError, redisScript } from '../../storage/redis/redis.ts';
import type { RedisNames } from '../redis-names.ts';
import type { ReportUnreadable } from '../unreadable.ts';
import { AttemptLimit, type AttemptRules, type Attempts } from './memory.ts';

/**
 * Counts attempts under one name in a sliding window and keeps only the newest. ARGV: now (negative: the clock of
 * Redis), window in ms, limit, id of this attempt (empty: only read), 1 to count it even beyond the limit. Returns the
 * wait in ms before and after the attempt, -1 for no wait.
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

/** Counts attempts over all processes. While Redis is unavailable each process uses its own counts. */
export class RedisAttempts implements Attempts {
  readonly #redis: Redis;
  readonly #keyOf: (name: string) => string;
  readonly #rules: AttemptRules;
  readonly #clock: Clock;
  readonly #own: AttemptLimit;
  readonly #reportUnreadable: ReportUnreadable;
  readonly #process = randomUUID().slice(0, 13);
  #number = 0;

  constructor(
    redis: Redis,
    names: RedisNames,
    limit: string,
    rules: AttemptRules,
    clock: Clock,
    reportUnreadable: ReportUnreadable,
    own = new AttemptLimit(rules, clock),
  ) {
    this.#redis = redis;
    this.#keyOf = (name) => names.attempts(limit, name);
    this.#rules = rules;
    this.#clock = clock;
    this.#own = own;
    this.#reportUnreadable = reportUnreadable;
  }

  async waitSeconds(name: string): Promise<number | null> {
    const waits = await this.#run(name, false, false);
    return waits ? secondsOf(waits.beforeMs) : this.#own.waitSeconds(name);
  }

  async note(name: string): Promise<void> {
    this.#own.note(name);
    await this.#run(name, true, true);
  }

  async take(name: string): Promise<number | null> {
    const own = this.#own.take(name);
    const waits = await this.#run(name, true, false);
    if (!waits) return own;
    const wait = secondsOf(waits.beforeMs);
    // An attempt that all processes together refuse is none of this process either.
    if (wait !== null && own === null) this.#own.refund(name);
    return wait;
  }

  /** Counts an attempt if the limit allows it; returns the wait in ms after it. Null while Redis is unavailable. */
  async waitAfterMs(name: string): Promise<number | null> {
    const waits = await this.#run(name, true, false);
    return waits ? waits.afterMs : null;
  }

  async refund(name: string): Promise<void> {
    this.#own.refund(name);
    await this.#command(['ZPOPMAX', this.#keyOf(name)]);
  }

  async forget(name: string): Promise<void> {
    this.#own.forget(name);
    await this.#command(['DEL', this.#keyOf(name)]);
  }

  async #command(parts: [name: string, key: string]): Promise<void> {
    try {
      await this.#redis.command(parts);
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) throw error;
    }
  }

  async #run(name: string, isAttempt: boolean, isForced: boolean): Promise<Waits | null> {
    const { withinMs, most } = this.#rules;
    const nowMs = this.#clock === systemClock ? -1 : this.#clock.nowMs();
    const attempt = isAttempt ? `${this.#process}:${++this.#number}` : '';
    const args = [nowMs, withinMs, most, attempt, isForced ? 1 : 0].map(String);
    try {
      const waits = parseWaits(await this.#redis.run(ATTEMPT, [this.#keyOf(name)], args));
      if (waits === null) this.#reportUnreadable('attempts');
      return waits;
    } catch (error) {
      if (error instanceof RedisUnavailableError) return null;
      throw error;
    }
  }
}

export interface Waits {
  beforeMs: number;
  afterMs: number;
}

/** The reply of the script; null if it has another shape. */
export function parseWaits(reply: unknown): Waits | null {
  if (!Array.isArray(reply) || reply.length !== 2) return null;
  const [beforeMs, afterMs]: unknown[] = reply;
  return Number.isFinite(beforeMs) && Number.isFinite(afterMs)
    ? { beforeMs: Number(beforeMs), afterMs: Number(afterMs) }
    : null;
}

function secondsOf(waitMs: number): number | null {
  return waitMs < 0 ? null : Math.max(1, Math.ceil(waitMs / 1000));
}

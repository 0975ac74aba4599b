import { DAY_MS } from '../../../base/times.ts';
import { redisScript } from '../../../storage/redis/redis.ts';

/**
 * The clock of Redis, because those of machines differ; in milliseconds with three decimals: with whole ones a request at
 * 0.9 ms made room at 60,000.1, before its minute was over. A test that moves its clock passes its time as `ARGV[1]`.
 */
const NOW = `
local now = tonumber(ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
`;

/** Drops requests older than a minute; returns the count, and the age of the oldest that must expire before one more passes. */
const MINUTE = `
local function minuteState(limit)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 60000)
  local count = redis.call('ZCARD', KEYS[1])
  local first = math.max(0, count - limit)
  local oldest = redis.call('ZRANGE', KEYS[1], first, first, 'WITHSCORES')
  return count, now - tonumber(oldest[2] or now)
end
`;

/** Two days longer than any month, for late refunds. */
const MONTH_TTL_MS = 33 * DAY_MS;

export const ALLOWED = 1;
export const MINUTE_SPENT = 2;
export const MONTH_SPENT = 3;
/** The account or its keys have changed since the process last read them. */
export const OUTDATED = 4;
export const REVOKED = 5;
export const MONTH_UNKNOWN = 6;

/**
 * Counts one request on both windows, or on none. KEYS: minute, month, revision of the account, mark of a revoked key. ARGV:
 * now, the process's revision, minute limit, month limit, name of the request (empty: the minute is not counted), 1 to count
 * the month, the total of a month that Redis does not have, 1 if that is the database's total, which Redis keeps.
 */
export const COUNT = redisScript(`${NOW}${MINUTE}
local isCounted = ARGV[6] == '1'
if isCounted then
  local revision = tonumber(redis.call('GET', KEYS[3]) or 0)
  if revision > tonumber(ARGV[2]) then return {${OUTDATED}, revision} end
  if redis.call('EXISTS', KEYS[4]) == 1 then return {${REVOKED}} end
end
local stored = redis.call('GET', KEYS[2])
local used = tonumber(stored or ARGV[7])
if not used then return {${MONTH_UNKNOWN}} end
local limit = tonumber(ARGV[3])
local count, age = minuteState(limit)
local result = ${ALLOWED}
if ARGV[5] ~= '' and count >= limit then result = ${MINUTE_SPENT}
elseif isCounted and used >= tonumber(ARGV[4]) then result = ${MONTH_SPENT}
elseif isCounted then
  used = used + 1
  if ARGV[5] ~= '' then
    count = count + 1
    redis.call('ZADD', KEYS[1], now, ARGV[5])
    redis.call('PEXPIRE', KEYS[1], 61000)
  end
end
local isChanged = not stored or isCounted and result == ${ALLOWED}
if isChanged and (stored or ARGV[8] == '1') then redis.call('SET', KEYS[2], used, 'PX', ${MONTH_TTL_MS}) end
return {result, math.min(count, limit), age, used}`);

/** Refunds a request. KEYS: minute, its month, the current month. ARGV: now, minute limit, name. */
export const REFUND = redisScript(`${NOW}${MINUTE}
redis.call('ZREM', KEYS[1], ARGV[3])
if tonumber(redis.call('GET', KEYS[2]) or 0) > 0 then redis.call('DECR', KEYS[2]) end
local used = tonumber(redis.call('GET', KEYS[3]) or '')
if not used then return {${MONTH_UNKNOWN}} end
local limit = tonumber(ARGV[2])
local count, age = minuteState(limit)
return {${ALLOWED}, math.min(count, limit), age, used}`);

/**
 * Adds the requests of a process's last minute, of which Redis counts each once, and raises the month to the database's total.
 * KEYS: minute, month. ARGV: now, the total (0: none); then for each request its age and its name.
 */
export const RESTORE = redisScript(`${NOW}
for place = 3, #ARGV, 2 do
  redis.call('ZADD', KEYS[1], 'NX', now - tonumber(ARGV[place]), ARGV[place + 1])
end
redis.call('PEXPIRE', KEYS[1], 61000)
local used = tonumber(redis.call('GET', KEYS[2]) or '')
if used and used < tonumber(ARGV[2]) then redis.call('SET', KEYS[2], ARGV[2], 'PX', ${MONTH_TTL_MS}) end
return 1`);

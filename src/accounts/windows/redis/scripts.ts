import { DAY_MS } from '../../../base/times.ts';
import { redisScript } from '../../../storage/redis/redis.ts';

/**
 * Uses the clock of Redis, so that windows are exact between machines whose clocks differ. It is in milliseconds with
 * three decimals: with whole ones a request at 0.9 ms made room at 60,000.1, before its minute was over. A test that
 * moves its clock passes the time as `ARGV[1]`, which is otherwise negative. The caller passes four month starts around
 * its time, because Lua has no calendar here and Redis may already be in the next month.
 */
const TIMES = `
local now = tonumber(ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
local monthStart, nextMonth = 0, 0
for place = 2, 4 do
  if now >= tonumber(ARGV[place]) then
    monthStart = tonumber(ARGV[place])
    nextMonth = tonumber(ARGV[place + 1])
  end
end
`;

/** Drops requests older than a minute; returns the count and the time of the oldest that must expire before one more passes. */
const MINUTE = `
local function minuteState(key, limit)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - 60000)
  local count = redis.call('ZCARD', key)
  local first = math.max(0, count - limit)
  local oldest = redis.call('ZRANGE', key, first, first, 'WITHSCORES')
  return count, tonumber(oldest[2] or now)
end
`;

/**
 * A month's count is kept for two days after its end, for late refunds: 33 days from any moment of it suffice. A duration,
 * because Redis deletes at once what expires in the past of its own clock, and the clock of the caller may be behind.
 */
const MONTH_KEPT_MS = 33 * DAY_MS;

/** Starts a new month at 0. Months only advance: a clock that is set back must not start a month a second time. */
const MONTH = `
local function monthUsed(key)
  local month = redis.call('HMGET', key, 'start', 'used')
  if not month[1] then return nil end
  local start = tonumber(month[1])
  if start == monthStart then return tonumber(month[2]) end
  if start > monthStart then
    monthStart = start
    for place = 5, 3, -1 do
      if tonumber(ARGV[place]) > start then nextMonth = tonumber(ARGV[place]) end
    end
    return tonumber(month[2])
  end
  redis.call('HSET', key, 'start', monthStart, 'used', 0)
  redis.call('PEXPIRE', key, ${MONTH_KEPT_MS})
  return 0
end
`;

export const ALLOWED = 1;
export const MINUTE_SPENT = 2;
export const MONTH_SPENT = 3;
/** Not the Redis that the process has joined: it was restarted empty, for example. */
export const OTHER_EPOCH = 4;
/** Accounts or keys have changed since the process last read them. */
export const OUTDATED = 5;
export const REVOKED = 6;
/** Redis does not have the month of this slot yet. */
export const MONTH_UNKNOWN = 7;
/** The server knows a newer layout than the process: the slot may have moved to another server. */
export const OTHER_LAYOUT = 8;

/** Refuses a process with an older layout, and notes a newer one. From then on no process counts by the older one here. */
const LAYOUT = (argument: string) => `
if (cluster[4] or '0') ~= ${argument} then
  if tonumber(cluster[4] or 0) > tonumber(${argument}) then return {${OTHER_LAYOUT}, tonumber(cluster[4])} end
  redis.call('HSET', KEYS[1], 'layout', ${argument})
end
`;

/** How many numbers the reply of TAKE has for all holders, and for each. */
export const NUMBERS_OF_ALL = 3;
export const NUMBERS_PER_HOLDER = 7;

/**
 * Counts the requests of many holders, each on both windows or on none. KEYS: cluster, then for each holder minute, month
 * and revocation. ARGV: now, four month starts, epoch, revision, version of the layout, process, number of the first request;
 * then for each holder one text: number of requests (0 only reads), minute limit, month limit, and for a repeated call whose
 * first reply was lost the number of its one request. The others have the next numbers in turn. The reply is the time with
 * the start of its month and of the next, then for each holder: outcome of the last request, how many passed, and both
 * windows after them: used, age of the oldest, used, and by how much its months differ. Small numbers make the reply a third
 * of its length. A limit is reached once, so the first requests are those that pass.
 */
export const TAKE = redisScript(`${TIMES}${MINUTE}${MONTH}
local cluster = redis.call('HMGET', KEYS[1], 'epoch', 'revision', 'generation', 'layout')
if cluster[1] ~= ARGV[6] then return {${OTHER_EPOCH}} end
${LAYOUT('ARGV[8]')}local revision = tonumber(cluster[2] or 0)
local isOutdated = revision > tonumber(ARGV[7])
local thisMonth, monthAfter = monthStart, nextMonth
local nextNumber = tonumber(ARGV[10])
local function take(minuteKey, monthKey, revokedKey, wish)
  monthStart, nextMonth = thisMonth, monthAfter
  local wanted, limit, monthLimit, repeated = string.match(wish, '(%S+) (%S+) (%S+) ?(%S*)')
  wanted, limit = tonumber(wanted), tonumber(limit)
  local first = nextNumber
  if repeated ~= '' then first = tonumber(repeated) else nextNumber = nextNumber + wanted end
  local used = monthUsed(monthKey)
  if used == nil then return ${MONTH_UNKNOWN}, monthStart, tonumber(cluster[3] or 0) end
  local count, oldest = minuteState(minuteKey, limit)
  local result, passed = ${ALLOWED}, 0
  if wanted > 0 then
    if isOutdated then return ${OUTDATED}, revision end
    if redis.call('EXISTS', revokedKey) == 1 then return ${REVOKED} end
    if repeated ~= '' and redis.call('ZSCORE', minuteKey, ARGV[9] .. ':' .. first) then
      passed = 1
    else
      passed = math.max(0, math.min(wanted, limit - count, tonumber(monthLimit) - used))
      if passed > 0 then
        local added = {}
        for number = first, first + passed - 1 do
          added[#added + 1] = now
          added[#added + 1] = ARGV[9] .. ':' .. number
        end
        redis.call('ZADD', minuteKey, unpack(added))
        redis.call('PEXPIRE', minuteKey, 61000)
        used = redis.call('HINCRBY', monthKey, 'used', passed)
        if count == 0 then oldest = now end
        count = count + passed
      end
      if passed < wanted then result = count >= limit and ${MINUTE_SPENT} or ${MONTH_SPENT} end
    end
  end
  return result, passed, math.min(count, limit), now - oldest, used, monthStart - thisMonth, nextMonth - monthAfter
end
local reply = {now, thisMonth, monthAfter}
for place = 11, #ARGV do
  local key, at = 3 * (place - 11) + 2, #reply
  local a, b, c, d, e, f, g = take(KEYS[key], KEYS[key + 1], KEYS[key + 2], ARGV[place])
  reply[at + 1], reply[at + 2], reply[at + 3], reply[at + 4] = a, b or 0, c or 0, d or 0
  reply[at + 5], reply[at + 6], reply[at + 7] = e or 0, f or 0, g or 0
end
return reply`);

/**
 * Counts one on the month window only. KEYS: cluster, minute, month, revocation. ARGV: now, four month starts, epoch, revision,
 * version of the layout, minute limit, month limit. A repeated call would count again, so a call without a reply is not
 * repeated.
 */
export const TAKE_MONTH = redisScript(`${TIMES}${MINUTE}${MONTH}
local cluster = redis.call('HMGET', KEYS[1], 'epoch', 'revision', 'generation', 'layout')
if cluster[1] ~= ARGV[6] then return {${OTHER_EPOCH}} end
${LAYOUT('ARGV[8]')}local used = monthUsed(KEYS[3])
if used == nil then return {${MONTH_UNKNOWN}, monthStart, tonumber(cluster[3] or 0)} end
if tonumber(cluster[2] or 0) > tonumber(ARGV[7]) then return {${OUTDATED}, tonumber(cluster[2])} end
if redis.call('EXISTS', KEYS[4]) == 1 then return {${REVOKED}} end
local limit = tonumber(ARGV[9])
local count, oldest = minuteState(KEYS[2], limit)
local result = ${MONTH_SPENT}
if used < tonumber(ARGV[10]) then
  result = ${ALLOWED}
  used = redis.call('HINCRBY', KEYS[3], 'used', 1)
end
return {result, now, math.min(count, limit), oldest, used, monthStart, nextMonth}`);

/** Refunds one request. ARGV: now, four month starts, name of the request, its month, minute limit. */
export const REFUND = redisScript(`${TIMES}${MINUTE}${MONTH}
redis.call('ZREM', KEYS[1], ARGV[6])
local used = monthUsed(KEYS[2]) or 0
if monthStart == tonumber(ARGV[7]) and used > 0 then used = redis.call('HINCRBY', KEYS[2], 'used', -1) end
local limit = tonumber(ARGV[8])
local count, oldest = minuteState(KEYS[1], limit)
return {${ALLOWED}, now, math.min(count, limit), oldest, used, monthStart, nextMonth}`);

/**
 * Sets a month that Redis does not have to the database's total, and adds the requests of the last minute that another
 * server had counted before the slot moved. Does nothing if a process has joined since the database was read, because
 * the total may lack what that process counted locally. ARGV: epoch, generation, month, used; then for each request its
 * time and its name.
 */
export const FILL = redisScript(`
local cluster = redis.call('HMGET', KEYS[1], 'epoch', 'generation')
if cluster[1] ~= ARGV[1] or tonumber(cluster[2] or 0) ~= tonumber(ARGV[2]) then return 0 end
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HSET', KEYS[2], 'start', ARGV[3], 'used', ARGV[4])
  redis.call('PEXPIRE', KEYS[2], ${MONTH_KEPT_MS})
  for place = 5, #ARGV, 2 do redis.call('ZADD', KEYS[3], ARGV[place], ARGV[place + 1]) end
  if #ARGV > 4 then redis.call('PEXPIRE', KEYS[3], 61000) end
end
return 1`);

/**
 * Reads what a slot has counted here under the layout before. From then on no process counts by that layout here, so the
 * reply is final. KEYS: cluster, minute, month. ARGV: epoch, the new layout.
 */
export const PULL = redisScript(`
local cluster = redis.call('HMGET', KEYS[1], 'epoch', 'layout')
if cluster[1] ~= ARGV[1] then return {${OTHER_EPOCH}} end
if tonumber(cluster[2] or 0) < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], 'layout', ARGV[2]) end
local month = redis.call('HMGET', KEYS[3], 'start', 'used')
return {${ALLOWED}, tonumber(month[1] or 0), tonumber(month[2] or 0), redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')}`);

/**
 * Adds what a process counted or refunded without Redis. A request that Redis already has is not counted again. A
 * request that was refused after a lost reply is removed if Redis had counted it. ARGV: month, number of requests older
 * than a minute, number of refunds, number of removals; the names of the refunds and removals; then for each request
 * whether it is new, its name and its time.
 */
export const RESTORE = redisScript(`
local added = tonumber(ARGV[2])
local removals = 5 + tonumber(ARGV[3])
local requests = removals + tonumber(ARGV[4])
for place = 5, requests - 1 do
  local wasCounted = redis.call('ZREM', KEYS[1], ARGV[place])
  if place < removals or wasCounted == 1 then added = added - 1 end
end
for place = requests, #ARGV, 3 do
  if redis.call('ZADD', KEYS[1], ARGV[place + 2], ARGV[place + 1]) == 1 then added = added + tonumber(ARGV[place]) end
end
redis.call('PEXPIRE', KEYS[1], 61000)
if added ~= 0 and redis.call('HGET', KEYS[2], 'start') == ARGV[1] then
  if redis.call('HINCRBY', KEYS[2], 'used', added) < 0 then redis.call('HSET', KEYS[2], 'used', 0) end
end
return 1`);

/**
 * A heartbeat of a process; returns the live processes. Drops those without a recent heartbeat. Each change of the set
 * increases the generation. ARGV: process, proposed epoch (empty: none), heartbeat TTL in ms, 1 to count as a change,
 * the version of the layout.
 */
export const HEARTBEAT = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if not epoch then
  if ARGV[2] == '' then return {} end
  epoch = ARGV[2]
  redis.call('HSET', KEYS[1], 'epoch', epoch)
end
local removed = redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[3]))
local added = redis.call('ZADD', KEYS[2], now, ARGV[1])
if removed + added + tonumber(ARGV[4]) > 0 then redis.call('HINCRBY', KEYS[1], 'generation', 1) end
local cluster = redis.call('HMGET', KEYS[1], 'generation', 'revision', 'layout')
local layout = tonumber(cluster[3] or 0)
if layout < tonumber(ARGV[5]) then
  layout = tonumber(ARGV[5])
  redis.call('HSET', KEYS[1], 'layout', layout)
end
return {epoch, tonumber(cluster[1] or 0), tonumber(cluster[2] or 0), now, redis.call('ZRANGE', KEYS[2], 0, -1), layout}`);

export const LEAVE = redisScript(`
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 then redis.call('HINCRBY', KEYS[1], 'generation', 1) end
return 1`);

/** Raises the directory's revision. ARGV: revision, and a revision it may replace though higher (after a restored backup). */
export const RAISE_REVISION = redisScript(`
local known = redis.call('HGET', KEYS[1], 'revision')
if not known or tonumber(known) < tonumber(ARGV[1]) or known == ARGV[2] then
  redis.call('HSET', KEYS[1], 'revision', ARGV[1])
end
return 1`);

/**
 * Sets the number of open streams that a process has on a slot, if all processes together stay within the limit. Counts
 * of processes without a heartbeat are dropped, so a killed process frees its streams. Returns 1, or 0 if nothing was
 * set. KEYS: counts by process, heartbeats. ARGV: process, its count, limit (negative: none), heartbeat TTL in ms.
 */
export const SET_STREAMS = redisScript(`
local time = redis.call('TIME')
local oldest = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[4])
local own, limit = tonumber(ARGV[2]), tonumber(ARGV[3])
local open = own
local counts = redis.call('HGETALL', KEYS[1])
for place = 1, #counts, 2 do
  if counts[place] ~= ARGV[1] then
    local seen = redis.call('ZSCORE', KEYS[2], counts[place])
    if seen and tonumber(seen) > oldest then open = open + tonumber(counts[place + 1])
    else redis.call('HDEL', KEYS[1], counts[place]) end
  end
end
if limit >= 0 and open > limit then return 0 end
if own > 0 then
  redis.call('HSET', KEYS[1], ARGV[1], own)
  redis.call('PEXPIRE', KEYS[1], 604800000)
else redis.call('HDEL', KEYS[1], ARGV[1]) end
return 1`);

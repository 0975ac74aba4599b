import { redisScript } from '../storage/redis/redis.ts';

/**
 * One round of one collector, in one step that no other can come between: it tells that it lives, renews what it
 * holds, and takes what is free as long as it holds no more than its share.
 *
 * A fencing number is the time at which the lease was taken, or one more than the last where that is later: so it
 * grows even when Redis comes back empty.
 *
 * KEYS: the collectors, then for each lease its holder and its last number, those that are shared out first.
 * ARGV: who asks, milliseconds that its sign of life is good for, milliseconds of a lease, how many are shared out,
 * then for each lease what is wanted: `keep` (renew it, or take it back if it is free), `share` (take it if it is free
 * and within the share), `any` (take it if it is free) or `look`.
 * A Redis that has lost what it knew gives nobody more than they had: the others have not come back yet.
 * Answer: how many collectors live, then for each lease who holds it ('' for nobody) and its number.
 */
export const LEASE_ROUND = redisScript(`
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local me, life, ttl, shared = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
redis.call('ZADD', KEYS[1], now + life, me)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], life * 2)
local live = redis.call('ZCARD', KEYS[1])
local count = (#KEYS - 1) / 2
local held, isEmptied = 0, false
local holders = {}
for i = 1, count do
  holders[i] = redis.call('GET', KEYS[2 * i]) or ''
  local isKept = holders[i] == '' and ARGV[4 + i] == 'keep'
  if i <= shared and (holders[i] == me or isKept) then held = held + 1 end
  if isKept and redis.call('EXISTS', KEYS[2 * i + 1]) == 0 then isEmptied = true end
end
local share = math.ceil(shared / live)
local answer = { tostring(live) }
for i = 1, count do
  local wanted, lease, number = ARGV[4 + i], KEYS[2 * i], KEYS[2 * i + 1]
  local fence = redis.call('GET', number) or '0'
  if holders[i] == me and wanted ~= 'look' then
    redis.call('PEXPIRE', lease, ttl)
  elseif holders[i] == '' then
    local takes = wanted == 'keep' or (wanted == 'any' and not isEmptied)
    if wanted == 'share' and held < share and not isEmptied then
      held = held + 1
      takes = true
    end
    if takes then
      fence = string.format('%.0f', math.max(tonumber(fence) + 1, now))
      redis.call('SET', number, fence)
      redis.call('SET', lease, me, 'PX', ttl)
      holders[i] = me
    end
  end
  answer[#answer + 1] = holders[i]
  answer[#answer + 1] = fence
end
return answer
`);

/** Gives leases back, but only one's own. KEYS: the collectors, then the leases. ARGV: who asks, 1 to leave for good. */
export const LEASE_RELEASE = redisScript(`
for i = 2, #KEYS do
  if redis.call('GET', KEYS[i]) == ARGV[1] then redis.call('DEL', KEYS[i]) end
end
if ARGV[2] == '1' then redis.call('ZREM', KEYS[1], ARGV[1]) end
return 1
`);

import { redisScript } from '../storage/redis/redis.ts';

/**
 * One round of a collector, executed atomically: sends its heartbeat, renews its leases, and takes free leases up to its
 * share.
 *
 * A fencing number is the time at which the lease was taken, or the last number plus one if that is higher. So it grows
 * even if Redis comes back empty.
 *
 * KEYS: the collectors, then the holder and the last fencing number of each lease, shared leases first.
 * ARGV: the collector, heartbeat TTL in ms, lease TTL in ms, number of shared leases, then what the collector wants of
 * each lease: `keep` (renew it, or take it back if it is free), `share` (take it if it is free and within the share),
 * `any` (take it if it is free) or `look` (only read it).
 * After Redis has lost its data a collector gets only the leases it had, because the others have not come back yet.
 * Returns the number of live collectors, then the holder ('' if free) and the fencing number of each lease.
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

/** Releases leases that the collector holds. KEYS: the collectors, then the leases. ARGV: the collector, 1 to leave for good. */
export const LEASE_RELEASE = redisScript(`
for i = 2, #KEYS do
  if redis.call('GET', KEYS[i]) == ARGV[1] then redis.call('DEL', KEYS[i]) end
end
if ARGV[2] == '1' then redis.call('ZREM', KEYS[1], ARGV[1]) end
return 1
`);

export interface LeaseRound {
  liveCollectors: number;
  /** In the order of the keys; holder '' for a free lease. */
  leases: { holder: string; fence: number }[];
}

/** The reply of `LEASE_ROUND` about that many leases; null if it has another shape. */
export function parseLeaseRound(reply: unknown, leaseCount: number): LeaseRound | null {
  if (!Array.isArray(reply) || reply.length !== 1 + 2 * leaseCount) return null;
  const [liveCollectors, ...rest] = reply as unknown[];
  if (!isCount(liveCollectors)) return null;
  const leases: LeaseRound['leases'] = [];
  for (let i = 0; i < rest.length; i += 2) {
    const [holder, fence] = [rest[i], rest[i + 1]];
    if (typeof holder !== 'string' || !isCount(fence)) return null;
    leases.push({ holder, fence: Number(fence) });
  }
  return { liveCollectors: Number(liveCollectors), leases };
}

/** Redis returns these numbers as text, because a Lua number would lose digits. */
function isCount(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,15}$/.test(value);
}

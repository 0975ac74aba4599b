import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { type Redis, RedisUnavailableError, type Subscription } from '../../storage/redis/redis.ts';
import type { HoldsNames } from '../attempts/held-names.ts';
import { RedisAttempts } from '../attempts/redis.ts';
import type { RedisNames } from '../redis-names.ts';
import type { ReportUnreadable } from '../unreadable.ts';
import {
  type AddressBlock,
  addressGroup,
  createRejectedKeys,
  MAX_WRONG_KEYS,
  type RejectedKeys,
} from './rejected-keys.ts';

export interface SharedRejectedKeys extends RejectedKeys, HoldsNames {
  close(): Promise<void>;
}

/** At most this many blocked addresses are remembered; the oldest is dropped and is blocked again by its next wrong key. */
const MAX_BLOCKS = 20_000;

/**
 * Counts wrong keys over all processes. A process publishes each new block, so that checking an address with a good key
 * needs no call to Redis.
 */
export async function openSharedRejectedKeys(
  redis: Redis,
  names: RedisNames,
  clock: Clock,
  reportUnreadable: ReportUnreadable,
): Promise<SharedRejectedKeys> {
  const own = createRejectedKeys(clock);
  const rules = { most: MAX_WRONG_KEYS + 1, withinMs: MINUTE_MS };
  const wrong = new RedisAttempts(redis, names, 'wrong-keys', rules, clock, reportUnreadable);
  const endsMs = new Map<string, number>();
  const ownId = randomUUID();

  const block = (group: string, waitMs: number) => {
    endsMs.delete(group);
    endsMs.set(group, clock.nowMs() + waitMs);
    const oldest = endsMs.size > MAX_BLOCKS ? endsMs.keys().next().value : undefined;
    if (oldest !== undefined) endsMs.delete(oldest);
  };
  /** Forgets a block that has ended. */
  const sharedBlock = (group: string): AddressBlock | null => {
    const endMs = endsMs.get(group);
    if (endMs === undefined) return null;
    const restMs = endMs - clock.nowMs();
    if (restMs > 0) return { retryAfterSeconds: Math.ceil(restMs / 1000) };
    endsMs.delete(group);
    return null;
  };
  const blockOf = (address: string): AddressBlock | null =>
    (endsMs.size === 0 ? null : sharedBlock(addressGroup(address))) ?? own.blockOf(address);

  /** Publishes the remaining time and not the end of the block, because the clocks of two machines differ. */
  const publish = async (group: string, waitMs: number) => {
    try {
      await redis.command(['PUBLISH', names.blocked, `${waitMs} ${group} ${ownId}`]);
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) throw error;
    }
  };
  const subscription: Subscription = await redis.subscribe(names.blocked, (message) => {
    const announced = parseBlock(message);
    if (announced === null) return reportUnreadable('block');
    // A message that arrives late must not extend a block that is known already, or one of our own that has ended.
    if (announced.senderId !== ownId && !sharedBlock(announced.group))
      block(announced.group, announced.waitMs);
  });

  return {
    blockOf,
    get nameCount() {
      return own.nameCount + endsMs.size;
    },
    sweep: () => {
      own.sweep();
      for (const group of [...endsMs.keys()]) sharedBlock(group);
    },
    noteWrong: async (address) => {
      const group = addressGroup(address);
      const known = blockOf(address);
      if (known) return known;
      const ownBlock = await own.noteWrong(address);
      const waitMs = await wrong.waitAfterMs(group);
      if (waitMs === null) return ownBlock;
      if (waitMs < 0) return null;
      block(group, waitMs);
      await publish(group, waitMs);
      return sharedBlock(group);
    },
    close: () => subscription.close(),
  };
}

/** A published block: the remaining milliseconds, the group of addresses and the sender. Null for another shape. */
export function parseBlock(message: Buffer): { group: string; waitMs: number; senderId: string } | null {
  const [, waitMs, group, senderId = ''] =
    /^(\d{1,5}) ([\w.:/]{1,64})(?: ([\w-]{1,64}))?$/.exec(message.toString()) ?? [];
  if (group === undefined || Number(waitMs) > MINUTE_MS) return null;
  return { group, waitMs: Number(waitMs), senderId };
}

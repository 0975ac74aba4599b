import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { notify } from '../../storage/postgres/notify.ts';
import type { Redis } from '../../storage/redis/redis.ts';
import type { Storage } from '../../storage/storage.ts';
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

interface SharedRejectedKeys extends RejectedKeys, HoldsNames {
  close(): void;
}

/** Carries messages about blocked addresses between processes. */
export interface BlockChannel {
  publish(message: string): Promise<void>;
  /** Returns a function that ends it. */
  listen(onMessage: (message: string) => void): Promise<() => void>;
}

const BLOCKS_CHANNEL = 'perpwire_blocks';

/** Messages through PostgreSQL. An embedded database has one process, which needs none. */
export function blockChannel(storage: Storage): BlockChannel {
  if (storage.kind === 'sqlite')
    return { publish: async () => undefined, listen: async () => () => undefined };
  return {
    publish: (message) => notify(storage.db, BLOCKS_CHANNEL, message),
    listen: (onMessage) => storage.listener.on(BLOCKS_CHANNEL, onMessage),
  };
}

/** At most this many blocked addresses are remembered; the oldest is dropped and is blocked again by its next wrong key. */
const MAX_BLOCKS = 20_000;

/**
 * Counts wrong keys over all processes. A process publishes each new block, so that checking an address with a good key
 * needs no call to Redis.
 */
export async function openSharedRejectedKeys(
  redis: Redis,
  channel: BlockChannel,
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
    // Without the message each process learns of the block with the next wrong key that it gets from the address.
    await channel.publish(`${waitMs} ${group} ${ownId}`).catch(() => undefined);
  };
  const removeListener = await channel.listen((message) => {
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
    close: removeListener,
  };
}

/** A published block: the remaining milliseconds, the group of addresses and the sender. Null for another shape. */
export function parseBlock(message: string): { group: string; waitMs: number; senderId: string } | null {
  const [, waitMs, group, senderId = ''] =
    /^(\d{1,5}) ([\w.:/]{1,64})(?: ([\w-]{1,64}))?$/.exec(message) ?? [];
  if (group === undefined || Number(waitMs) > MINUTE_MS) return null;
  return { group, waitMs: Number(waitMs), senderId };
}

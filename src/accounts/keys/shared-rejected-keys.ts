import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { type Redis, RedisUnavailableError, type Subscription } from '../../storage/redis/redis.ts';
import { RedisAttempts } from '../attempts/redis.ts';
import type { RedisNames } from '../redis-names.ts';
import {
  type AddressBlock,
  addressGroup,
  createRejectedKeys,
  MAX_WRONG_KEYS,
  type RejectedKeys,
} from './rejected-keys.ts';

export interface SharedRejectedKeys extends RejectedKeys {
  close(): Promise<void>;
}

/** Beyond it the block that was heard of first is forgotten; the next wrong key brings it back. */
const MAX_BLOCKS = 20_000;

/**
 * Wrong keys counted over all processes. Only a wrong key asks Redis. That an address is stopped is told to everybody
 * when it happens, so that nothing is asked for good keys.
 */
export async function openSharedRejectedKeys(
  redis: Redis,
  names: RedisNames,
  clock: Clock,
  log: Log,
): Promise<SharedRejectedKeys> {
  const own = createRejectedKeys(clock);
  const rules = { most: MAX_WRONG_KEYS + 1, withinMs: MINUTE_MS };
  const wrong = new RedisAttempts(redis, names, 'wrong-keys', rules, clock);
  const endsMs = new Map<string, number>();

  const stop = (group: string, waitMs: number) => {
    endsMs.delete(group);
    endsMs.set(group, clock.nowMs() + waitMs);
    const oldest = endsMs.size > MAX_BLOCKS ? endsMs.keys().next().value : undefined;
    if (oldest !== undefined) endsMs.delete(oldest);
  };
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

  /** Ends are kept as times of this machine, so what is told is how long it still lasts. */
  const tell = async (group: string, waitMs: number) => {
    try {
      await redis.command(['PUBLISH', names.blocked, `${waitMs} ${group}`]);
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) throw error;
    }
  };
  const hearing: Subscription = await redis.subscribe(names.blocked, (message) => {
    const [waitMs = '', group = ''] = message.toString().split(' ');
    // Known already: what came late must not make it last longer.
    if (sharedBlock(group)) return;
    if (Number(waitMs) > 0 && group !== '') stop(group, Number(waitMs));
    else log.debug('a message about a stopped address cannot be read');
  });

  return {
    blockOf,
    noteWrong: async (address) => {
      const group = addressGroup(address);
      const known = blockOf(address);
      if (known) return known;
      const ownBlock = await own.noteWrong(address);
      const waitMs = await wrong.waitAfterMs(group);
      if (waitMs === null) return ownBlock;
      if (waitMs < 0) return null;
      stop(group, waitMs);
      await tell(group, waitMs);
      return sharedBlock(group);
    },
    close: () => hearing.close(),
  };
}

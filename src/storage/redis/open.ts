import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { redisAddress } from './address.ts';
import type { Redis } from './redis.ts';

/**
 * Waits briefly for the first connection, and also returns without one: an unavailable Redis does not prevent a start. A
 * command that takes longer than the timeout makes Redis count as unavailable.
 */
export async function openRedis(options: { url: string; log: Log; timeoutMs?: number }): Promise<Redis> {
  const address = redisAddress(options.url);
  // The client library is hundreds of modules; a process without Redis does not load them.
  const { RedisLink } = await import('./link.ts');
  const link = new RedisLink({ timeoutMs: 500, ...options, address });
  const contact = new AbortController();
  const removeListener = link.onChange(() => contact.abort());
  await systemClock.sleep(1_000, contact.signal);
  removeListener();
  return link;
}

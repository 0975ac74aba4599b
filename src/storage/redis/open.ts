import type { Log } from '../../base/log.ts';
import { redisAddress } from './address.ts';
import type { Redis } from './redis.ts';

export interface RedisOptions {
  url: string;
  log: Log;
  /** A command that takes longer makes Redis count as unavailable. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 500;

/** Waits briefly for the first connection, and also returns without one: an unavailable Redis does not prevent a start. */
export async function openRedis({ url, log, timeoutMs = DEFAULT_TIMEOUT_MS }: RedisOptions): Promise<Redis> {
  const address = redisAddress(url);
  // The client library is hundreds of modules; a process without Redis does not load them.
  const { RedisLink } = await import('./link.ts');
  const link = new RedisLink(address, log, timeoutMs);
  await link.firstContact();
  return link;
}

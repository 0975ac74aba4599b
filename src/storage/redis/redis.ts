import { createHash } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { redisAddress } from './redis-address.ts';

export { RedisAwayError } from './redis-address.ts';

/** A Lua script, sent once by its text and afterwards by its name. */
export interface RedisScript {
  text: string;
  sha1: string;
}

export function redisScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

export type RedisArgument = string | Buffer;

export interface Subscription {
  close(): Promise<void>;
}

export interface RedisState {
  isUp: boolean;
  /** Why it is away, in words for the operator; null while it is up. */
  reason: string | null;
}

/**
 * One Redis, for all that a process keeps there. Nothing waits for it while it is away: every call then fails at once
 * with RedisAwayError, and `onChange` tells when it is back.
 */
export interface Redis {
  readonly isUp: boolean;
  state(): RedisState;
  /** Called at each change between up and away. The returned function ends that. */
  onChange(listener: (state: RedisState) => void): () => void;
  run(script: RedisScript, keys: readonly RedisArgument[], args: readonly RedisArgument[]): Promise<unknown>;
  /** Any command. Texts come back as strings. A large one may be given more time than the usual. */
  command(args: readonly RedisArgument[], timeoutMs?: number): Promise<unknown>;
  /** Any command. Texts come back as bytes. */
  binaryCommand(args: readonly RedisArgument[], timeoutMs?: number): Promise<unknown>;
  /** On a connection of its own, so that large messages delay no command. Goes on by itself after an outage. */
  subscribe(channel: string, onMessage: (message: Buffer) => void): Promise<Subscription>;
  close(): Promise<void>;
}

export interface RedisOptions {
  url: string;
  log: Log;
  /** How long a command may take before Redis counts as away. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 500;

/** Waits shortly for the first connection. A Redis that is away is no reason not to start. */
export async function openRedis({ url, log, timeoutMs = DEFAULT_TIMEOUT_MS }: RedisOptions): Promise<Redis> {
  const address = redisAddress(url);
  // Its client is hundreds of modules, which a process without a Redis need not load.
  const { RedisLink } = await import('./redis-link.ts');
  const link = new RedisLink(address, log, timeoutMs);
  await link.firstContact();
  return link;
}

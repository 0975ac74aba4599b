import { createHash } from 'node:crypto';

/** A Lua script: called by its SHA-1, and sent as text to a server that does not know it. */
export interface RedisScript {
  text: string;
  sha1: string;
}

export function redisScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** Redis is unavailable. Whether it ran the last command is unknown. */
export class RedisUnavailableError extends Error {
  override readonly name = 'RedisUnavailableError';
}

export type RedisArgument = string | Buffer;

export interface Subscription {
  close(): Promise<void>;
}

export interface RedisState {
  isUp: boolean;
  /** Why Redis is unavailable, for the operator; null while it is up. */
  reason: string | null;
}

/**
 * The process's connection to Redis or a Redis Cluster. Commands are not queued while Redis is unavailable: they fail at
 * once with RedisUnavailableError, and `onChange` reports when Redis is back.
 */
export interface Redis {
  readonly isUp: boolean;
  state(): RedisState;
  /** Calls the listener at each change between up and unavailable. The returned function removes it. */
  onChange(listener: (state: RedisState) => void): () => void;
  /** In a cluster all keys of a script must have the same hash tag. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Runs a command on the key that follows its name. */
  command(command: readonly [name: string, key: string, ...rest: RedisArgument[]]): Promise<unknown>;
  /** Subscribes on a separate connection, so that large messages delay no command. Resubscribes after an outage. */
  subscribe(channel: string, onMessage: (message: Buffer) => void): Promise<Subscription>;
  close(): Promise<void>;
}

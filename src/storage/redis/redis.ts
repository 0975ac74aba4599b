import { createHash } from 'node:crypto';

/** A Lua script: called by its SHA-1, and sent as text to a server that does not know it. */
export type RedisScript = Readonly<Record<'text' | 'sha1', string>>;

export function redisScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** Redis is unavailable. Whether it ran the last command is unknown. */
export class RedisUnavailableError extends Error {
  override readonly name = 'RedisUnavailableError';
}

/**
 * The process's connection to Redis or a Redis Cluster. Commands are not queued while Redis is unavailable: they fail at
 * once with RedisUnavailableError, and `onChange` reports when Redis is back.
 */
export interface Redis {
  readonly isUp: boolean;
  /** Why Redis is unavailable, for the operator; null while it is up. */
  readonly reason: string | null;
  /** Calls the listener at each change between up and unavailable. The returned function removes it. */
  onChange(listener: (isUp: boolean) => void): () => void;
  /** In a cluster all keys of a script must have the same hash tag. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Runs a command on the key that follows its name. */
  command(command: readonly [name: string, key: string, ...rest: string[]]): Promise<unknown>;
  close(): Promise<void>;
}

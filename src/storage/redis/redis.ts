import { createHash } from 'node:crypto';

/** A Lua script: sent as text the first time, afterwards by its SHA-1. */
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

/** Redis has refused a command, or a script has failed. */
export class RedisErrorReply extends Error {
  override readonly name = 'RedisErrorReply';
}

/** Arguments that are sent often, as they are written to a connection. */
export class EncodedArguments {
  readonly count: number;
  readonly text: string;
  readonly isAscii: boolean;

  constructor(count: number, text: string, isAscii = Buffer.byteLength(text) === text.length) {
    this.count = count;
    this.text = text;
    this.isAscii = isAscii;
  }
}

export function encodeArguments(args: readonly string[]): EncodedArguments {
  const texts = args.map((argument) => `$${Buffer.byteLength(argument)}\r\n${argument}\r\n`);
  return new EncodedArguments(args.length, texts.join(''));
}

/** Collects encoded arguments, so that a command has one list of them instead of many. */
export class ArgumentList {
  #count = 0;
  #text = '';
  #isAscii = true;

  add({ count, text, isAscii }: EncodedArguments): void {
    this.#count += count;
    this.#text += text;
    if (!isAscii) this.#isAscii = false;
  }

  encoded(): EncodedArguments {
    return new EncodedArguments(this.#count, this.#text, this.#isAscii);
  }
}

export type RedisArgument = string | Buffer | EncodedArguments;

export interface Subscription {
  close(): Promise<void>;
}

export interface RedisState {
  isUp: boolean;
  /** Why Redis is unavailable, for the operator; null while it is up. */
  reason: string | null;
}

/**
 * The process's connection to Redis. Commands are not queued while Redis is unavailable: they fail at once with
 * RedisUnavailableError, and `onChange` reports when Redis is back.
 */
export interface Redis {
  readonly isUp: boolean;
  state(): RedisState;
  /** Calls the listener at each change between up and unavailable. The returned function removes it. */
  onChange(listener: (state: RedisState) => void): () => void;
  run(script: RedisScript, keys: readonly RedisArgument[], args: readonly RedisArgument[]): Promise<unknown>;
  /** Runs any command; strings in the reply are decoded. A large command can be given a longer timeout. */
  command(args: readonly RedisArgument[], timeoutMs?: number): Promise<unknown>;
  /** Runs any command; strings in the reply are Buffers. */
  binaryCommand(args: readonly RedisArgument[], timeoutMs?: number): Promise<unknown>;
  /** Subscribes on a separate connection, so that large messages delay no command. Resubscribes after an outage. */
  subscribe(channel: string, onMessage: (message: Buffer) => void): Promise<Subscription>;
  close(): Promise<void>;
}

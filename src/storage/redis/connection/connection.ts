import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { systemClock } from '../../../base/clock.ts';
import type { RedisEndpoint } from '../address.ts';
import { type RedisArgument, RedisErrorReply } from '../redis.ts';
import { CommandWriter } from './commands.ts';
import { ReplyParser } from './reply-parser.ts';

export interface ConnectionOptions {
  endpoint: RedisEndpoint;
  connectTimeoutMs: number;
  /** For the replies to the first commands, with password and database. */
  handshakeTimeoutMs: number;
  /** Called when the server has accepted password and database. */
  onReady(): void;
  /** Called once, before the commands without a reply fail; not after `destroy`. */
  onEnd(error: Error): void;
}

export interface Command {
  readonly args: readonly RedisArgument[];
  /** Whether strings of the reply are Buffers. */
  readonly isBinary: boolean;
  readonly timeoutMs: number;
  onReply(reply: unknown): void;
  /** With a RedisErrorReply if the server has refused the command, a NoReplyError if its time is over. */
  onError(error: Error): void;
}

/** The command may still run: its reply has not come in time, and is dropped if it comes later. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';

  constructor(timeoutMs: number) {
    super(`no reply within ${timeoutMs} ms`);
  }
}

interface Waiting {
  readonly command: Command;
  readonly dueMs: number;
  isOver: boolean;
}

const READ_BYTES = 65_536;
const KEEP_ALIVE_AFTER_MS = 5_000;
/** So many answered commands may stay at the beginning of the list of waiting ones. */
const MAX_ANSWERED = 1_024;
const CLIENT_NAME = 'perpwire';

/**
 * One connection to a Redis, until its end. Commands of one turn of the event loop are written together. Redis runs them,
 * and replies, in their order.
 */
export class RedisConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #parser: ReplyParser;
  #isReady = false;
  #isEnded = false;
  /** In the order of the commands. Those before `#firstWaiting` have their reply. */
  #waiting: Waiting[] = [];
  #firstWaiting = 0;
  readonly #writer = new CommandWriter();
  #isWriteScheduled = false;
  /** One timer for the deadlines of all commands: one for each costs as much as encoding it. */
  #timer: NodeJS.Timeout | null = null;
  #timerDueMs = Number.POSITIVE_INFINITY;
  #connectTimer: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#parser = new ReplyParser({
      wantsBytes: () => this.#waiting[this.#firstWaiting]?.command.isBinary ?? false,
      onReply: (reply) => this.#onReply(reply),
    });
    const { host, port, isTls } = options.endpoint;
    // Pieces are read into one buffer that is reused, past the stream's list of pieces.
    const onread = {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (length: number, buffer: Uint8Array) => this.#onBytes(buffer as Buffer, length),
    };
    const where = { host, port, onread, noDelay: true };
    const socket = isTls
      ? connectTls({ ...where, ...(isIP(host) === 0 ? { servername: host } : {}) })
      : connect({ ...where, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS });
    this.#socket = socket;
    socket.once(isTls ? 'secureConnect' : 'connect', () => this.#onConnect());
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('the connection was cut')));
    this.#connectTimer = setTimeout(() => this.#end(new Error('no reply')), options.connectTimeoutMs);
  }

  /** Whether the server has accepted the connection, and it has not ended. */
  get isReady(): boolean {
    return this.#isReady && !this.#isEnded;
  }

  send(command: Command): void {
    if (this.#isEnded) {
      command.onError(new Error('the connection was cut'));
      return;
    }
    const dueMs = systemClock.monotonicMs() + command.timeoutMs;
    this.#waiting.push({ command, dueMs, isOver: false });
    if (dueMs < this.#timerDueMs) this.#setTimer(dueMs, command.timeoutMs);
    this.#writer.add(command.args);
    if (this.#isWriteScheduled) return;
    this.#isWriteScheduled = true;
    queueMicrotask(this.#write);
  }

  /** Ends the connection. Commands without a reply fail. */
  destroy(): void {
    if (!this.#isEnded) this.#failAll(new Error('the connection was closed'));
  }

  #onConnect(): void {
    const { username, password, database } = this.#options.endpoint;
    clearTimeout(this.#connectTimer);
    let missing = 1;
    const onReply = () => {
      if (--missing > 0) return;
      this.#isReady = true;
      this.#options.onReady();
    };
    const first = (args: string[], onError: (error: Error) => void) =>
      this.send({ args, isBinary: false, timeoutMs: this.#options.handshakeTimeoutMs, onReply, onError });
    const fail = (error: Error) => this.#end(error);
    if (password !== '' || username !== '') {
      missing++;
      first(username === '' ? ['AUTH', password] : ['AUTH', username, password], fail);
    }
    if (database !== 0) {
      missing++;
      first(['SELECT', String(database)], fail);
    }
    // A server that does not let us have a name serves all the same.
    first(['CLIENT', 'SETNAME', CLIENT_NAME], (error) =>
      error instanceof RedisErrorReply ? onReply() : fail(error),
    );
  }

  readonly #write = (): void => {
    this.#isWriteScheduled = false;
    if (!this.#isEnded) this.#writer.writeTo(this.#socket);
  };

  #onBytes(buffer: Buffer, length: number): boolean {
    try {
      if (!this.#isEnded) this.#parser.feed(buffer.subarray(0, length));
    } catch (error) {
      this.#end(error as Error);
    }
    return true;
  }

  #onReply(reply: unknown): void {
    const waiting = this.#waiting[this.#firstWaiting];
    if (!waiting) throw new Error('a reply without a command');
    if (++this.#firstWaiting === this.#waiting.length || this.#firstWaiting > MAX_ANSWERED) {
      this.#waiting = this.#waiting.slice(this.#firstWaiting);
      this.#firstWaiting = 0;
    }
    if (waiting.isOver) return;
    if (reply instanceof RedisErrorReply) waiting.command.onError(reply);
    else waiting.command.onReply(reply);
  }

  #setTimer(dueMs: number, delayMs: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timerDueMs = dueMs;
    // A busy event loop runs timers before it reads replies that have already arrived; let it read them first.
    this.#timer = setTimeout(() => setImmediate(this.#checkDeadlines), Math.max(1, Math.ceil(delayMs)));
  }

  readonly #checkDeadlines = (): void => {
    this.#timer = null;
    this.#timerDueMs = Number.POSITIVE_INFINITY;
    if (this.#isEnded) return;
    const nowMs = systemClock.monotonicMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting.slice(this.#firstWaiting)) {
      if (waiting.isOver) continue;
      if (waiting.dueMs > nowMs) {
        nextMs = Math.min(nextMs, waiting.dueMs);
        continue;
      }
      waiting.isOver = true;
      waiting.command.onError(new NoReplyError(waiting.command.timeoutMs));
    }
    if (!this.#isEnded && nextMs < this.#timerDueMs) this.#setTimer(nextMs, nextMs - nowMs);
  };

  #end(error: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#options.onEnd(error);
    this.#failAll(error);
  }

  #failAll(error: Error): void {
    this.#isEnded = true;
    clearTimeout(this.#connectTimer);
    if (this.#timer) clearTimeout(this.#timer);
    this.#socket.destroy();
    const waiting = this.#waiting.slice(this.#firstWaiting);
    this.#waiting = [];
    this.#firstWaiting = 0;
    for (const { command, isOver } of waiting) if (!isOver) command.onError(error);
  }
}

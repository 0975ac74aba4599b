import type { Socket } from 'node:net';
import { MemoryOpenStreams } from '../../accounts/streams/memory.ts';
import { Problem } from '../../base/problems.ts';

/** Readers of Parquet ask for several parts at once, one for each thread. */
export const MOST_OPEN_FILES = 32;
const RETRY_SECONDS = 5;

/** The files that are being sent: each holds buffers for as long as the client takes to read it. */
export class OpenFiles {
  readonly #counts = new MemoryOpenStreams();
  readonly #last = new WeakMap<Socket, Promise<unknown>>();

  /**
   * Answers the requests of one connection, in the order in which they came: `before` resolves when the answers before it are
   * sent, so that of files that a client pipelines one is open.
   */
  async inLine<Result>(
    socket: Socket,
    answer: (before: Promise<unknown>) => Promise<Result>,
  ): Promise<Result> {
    const before = this.#last.get(socket) ?? Promise.resolve();
    const answered = answer(before);
    this.#last.set(socket, Promise.allSettled([before, answered]));
    return await answered;
  }

  /** Counts a file that is sent or waits, until the returned function is called. Throws 429 beyond the limit. */
  open(accountId: string): () => void {
    if (this.#counts.open(accountId, MOST_OPEN_FILES)) return () => this.#counts.close(accountId);
    throw new Problem(
      'rate-limited',
      `An account may read ${MOST_OPEN_FILES} files at the same time; wait until some are read.`,
      { headers: { 'retry-after': String(RETRY_SECONDS) } },
    );
  }
}

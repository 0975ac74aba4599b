import type { Log } from '../log.ts';

/** Called when closing takes long, with what it waits for, as a person reads it after "waiting for". */
export type OnWait = (what: string) => void;

const LONG_MS = 1_000;
/** What begins to close after that is named only if it takes time itself. */
const SHORTEST_WAIT_MS = 200;

/** What a service has opened, closed in reverse order. What cannot be closed is logged, and the rest is closed. */
export class Opened {
  readonly #stack = new AsyncDisposableStack();
  readonly #log: Log;
  #onWait: OnWait = () => {};
  #startedMs = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  add(what: string, close: () => unknown): void {
    this.#stack.defer(() => this.#close(what, close));
  }

  async close(onWait: OnWait = () => {}): Promise<void> {
    this.#onWait = onWait;
    this.#startedMs = performance.now();
    await this.#stack.disposeAsync();
  }

  async #close(what: string, close: () => unknown): Promise<void> {
    const restMs = LONG_MS - (performance.now() - this.#startedMs);
    const timer = setTimeout(this.#onWait, Math.max(SHORTEST_WAIT_MS, restMs), what);
    try {
      await close();
    } catch (error) {
      this.#log.error({ err: error, what }, 'could not be closed');
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Opens several things. If one cannot be opened, those before it are closed: they would keep the process alive. */
export async function openInto<Result>(
  log: Log,
  open: (opened: Opened) => Promise<Result>,
): Promise<{ result: Result; opened: Opened }> {
  const opened = new Opened(log);
  try {
    return { result: await open(opened), opened };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

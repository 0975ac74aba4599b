interface WorkQueueOptions {
  /** Tasks that run at the same time. */
  running: number;
  /** Tasks that may wait; one more is refused. */
  waiting: number;
}

/** A task was refused because too many are waiting. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Runs a limited number of tasks at a time, in the order in which they were added. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** A task whose signal aborts while it waits gives up its place; its promise rejects with the reason. */
  async run<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#running < this.#options.running) this.#running++;
    else await this.#turn(signal);
    try {
      return await task();
    } finally {
      // The place goes to the next task directly, so that a task added meanwhile cannot overtake it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.length >= this.#options.waiting) throw new QueueFullError('too many tasks are waiting');
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(start);
    });
  }
}

import { nextTurn } from './next-turn.ts';

/**
 * Runs short tasks as they come, until they have taken a given time in one turn of the event loop. The rest waits in order
 * and runs in later turns, so that hundreds of messages that arrive together do not delay requests.
 */
export class TurnBudget {
  readonly #budgetMs: number;
  readonly #nowMs: () => number;
  #waiting: (() => void)[] = [];
  #usedMs = 0;
  #isCounting = false;

  constructor(budgetMs: number, nowMs: () => number = () => performance.now()) {
    this.#budgetMs = budgetMs;
    this.#nowMs = nowMs;
  }

  /** Returns false if the task has to wait. A task must not throw. */
  run(task: () => void): boolean {
    if (this.#waiting.length > 0 || this.#usedMs >= this.#budgetMs) {
      if (this.#waiting.push(task) === 1) void this.#runWaiting();
      return false;
    }
    if (!this.#isCounting) {
      this.#isCounting = true;
      setImmediate(() => {
        this.#isCounting = false;
        this.#usedMs = 0;
      });
    }
    const startedMs = this.#nowMs();
    task();
    this.#usedMs += this.#nowMs() - startedMs;
    return true;
  }

  async #runWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      await nextTurn();
      const startedMs = this.#nowMs();
      let done = 0;
      do this.#waiting[done++]?.();
      while (done < this.#waiting.length && this.#nowMs() - startedMs < this.#budgetMs);
      this.#waiting = this.#waiting.slice(done);
    }
  }
}

/** Time as the service sees it. Nothing but this file asks the system for the time. */
export interface Clock {
  nowMs(): number;
  /** Resolves after the delay, or at once when the signal aborts. Never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, delayMs));
      signal?.addEventListener('abort', done);
    }),
};

interface Sleeper {
  wakeAtMs: number;
  wake: () => void;
}

/** A clock that stands still until it is moved: for tests, and for collecting a simulator's past. */
export class ManualClock implements Clock {
  #nowMs: number;
  #sleepers: Sleeper[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted || delayMs <= 0) return resolve();
      const sleeper: Sleeper = {
        wakeAtMs: this.#nowMs + delayMs,
        wake: () => {
          this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', sleeper.wake);
    });
  }

  /** Moves to the given time and wakes, in order, all that were due on the way. */
  setMs(nowMs: number): void {
    for (;;) {
      const due = this.#sleepers
        .filter((s) => s.wakeAtMs <= nowMs)
        .sort((a, b) => a.wakeAtMs - b.wakeAtMs)[0];
      if (!due) break;
      this.#nowMs = Math.max(this.#nowMs, due.wakeAtMs);
      due.wake();
    }
    this.#nowMs = nowMs;
  }

  advanceMs(byMs: number): void {
    this.setMs(this.#nowMs + byMs);
  }
}

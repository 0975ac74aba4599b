/** The service's source of time. Nothing else in `src` reads the time of day; metrics time durations with `performance.now()`. */
export interface Clock {
  /** The time of day. It steps when the machine's clock is set. */
  nowMs(): number;
  /** Never steps; its origin has no meaning. For everything that measures how long something took or may take. */
  monotonicMs(): number;
  /** Resolves after the delay, or as soon as the signal aborts. Never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
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

/** A clock that advances only when it is moved: for tests, and for collecting a simulator's past. */
export class ManualClock implements Clock {
  #nowMs: number;
  /** What `nowMs` is ahead of the monotonic time: changed by `step` only. */
  #steppedMs = 0;
  #sleepers: Sleeper[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs - this.#steppedMs;
  }

  /** Sets the clock, as an operator or NTP may do: no time passes, and sleepers still sleep for as long. */
  step(byMs: number): void {
    this.#nowMs += byMs;
    this.#steppedMs += byMs;
    for (const sleeper of this.#sleepers) sleeper.wakeAtMs += byMs;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted || delayMs <= 0) return resolve();
      const sleeper: Sleeper = {
        // Whole milliseconds, as the system clock shows: delays with jitter are fractions, and PostgreSQL refuses them.
        wakeAtMs: Math.ceil(this.#nowMs + delayMs),
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

  /** Moves to the given time and wakes the sleepers that are due by then, in order. */
  setMs(nowMs: number): void {
    while (this.wakeNext(nowMs)) {}
    this.#nowMs = nowMs;
  }

  /** Moves to the time at which the next sleeper is due and wakes it; false if none is due by the given time. */
  wakeNext(latestMs: number): boolean {
    const [due] = this.#sleepers
      .filter((sleeper) => sleeper.wakeAtMs <= latestMs)
      .sort((a, b) => a.wakeAtMs - b.wakeAtMs);
    if (!due) return false;
    this.#nowMs = Math.max(this.#nowMs, due.wakeAtMs);
    due.wake();
    return true;
  }

  /** Shows a time without waking anybody before the next `setMs`, so that two clocks can be moved together. */
  showMs(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  /** When the next sleeper is due; null if none sleeps. */
  get nextWakeMs(): number | null {
    let nextMs: number | null = null;
    for (const { wakeAtMs } of this.#sleepers) if (nextMs === null || wakeAtMs < nextMs) nextMs = wakeAtMs;
    return nextMs;
  }

  advanceMs(byMs: number): void {
    this.setMs(this.#nowMs + byMs);
  }
}

import type { Clock } from './clock.ts';
import { MINUTE_MS, SECOND_MS } from './times.ts';

/** How a periodic job is doing. */
export interface JobState {
  name: string;
  everyMs: number;
  /** Since it last finished, or since it was started. */
  forMs: number;
  isLate: boolean;
}

/** One periodic job of this process. */
export interface Job {
  /** From now on the job is expected to finish once in every period. */
  start(): void;
  /** A run ended, and what it is for is done. */
  finished(): void;
  /** The job ends, or another process has it now. */
  stop(): void;
}

const LATE_AFTER_PERIODS = 3;
/** Some jobs look for work twice a second, and a busy machine delays them for longer than three such periods. */
const LEAST_LATE_MS = 15 * SECOND_MS;

export function jobState(name: string, everyMs: number, forMs: number): JobState {
  const isLate = forMs > Math.max(LATE_AFTER_PERIODS * everyMs, LEAST_LATE_MS);
  return { name, everyMs, forMs, isLate };
}

/** The periodic jobs of this process, and which of them no longer finish. */
export class Jobs {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #running = new Map<string, { everyMs: number; finishedAtMs: number }>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  job(name: string, everyMs: number): Job {
    return {
      start: () => void this.#running.set(name, { everyMs, finishedAtMs: this.#clock.monotonicMs() }),
      finished: () => {
        const running = this.#running.get(name);
        if (running) running.finishedAtMs = this.#clock.monotonicMs();
      },
      stop: () => void this.#running.delete(name),
    };
  }

  /** The jobs could not work for a while, and all count as started now. */
  restart(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const running of this.#running.values()) running.finishedAtMs = nowMs;
  }

  states(): JobState[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#running].map(([name, { everyMs, finishedAtMs }]) =>
      jobState(name, everyMs, nowMs - finishedAtMs),
    );
  }
}

/** One sentence for each late job. */
export function lateJobTexts(states: readonly JobState[]): string[] {
  return states
    .filter(({ isLate }) => isLate)
    .map(({ name, everyMs, forMs }) => {
      const every = everyMs < MINUTE_MS ? `${everyMs / SECOND_MS} s` : `${everyMs / MINUTE_MS} min`;
      const since =
        forMs < 2 * MINUTE_MS ? `${Math.floor(forMs / SECOND_MS)} s` : `${Math.floor(forMs / MINUTE_MS)} min`;
      return `Job late: ${name} has not finished for ${since}; it runs every ${every}`;
    });
}

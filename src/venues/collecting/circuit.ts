/** A circuit breaker with exponential backoff: single failures cause no pause, repeated ones longer and longer pauses. */
export class Circuit {
  #failuresInARow = 0;

  get failuresInARow(): number {
    return this.#failuresInARow;
  }

  get isOpen(): boolean {
    return this.#failuresInARow >= OPEN_AFTER;
  }

  succeeded(): void {
    this.#failuresInARow = 0;
  }

  /** Counts a failure and returns the delay before the next try, with jitter so that venues are not polled in step. */
  failed(everyMs: number, random: () => number): number {
    this.#failuresInARow++;
    if (!this.isOpen) return everyMs;
    const doublings = Math.min(this.#failuresInARow - OPEN_AFTER, 6);
    const backoffMs = Math.min(Math.max(everyMs, 5000) * 2 ** doublings, LONGEST_MS);
    return Math.max(everyMs, backoffMs * (0.75 + random() * 0.5));
  }
}

const OPEN_AFTER = 3;
const LONGEST_MS = 120_000;

/** A reply of fewer rows may repeat by chance; a reply about a whole venue cannot. */
export const BULK_ROWS = 10;

/** Between these two the longest quiet time of the venue counts. */
interface QuietBounds {
  /** A reply that repeats for less than this is news at every venue, also before anything is known of it. */
  leastMs: number;
  /** Longer than this no venue is quiet: it is frozen, and teaches nothing about its quiet times. */
  mostMs: number;
}

/**
 * Decides whether a bulk reply that repeats the previous one in every row is news. A venue whose market is quiet repeats
 * itself too, so each venue's longest quiet time is learned: a reply that repeats for longer is that of a frozen venue
 * or a stale cache.
 */
export class Repetition {
  readonly #bounds: QuietBounds;
  readonly #movedAtMs = new Map<string, number>();
  #longestQuietMs = 0;

  constructor(bounds: QuietBounds) {
    this.#bounds = bounds;
  }

  /** `hasMoved`: any figure of the reply differs. `hasTimes`: every row carries a time, which a new reply would change. */
  isNews(
    rows: readonly { venueSymbol: string }[],
    hasMoved: boolean,
    hasTimes: boolean,
    atMs: number,
  ): boolean {
    if (rows.length < BULK_ROWS) return true;
    let beforeMs: number | null = null;
    for (const { venueSymbol } of rows) {
      const movedAtMs = this.#movedAtMs.get(venueSymbol);
      if (movedAtMs !== undefined && (beforeMs === null || movedAtMs > beforeMs)) beforeMs = movedAtMs;
    }
    if (!hasMoved && beforeMs !== null) return !hasTimes && atMs - beforeMs <= this.#limitMs;
    if (beforeMs !== null) this.#learn(atMs - beforeMs);
    for (const { venueSymbol } of rows) this.#movedAtMs.set(venueSymbol, atMs);
    return true;
  }

  /** The clock was set: times change, durations do not. */
  shift(byMs: number): void {
    for (const [venueSymbol, movedAtMs] of this.#movedAtMs)
      this.#movedAtMs.set(venueSymbol, movedAtMs + byMs);
  }

  #learn(quietMs: number): void {
    if (quietMs <= this.#bounds.mostMs) this.#longestQuietMs = Math.max(this.#longestQuietMs, quietMs);
  }

  get #limitMs(): number {
    return Math.max(this.#bounds.leastMs, this.#longestQuietMs);
  }
}

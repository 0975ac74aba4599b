import { isoTime, MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';

/** Clocks of machines may differ by this much; ARCHITECTURE.md. */
const AHEAD_MS = 5 * SECOND_MS;
/** Two ticks, and a snapshot that was computed before the replies of its tick. */
const STALE_MS = 5 * MINUTE_MS;

export function standsStill(asOfMs: number, clockNowMs: number): boolean {
  return asOfMs < clockNowMs - STALE_MS;
}

/** The newest `as_of` that a client has seen, by path. */
export class AsOfWatch {
  readonly #newest = new Map<string, number>();

  /** Notes an answer and returns what it violates. `isUndisturbed`: nothing keeps the service from publishing. */
  note(path: string, asOfMs: number, clockNowMs: number, isUndisturbed = false): string[] {
    const newestMs = this.#newest.get(path) ?? Number.NEGATIVE_INFINITY;
    this.#newest.set(path, Math.max(newestMs, asOfMs));
    const violations: string[] = [];
    if (asOfMs < newestMs)
      violations.push(`as_of backwards: ${path} from ${isoTime(newestMs)} to ${isoTime(asOfMs)}`);
    if (asOfMs > clockNowMs + AHEAD_MS)
      violations.push(`as_of in the future: ${path} ${isoTime(asOfMs)}, the clock is ${isoTime(clockNowMs)}`);
    if (isUndisturbed && standsStill(asOfMs, clockNowMs))
      violations.push(`as_of stands still: ${path} ${isoTime(asOfMs)}, the clock is ${isoTime(clockNowMs)}`);
    return violations;
  }

  /** The clock was set back, or unstored snapshots died with their process: older ones are right again. */
  forget(): void {
    this.#newest.clear();
  }
}

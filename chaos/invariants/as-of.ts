import { isoTime, SECOND_MS } from '../../src/base/times.ts';

/** Clocks of machines may differ by this much; ARCHITECTURE.md. */
const AHEAD_MS = 5 * SECOND_MS;

/** The newest `as_of` that a client has seen, by path. */
export class AsOfWatch {
  readonly #newest = new Map<string, number>();

  /** Notes an answer and returns what it violates. */
  note(path: string, asOfMs: number, clockNowMs: number): string[] {
    const newestMs = this.#newest.get(path) ?? Number.NEGATIVE_INFINITY;
    this.#newest.set(path, Math.max(newestMs, asOfMs));
    const violations: string[] = [];
    if (asOfMs < newestMs)
      violations.push(`as_of backwards: ${path} from ${isoTime(newestMs)} to ${isoTime(asOfMs)}`);
    if (asOfMs > clockNowMs + AHEAD_MS)
      violations.push(`as_of in the future: ${path} ${isoTime(asOfMs)}, the clock is ${isoTime(clockNowMs)}`);
    return violations;
  }

  /** The clock was set back, or unstored snapshots died with their process: older ones are right again. */
  forget(): void {
    this.#newest.clear();
  }
}

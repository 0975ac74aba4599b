import type { WindowOwner } from '../../accounts/windows/windows.ts';
import { MINUTE_MS } from '../../base/times.ts';

/**
 * Bounds the 304 answers that had to be computed and cost nothing: as many a minute as the plan has requests. Each process
 * counts for itself, because the bound protects the process. Answers from the cache are not counted.
 */
export class FreeAnswers {
  readonly #counts = new Map<string, number>();
  #minute = 0;

  /** Whether one more computed answer may be free. */
  take({ slotId, plan }: WindowOwner, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#counts.clear();
      this.#minute = minute;
    }
    const count = this.#counts.get(slotId) ?? 0;
    if (count >= plan.requestsPerMinute) return false;
    this.#counts.set(slotId, count + 1);
    return true;
  }
}

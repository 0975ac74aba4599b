import { MINUTE_MS } from '../../base/times.ts';
import type { Print } from './merge.ts';
import { type FoundPrint, type LastPrint, RecentPrints } from './recent-prints.ts';

export interface RollingSums {
  sum1dPct: number | null;
  sum7dPct: number | null;
  sum30dPct: number | null;
  sum90dPct: number | null;
  /** The sum of the absolute rates of 30 days; null under 95 % coverage. */
  absolute30dPct: number | null;
  /** The end of the windows of the sums; null if all of them are. */
  coveredUntilMs: number | null;
  last: LastPrint;
}

/** The sums over 1, 7, 30 and 90 days and the newest print of every contract, updated with each print. */
export class SettlementSums {
  readonly #recent = new Map<string, RecentPrints>();
  readonly #listeners = new Set<(key: string) => void>();

  put(key: string, prints: readonly Print[]): void {
    if (prints.length === 0) return;
    let recent = this.#recent.get(key);
    if (!recent) {
      recent = new RecentPrints();
      this.#recent.set(key, recent);
    }
    recent.put(prints);
    for (const listener of this.#listeners) listener(key);
  }

  /** Calls the listener with each contract key whose prints have changed, until the returned function is called. */
  onPut(listener: (key: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes whenever a print of the contract changes; 0: none is held. */
  versionOf(key: string): number {
    return this.#recent.get(key)?.version ?? 0;
  }

  /** The prints after a time, oldest first, with the interval that each settles (0: unknown). */
  printsAfter(key: string, timeMs: number): ReturnType<RecentPrints['after']> | null {
    return this.#recent.get(key)?.after(Math.floor(timeMs / MINUTE_MS)) ?? null;
  }

  find(key: string, minute: number, toleranceMinutes: number): FoundPrint | null {
    return this.#recent.get(key)?.near(minute, toleranceMinutes) ?? null;
  }

  /** Sums over (T - N days, T], T being the last complete settlement, and the newest print of every contract by then. */
  at(asOfMs: number): Map<string, RollingSums> {
    const sums = new Map<string, RollingSums>();
    for (const [key, recent] of this.#recent) {
      const last = recent.last(asOfMs);
      const windows = recent.sums(asOfMs);
      if (!last || !windows) continue;
      const { sumsPct } = windows;
      const [sum1dPct = null, sum7dPct = null, sum30dPct = null, sum90dPct = null] = sumsPct;
      const coveredUntilMs = sumsPct.some((sum) => sum !== null) ? windows.coveredUntilMs : null;
      const { absolute30dPct } = windows;
      sums.set(key, { sum1dPct, sum7dPct, sum30dPct, sum90dPct, absolute30dPct, coveredUntilMs, last });
    }
    return sums;
  }
}

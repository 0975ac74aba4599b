import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { ContractState } from '../../market/contract-state.ts';

/** A venue's most traded contracts are fetched every minute, in so large a part of them. */
const MINUTELY_SHARE = 1 / 3;
const TRADED_MS = 5 * MINUTE_MS;
const UNTRADED_MS = 30 * MINUTE_MS;
/** Books are fetched twice a minute; one that falls due before the next time is fetched now. */
export const EARLY_MS = 25 * SECOND_MS;

/** Factors by which the periods of a venue grow when it was not done in time, and shrink when it was. */
const GROWTH = 1.1;
const SHRINKAGE = 0.95;
const LARGEST_STRETCH = 30;

/** How often the book of each contract is fetched. All periods of a venue whose budget is too small are longer. */
export class FetchPeriods {
  readonly #stretches = new Map<string, number>();
  readonly #planned = new Map<string, { exchange: string; periodMs: number }>();

  /** Sets the periods of a venue's contracts, which are given by volume, the most traded first. */
  plan(byVolume: readonly ContractState[]): void {
    const minutely = Math.ceil(byVolume.length * MINUTELY_SHARE);
    for (const [place, { key, venue, volume24hUsdt }] of byVolume.entries()) {
      const tradedMs = place < minutely ? MINUTE_MS : TRADED_MS;
      const periodMs = (volume24hUsdt ?? 0) > 0 ? tradedMs : UNTRADED_MS;
      this.#planned.set(key, { exchange: venue.facts.exchange, periodMs });
    }
  }

  /** Not a number for a contract that was never planned. */
  periodMsOf(key: string): number {
    const planned = this.#planned.get(key);
    return planned ? planned.periodMs * (this.#stretches.get(planned.exchange) ?? 1) : Number.NaN;
  }

  /** Takes whether a venue fetched all that was due, so that its periods become what its budget carries. */
  adapt(exchange: string, isDone: boolean): void {
    const stretch = (this.#stretches.get(exchange) ?? 1) * (isDone ? SHRINKAGE : GROWTH);
    this.#stretches.set(exchange, Math.min(LARGEST_STRETCH, Math.max(1, stretch)));
  }
}

import { SECOND_MS } from '../../base/times.ts';

/** What is published of a contract while the venue settles. */
interface HeldRow {
  key: string;
  ratePct: number | null;
  nextFundingAtMs: number | null;
}

/** An interval or a next settlement that waits for the rate that belongs to it. Undefined: not stated. */
export interface WaitingSchedule {
  intervalHours?: number | null | undefined;
  nextFundingAtMs?: number | null | undefined;
}

/** By then every venue has shown the rate that it charged, so a rate that was not seen before is a new estimate. */
const LEARN_MS = 40 * SECOND_MS;

/**
 * Some venues show the rate that they have just charged beside the next settlement's time, for about a minute. It is
 * not the estimate for that settlement. While they repeat it, neither it nor the new interval and time are taken.
 */
export class ChargedRates {
  /** By contract: the settlement, and the rates that were shown up to it and right after it. */
  readonly #settled = new Map<string, { atMs: number; rates: Set<number> }>();
  readonly #waiting = new Map<string, WaitingSchedule>();

  /** True for a rate that belongs to the settlement that has just passed. */
  isCharged(
    held: HeldRow,
    quote: { ratePct: number; nextFundingAtMs: number | null | undefined },
    shownSeconds: number,
    atMs: number,
  ): boolean {
    // A quote that still names the passed settlement was made before it.
    const hasSettled = isSettling(held, shownSeconds, atMs) && quote.nextFundingAtMs !== held.nextFundingAtMs;
    if (hasSettled && this.#settled.get(held.key)?.atMs !== held.nextFundingAtMs)
      this.#settled.set(held.key, {
        atMs: held.nextFundingAtMs ?? 0,
        rates: new Set([held.ratePct ?? Number.NaN]),
      });
    const settled = this.#settled.get(held.key);
    if (!settled) return false;
    if (atMs - settled.atMs > shownSeconds * SECOND_MS) {
      this.#settled.delete(held.key);
      return false;
    }
    if (atMs - settled.atMs <= LEARN_MS) settled.rates.add(quote.ratePct);
    return settled.rates.has(quote.ratePct);
  }

  /** True if the schedule must wait for the next rate that is taken. */
  isWaiting(held: HeldRow, schedule: WaitingSchedule, shownSeconds: number, atMs: number): boolean {
    if (!isSettling(held, shownSeconds, atMs)) return false;
    this.#waiting.set(held.key, { ...this.#waiting.get(held.key), ...schedule });
    return true;
  }

  /** The schedule that has waited for a rate of this contract. */
  takeWaiting(key: string): WaitingSchedule | undefined {
    const schedule = this.#waiting.get(key);
    this.#waiting.delete(key);
    return schedule;
  }
}

function isSettling({ ratePct, nextFundingAtMs }: HeldRow, shownSeconds: number, atMs: number): boolean {
  if (ratePct === null || nextFundingAtMs === null || nextFundingAtMs > atMs) return false;
  return atMs - nextFundingAtMs <= shownSeconds * SECOND_MS;
}

import type { Clock } from './clock.ts';

export interface BudgetLimit {
  /** Weight per window: the venue's own limit, reduced by a safety margin. */
  capacity: number;
  windowSeconds: number;
  /** Venues whose limits have the same name here draw on one budget: their host counts the calls of an address to all. */
  sharedAs?: string;
}

/** A lower number is served first: history and depth use what live data leaves. */
export const PRIORITY = { live: 0, settlement: 1, depth: 2, backfill: 3 } as const;
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** This share of the capacity is reserved for live calls, so that background work never delays them. */
const LIVE_RESERVE_SHARE = 0.3;

interface Waiter {
  weight: number;
  priority: Priority;
  start: () => void;
}

/** A sliding-log rate limit: at most `capacity` weight in any `windowSeconds`. */
export class RequestBudget {
  readonly #limit: BudgetLimit;
  readonly #clock: Clock;
  #spent: { atMs: number; weight: number }[] = [];
  #spentWeight = 0;
  #waiters: Waiter[] = [];
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  #pumping = false;
  #sleeping = new AbortController();

  constructor(limit: BudgetLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  get capacity(): number {
    return this.#limit.capacity;
  }

  get windowSeconds(): number {
    return this.#limit.windowSeconds;
  }

  /** Weight spent in the window that ends now. */
  spentWeight(): number {
    this.#dropExpired();
    return this.#spentWeight;
  }

  /** Holds every call back for this long, because the venue demanded it (Retry-After). */
  pauseFor(durationMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.monotonicMs() + durationMs);
  }

  /** Resolves once the weight is spent. Rejects with the signal's reason if it aborts first. */
  take(weight: number, priority: Priority, signal?: AbortSignal): Promise<void> {
    if (weight > this.#limit.capacity) {
      return Promise.reject(
        new Error(`a call of weight ${weight} never fits a budget of ${this.#limit.capacity}`),
      );
    }
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(signal?.reason);
      };
      const start = () => {
        // The signal usually lives as long as the process, so each call must remove its listener.
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const waiter: Waiter = { weight, priority, start };
      signal?.addEventListener('abort', leave, { once: true });
      // First in, first out among calls of one priority.
      this.#waiters.splice(this.#waiters.findLastIndex((other) => other.priority <= priority) + 1, 0, waiter);
      // A new first waiter may need a shorter sleep than the one it overtakes.
      if (this.#pumping && this.#waiters[0] === waiter) this.#sleeping.abort();
      void this.#pump();
    });
  }

  #dropExpired(): void {
    const horizonMs = this.#clock.monotonicMs() - this.#limit.windowSeconds * 1000;
    let expired = 0;
    for (const entry of this.#spent) {
      if (entry.atMs > horizonMs) break;
      this.#spentWeight -= entry.weight;
      expired++;
    }
    if (expired > 0) this.#spent.splice(0, expired);
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    for (let next = this.#waiters[0]; next; next = this.#waiters[0]) {
      const waitMs = this.#waitMs(next);
      if (waitMs > 0) {
        // Check again every second: meanwhile a pause may be extended and a waiter may abort.
        this.#sleeping = new AbortController();
        await this.#clock.sleep(Math.min(waitMs, 1000), this.#sleeping.signal);
        continue;
      }
      this.#waiters.shift();
      this.#spent.push({ atMs: this.#clock.monotonicMs(), weight: next.weight });
      this.#spentWeight += next.weight;
      next.start();
    }
    this.#pumping = false;
  }

  #waitMs(waiter: Waiter): number {
    const nowMs = this.#clock.monotonicMs();
    if (this.#pausedUntilMs > nowMs) return this.#pausedUntilMs - nowMs;
    this.#dropExpired();
    const share = waiter.priority === PRIORITY.live ? 1 : 1 - LIVE_RESERVE_SHARE;
    const usable = Math.max(this.#limit.capacity * share, waiter.weight);
    let over = this.#spentWeight + waiter.weight - usable;
    if (over <= 0) return 0;
    for (const entry of this.#spent) {
      over -= entry.weight;
      if (over <= 0) return Math.max(1, entry.atMs + this.#limit.windowSeconds * 1000 - nowMs);
    }
    return this.#limit.windowSeconds * 1000;
  }
}

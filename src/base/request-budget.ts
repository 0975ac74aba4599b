import type { Clock } from './clock.ts';

export interface BudgetLimit {
  /** Weight that the venue allows in one window, already reduced to what we dare to use. */
  capacity: number;
  windowSeconds: number;
}

/** Live data goes first; history and depth use what is left. */
export const PRIORITY = { live: 0, settlement: 1, depth: 2, backfill: 3 } as const;
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** Below this share of the window only live calls may go, so that background work never delays them. */
const LIVE_RESERVE_SHARE = 0.3;

interface Waiter {
  weight: number;
  priority: Priority;
  order: number;
  go: () => void;
}

/** Spends at most `capacity` weight in any `windowSeconds`: a sliding log of what was spent. */
export class RequestBudget {
  readonly #limit: BudgetLimit;
  readonly #clock: Clock;
  #spent: { atMs: number; weight: number }[] = [];
  #spentWeight = 0;
  #waiters: Waiter[] = [];
  #order = 0;
  #pausedUntilMs = 0;
  #pumping = false;
  #waiting = new AbortController();

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
    this.#forget();
    return this.#spentWeight;
  }

  /** Nothing goes out before this time: the venue said so. */
  pauseUntil(timeMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, timeMs);
  }

  take(weight: number, priority: Priority, signal?: AbortSignal): Promise<void> {
    if (weight > this.#limit.capacity) {
      return Promise.reject(
        new Error(`a call of weight ${weight} never fits a budget of ${this.#limit.capacity}`),
      );
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { weight, priority, order: this.#order++, go: resolve };
      signal?.addEventListener('abort', () => {
        if (!this.#waiters.includes(waiter)) return;
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(signal.reason);
      });
      this.#waiters.push(waiter);
      this.#waiters.sort((a, b) => a.priority - b.priority || a.order - b.order);
      // One that goes first must not sleep as long as the one it passes.
      if (this.#waiters[0] === waiter) this.#waiting.abort();
      void this.#pump();
    });
  }

  #forget(): void {
    const horizonMs = this.#clock.nowMs() - this.#limit.windowSeconds * 1000;
    let gone = 0;
    for (const entry of this.#spent) {
      if (entry.atMs > horizonMs) break;
      this.#spentWeight -= entry.weight;
      gone++;
    }
    if (gone > 0) this.#spent.splice(0, gone);
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    for (let next = this.#waiters[0]; next; next = this.#waiters[0]) {
      const waitMs = this.#waitMs(next);
      if (waitMs > 0) {
        // A pause may be lengthened and a waiter may give up meanwhile, so look again soon.
        this.#waiting = new AbortController();
        await this.#clock.sleep(Math.min(waitMs, 1000), this.#waiting.signal);
        continue;
      }
      this.#waiters.shift();
      this.#spent.push({ atMs: this.#clock.nowMs(), weight: next.weight });
      this.#spentWeight += next.weight;
      next.go();
    }
    this.#pumping = false;
  }

  #waitMs(waiter: Waiter): number {
    const nowMs = this.#clock.nowMs();
    if (this.#pausedUntilMs > nowMs) return this.#pausedUntilMs - nowMs;
    this.#forget();
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

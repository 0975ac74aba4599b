import { SECOND_MS } from '../../../base/times.ts';

/** What is saved up while nothing is used, as seconds of the rate. */
const SAVED_SECONDS = 20;

/** Computing time that someone may use: a token bucket in milliseconds of the serving thread. */
export class TimeBudget {
  readonly #msPerSecond: number;
  #leftMs: number;
  #atMs: number;

  /** 0 is no limit. Times are monotonic. */
  constructor(msPerSecond: number, nowMs: number) {
    this.#msPerSecond = msPerSecond;
    this.#leftMs = this.#mostMs;
    this.#atMs = nowMs;
  }

  get isLimited(): boolean {
    return this.#msPerSecond > 0;
  }

  get #mostMs(): number {
    return this.isLimited ? this.#msPerSecond * SAVED_SECONDS : Number.POSITIVE_INFINITY;
  }

  /** Negative after work that took longer than was left: its time is known only afterwards. */
  leftMs(nowMs: number): number {
    const refilledMs = ((nowMs - this.#atMs) * this.#msPerSecond) / SECOND_MS;
    this.#leftMs = Math.min(this.#mostMs, this.#leftMs + refilledMs);
    this.#atMs = nowMs;
    return this.#leftMs;
  }

  spend(ms: number, nowMs: number): void {
    this.#leftMs = this.leftMs(nowMs) - ms;
  }

  /** Whole seconds until some is left again, at least one. */
  waitSeconds(nowMs: number): number {
    const missingMs = Math.max(0, -this.leftMs(nowMs));
    return this.isLimited ? Math.floor(missingMs / this.#msPerSecond) + 1 : 1;
  }
}

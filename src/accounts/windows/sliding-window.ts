import { MINUTE_MS } from '../../base/times.ts';

/**
 * The times of the requests of the last 60 seconds, at most `limit`. A sliding window, because a fixed minute passes up to
 * twice the limit across its boundary, and quotas are hard caps. It takes 8 bytes per request of the limit, for slots in
 * use only.
 */
export class SlidingWindow {
  #times: Float64Array;
  #head = 0;
  #count = 0;

  constructor(limit: number) {
    this.#times = new Float64Array(limit);
  }

  get limit(): number {
    return this.#times.length;
  }

  used(nowMs: number): number {
    this.#followClock(nowMs);
    const horizonMs = nowMs - MINUTE_MS;
    while (this.#count > 0 && this.#at(0) <= horizonMs) {
      this.#head = (this.#head + 1) % this.limit;
      this.#count--;
    }
    return this.#count;
  }

  /** Counts one request; returns false and counts nothing if the window is full. */
  take(nowMs: number): boolean {
    if (this.used(nowMs) >= this.limit) return false;
    this.#times[(this.#head + this.#count) % this.limit] = nowMs;
    this.#count++;
    return true;
  }

  /** Removes the request counted at that time, if it is still in the window. */
  refund(atMs: number): void {
    let place = this.#count - 1;
    while (place >= 0 && this.#at(place) !== atMs) place--;
    if (place < 0) return;
    for (; place < this.#count - 1; place++) {
      this.#times[(this.#head + place) % this.limit] = this.#at(place + 1);
    }
    this.#count--;
  }

  /** When the oldest request expires; for an empty window, a whole window from now. */
  resetsAtMs(nowMs: number): number {
    return (this.used(nowMs) === 0 ? nowMs : this.#at(0)) + MINUTE_MS;
  }

  /** Changes the limit after a change of plan. The newest times are kept, so a smaller limit applies at once. */
  resize(limit: number): void {
    if (limit === this.limit) return;
    const count = Math.min(limit, this.#count);
    const times = new Float64Array(limit);
    for (let place = 0; place < count; place++) times[place] = this.#at(this.#count - count + place);
    this.#times = times;
    this.#head = 0;
    this.#count = count;
  }

  /** Shifts the times if the clock was set back; otherwise they would not expire until it has caught up. */
  #followClock(nowMs: number): void {
    const aheadMs = this.#count === 0 ? 0 : this.#at(this.#count - 1) - nowMs;
    if (aheadMs <= 0) return;
    for (let place = 0; place < this.#times.length; place++) {
      this.#times[place] = (this.#times[place] ?? 0) - aheadMs;
    }
  }

  #at(place: number): number {
    return this.#times[(this.#head + place) % this.limit] ?? Number.NaN;
  }
}

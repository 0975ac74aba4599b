import { rateUnits } from './days.ts';
import { PrintTimes } from './print-times.ts';
import { RateColumn } from './rate-column.ts';
import { intervalMinutes } from './times.ts';

/** Space is added for so many rates at a time. */
export const SPARE_PRINTS = 24;

/** Times and rates of the prints of a contract, in the order of time, and the interval that each settles. */
export class PrintColumns {
  times = new PrintTimes();
  readonly rates = new RateColumn();
  /** Rates for which there is space. */
  #capacity = 0;

  get lastMinute(): number {
    return this.times.length === 0 ? 0 : this.times.at(this.times.length - 1);
  }

  intervalAt(index: number): number {
    const step = this.times.stepAround(index);
    if (step !== 0) return intervalMinutes(step, step, step, 0);
    const count = this.times.length;
    // The first print is given the interval of the second.
    const at = Math.max(1, index);
    if (at >= count) return 0;
    const gap = (i: number) => (i >= 1 && i < count ? this.times.at(i) - this.times.at(i - 1) : 0);
    return intervalMinutes(gap(at - 1), gap(at), gap(at + 1), this.times.at(at));
  }

  isHoleBefore(index: number): boolean {
    return this.times.at(index) - this.times.at(index - 1) !== this.intervalAt(index);
  }

  /** The sum of the intervals of some prints. Those in the middle of a run have the same one. */
  coveredBetween(first: number, end: number): number {
    let coveredMinutes = 0;
    for (let i = first; i < end; ) {
      const step = this.times.stepAround(i);
      const next = step === 0 ? i + 1 : Math.min(end, this.times.evenUntil(i));
      coveredMinutes += (next - i) * this.intervalAt(i);
      i = next;
    }
    return coveredMinutes;
  }

  append(minute: number): void {
    this.times.append(minute);
    if (this.times.length > this.#capacity) this.reserve(this.times.length);
  }

  reserve(count: number): void {
    this.#capacity = count + SPARE_PRINTS;
    this.rates.resize(this.#capacity);
  }

  /** Inserts prints between those that are held: history that was fetched later. */
  insert(ratesPct: ReadonlyMap<number, number>): void {
    const held = this.times.from(0);
    const minutes = [...ratesPct.keys()].sort((a, b) => a - b);
    const merged = new Uint32Array(held.length + minutes.length);
    this.reserve(merged.length);
    // From the newest to the oldest, so that no rate is overwritten before it is moved.
    let [i, j] = [held.length - 1, minutes.length - 1];
    for (let to = merged.length - 1; j >= 0; to--) {
      const minute = minutes[j] as number;
      if (i >= 0 && (held[i] as number) > minute) {
        merged[to] = held[i] as number;
        this.rates.set(to, this.rates.at(i--));
      } else {
        merged[to] = minute;
        this.rates.set(to, rateUnits(ratesPct.get(minute) ?? 0));
        j--;
      }
    }
    merged.set(held.subarray(0, i + 1));
    this.times = PrintTimes.of(merged);
  }

  dropFirst(count: number): void {
    this.rates.move(0, count, this.times.length);
    this.times.dropFirst(count);
  }
}

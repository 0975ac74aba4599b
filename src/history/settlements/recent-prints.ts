import { roundPercent } from '../../base/numbers.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { pctOfUnits, rateUnits } from './days.ts';
import type { Print } from './merge.ts';
import { PrintTimes } from './print-times.ts';
import { RateColumn } from './rate-column.ts';
import { DAY_MINUTES, intervalMinutes, intervalsOf } from './times.ts';

/** A window has a sum only if prints cover at least this share of it. */
const LEAST_COVERAGE = 0.95;
const SUM_DAYS = [1, 7, 30, 90] as const;
const SUM_30D = SUM_DAYS.indexOf(30);
/** Held beyond the longest window, which ends up to 5 % of its length and an interval ago, and for a clock that is set back. */
const SPARE_DAYS = 7;
export const RECENT_DAYS = Math.max(...SUM_DAYS) + SPARE_DAYS;

/** A hole this recent may still be filled, so that windows end before it; an older one counts against their coverage. */
const FILLED_WITHIN_MINUTES = DAY_MINUTES;
/** A changed or dropped print affects the intervals of the two prints before it and the two after it. */
const NEIGHBOURS = 3;
/** Space is added for so many rates at a time, and so many prints are dropped together. */
const SPARE_PRINTS = 24;

interface Window {
  minutesLong: number;
  /** Index of the first print inside. */
  first: number;
  /** Index after the last print inside. */
  end: number;
  units: number;
  coveredMinutes: number;
}

/** A settled print and the one before it; null where none is held. */
export interface FoundPrint {
  ratePct: number;
  previousRatePct: number | null;
  gapMinutes: number | null;
}

export interface LastPrint {
  ratePct: number;
  settledAtMs: number;
}

interface WindowSums {
  /** Over SUM_DAYS; null under 95 % coverage. */
  sumsPct: (number | null)[];
  /** The last settlement up to which the prints are complete: the end of all windows. */
  coveredUntilMs: number;
  /** The sum of the absolute rates of 30 days; null under 95 % coverage. */
  absolute30dPct: number | null;
}

/**
 * The last 90 days of one contract. Several million prints are held, so of most only the rate takes space: times are runs,
 * and intervals are computed from them. Window sums are updated by the prints that enter and leave, not recomputed.
 */
export class RecentPrints {
  #times = new PrintTimes();
  readonly #rates = new RateColumn();
  /** Rates for which there is space. */
  #capacity = 0;
  /** Exact, while units are rounded. */
  #newestRatePct = 0;
  #version = 0;
  #endMinute = Number.NEGATIVE_INFINITY;
  /** Of the 30-day window, until it moves or a print changes. */
  #absolute = { version: -1, endMinute: 0, pct: 0 };
  readonly #windows: Window[] = SUM_DAYS.map((days) => ({
    minutesLong: days * DAY_MINUTES,
    first: 0,
    end: 0,
    units: 0,
    coveredMinutes: 0,
  }));

  /** Changes with every put. */
  get version(): number {
    return this.#version;
  }

  put(prints: readonly Print[]): void {
    this.#version++;
    const last = this.#lastMinute;
    let [newest, later] = [last, 0];
    for (const { minute } of prints) {
      newest = Math.max(newest, minute);
      if (minute > last) later++;
    }
    const horizon = newest - RECENT_DAYS * DAY_MINUTES;
    const between = new Map<number, number>();
    // Space for all of them at once: growing print by print would leave a trail of buffers.
    if (later > SPARE_PRINTS) this.#reserve(this.#times.length + later);
    for (const { minute, ratePct } of prints) {
      if (minute < horizon) continue;
      const at = this.#times.firstFrom(minute);
      const isNew = at === this.#times.length;
      if (!isNew && this.#times.at(at) !== minute) {
        between.set(minute, ratePct);
        continue;
      }
      this.#rewind(Math.max(0, at - NEIGHBOURS));
      if (isNew) this.#append(minute);
      this.#rates.set(at, rateUnits(ratePct));
      if (at === this.#times.length - 1) this.#newestRatePct = ratePct;
    }
    if (between.size > 0) this.#insert(between);
    this.#dropBefore(horizon);
  }

  /** The first print that is at most so far from the minute, and the one before it. */
  near(minute: number, toleranceMinutes: number): FoundPrint | null {
    const at = this.#times.firstFrom(minute - toleranceMinutes);
    const found = at < this.#times.length ? this.#times.at(at) : Number.POSITIVE_INFINITY;
    if (found > minute + toleranceMinutes) return null;
    const previous = at === 0 ? null : this.#times.at(at - 1);
    return {
      ratePct: pctOfUnits(this.#rates.at(at)),
      previousRatePct: previous === null ? null : pctOfUnits(this.#rates.at(at - 1)),
      gapMinutes: previous === null ? null : found - previous,
    };
  }

  /** The newest print that had settled by then. */
  last(asOfMs: number): LastPrint | null {
    const asOfMinute = Math.floor(asOfMs / MINUTE_MS);
    const count = this.#times.length;
    const at = (this.#lastMinute > asOfMinute ? this.#times.firstFrom(asOfMinute + 1) : count) - 1;
    if (at < 0) return null;
    return {
      ratePct: at === count - 1 ? this.#newestRatePct : pctOfUnits(this.#rates.at(at)),
      settledAtMs: this.#times.at(at) * MINUTE_MS,
    };
  }

  /**
   * The sums over the SUM_DAYS that end with the last settlement up to which the prints are complete. A window that ended at
   * the time of the snapshot would lack the newest print until it is fetched. Null if no print had settled by then.
   */
  sums(asOfMs: number): WindowSums | null {
    // Prints have whole minutes: the one of the current minute has settled.
    const asOfMinute = Math.floor(asOfMs / MINUTE_MS);
    const end = this.#completeUntil(asOfMinute);
    if (end < 0) return null;
    const endMinute = this.#times.at(end);
    if (endMinute < this.#endMinute) for (const window of this.#windows) empty(window);
    this.#endMinute = endMinute;
    const missingMinutes = asOfMinute - endMinute - this.#intervalAt(end);
    const sumsPct = this.#windows.map((window) => {
      const sumPct = this.#advance(window, endMinute);
      return missingMinutes > window.minutesLong * (1 - LEAST_COVERAGE) ? null : sumPct;
    });
    const absolute30dPct = sumsPct[SUM_30D] == null ? null : this.#absolutePct(endMinute);
    return { sumsPct, coveredUntilMs: endMinute * MINUTE_MS, absolute30dPct };
  }

  #absolutePct(endMinute: number): number {
    if (this.#absolute.version !== this.#version || this.#absolute.endMinute !== endMinute) {
      const { first, end } = this.#windows[SUM_30D] as Window;
      const pct = roundPercent(pctOfUnits(this.#rates.absoluteSum(first, end)));
      this.#absolute = { version: this.#version, endMinute, pct };
    }
    return this.#absolute.pct;
  }

  /** The index of the newest print by then that no print of the day before it is missing; -1 if there is none. */
  #completeUntil(asOfMinute: number): number {
    const count = this.#times.length;
    const newest = (this.#lastMinute > asOfMinute ? this.#times.firstFrom(asOfMinute + 1) : count) - 1;
    if (newest < 0) return -1;
    const fromMinute = this.#times.at(newest) - FILLED_WITHIN_MINUTES;
    let end = newest;
    for (let i = newest; i > 0 && this.#times.at(i) > fromMinute; i--) {
      // In the middle of a run nothing is missing.
      if (this.#times.stepAround(i) === 0 && this.#isHoleBefore(i)) end = i - 1;
    }
    return end;
  }

  /** Prints after a minute, with the interval that each settles; an interval of 0 is unknown. */
  after(minute: number): { minutes: Uint32Array; ratesPct: Float64Array; intervalMinutes: Int32Array } {
    const first = this.#times.firstFrom(minute + 1);
    const ratesPct = new Float64Array(this.#times.length - first);
    for (let i = 0; i < ratesPct.length; i++) ratesPct[i] = pctOfUnits(this.#rates.at(first + i));
    // An interval depends on the prints before it, so some of those are read too.
    const from = Math.max(0, first - NEIGHBOURS);
    const minutes = this.#times.from(from);
    return {
      minutes: minutes.subarray(first - from),
      ratesPct,
      intervalMinutes: intervalsOf(minutes).minutes.subarray(first - from),
    };
  }

  get #lastMinute(): number {
    return this.#times.length === 0 ? 0 : this.#times.at(this.#times.length - 1);
  }

  #intervalAt(index: number): number {
    const step = this.#times.stepAround(index);
    if (step !== 0) return intervalMinutes(step, step, step, 0);
    const count = this.#times.length;
    // The first print is given the interval of the second.
    const at = Math.max(1, index);
    if (at >= count) return 0;
    const gap = (i: number) => (i >= 1 && i < count ? this.#times.at(i) - this.#times.at(i - 1) : 0);
    return intervalMinutes(gap(at - 1), gap(at), gap(at + 1), this.#times.at(at));
  }

  #isHoleBefore(index: number): boolean {
    return this.#times.at(index) - this.#times.at(index - 1) !== this.#intervalAt(index);
  }

  /** The sum of the intervals of some prints. Those in the middle of a run have the same one. */
  #coveredBetween(first: number, end: number): number {
    let coveredMinutes = 0;
    for (let i = first; i < end; ) {
      const step = this.#times.stepAround(i);
      const next = step === 0 ? i + 1 : Math.min(end, this.#times.evenUntil(i));
      coveredMinutes += (next - i) * this.#intervalAt(i);
      i = next;
    }
    return coveredMinutes;
  }

  #append(minute: number): void {
    this.#times.append(minute);
    if (this.#times.length > this.#capacity) this.#reserve(this.#times.length);
  }

  #reserve(count: number): void {
    this.#capacity = count + SPARE_PRINTS;
    this.#rates.resize(this.#capacity);
  }

  /** Inserts prints between those that are held: history that was fetched later. */
  #insert(ratesPct: ReadonlyMap<number, number>): void {
    for (const window of this.#windows) empty(window);
    const held = this.#times.from(0);
    const minutes = [...ratesPct.keys()].sort((a, b) => a - b);
    const merged = new Uint32Array(held.length + minutes.length);
    this.#reserve(merged.length);
    // From the newest to the oldest, so that no rate is overwritten before it is moved.
    let [i, j] = [held.length - 1, minutes.length - 1];
    for (let to = merged.length - 1; j >= 0; to--) {
      const minute = minutes[j] as number;
      if (i >= 0 && (held[i] as number) > minute) {
        merged[to] = held[i] as number;
        this.#rates.set(to, this.#rates.at(i--));
      } else {
        merged[to] = minute;
        this.#rates.set(to, rateUnits(ratesPct.get(minute) ?? 0));
        j--;
      }
    }
    merged.set(held.subarray(0, i + 1));
    this.#times = PrintTimes.of(merged);
  }

  #dropBefore(horizon: number): void {
    const old = this.#times.firstFrom(horizon);
    if (old < SPARE_PRINTS) return;
    // Windows that still include one of them, or one whose interval changes, begin again.
    for (const window of this.#windows) {
      if (window.first < old + NEIGHBOURS) empty(window);
      else {
        window.first -= old;
        window.end -= old;
      }
    }
    this.#rates.move(0, old, this.#times.length);
    this.#times.dropFirst(old);
  }

  /** Takes prints from the index on out of all windows, before they change. */
  #rewind(index: number): void {
    for (const window of this.#windows) {
      if (window.first > index) empty(window);
      while (window.end > index) {
        window.end--;
        window.units -= this.#rates.at(window.end);
        window.coveredMinutes -= this.#intervalAt(window.end);
      }
    }
  }

  #advance(window: Window, endMinute: number): number | null {
    const times = this.#times;
    // The window excludes its start.
    const startMinute = endMinute - window.minutesLong;
    // After a start all windows are empty and take months of prints: in one go instead of print by print.
    if (window.first === window.end) {
      window.first = Math.max(window.first, times.firstFrom(startMinute + 1));
      window.end = Math.max(window.first, times.firstFrom(endMinute + 1));
      window.units = this.#rates.sum(window.first, window.end);
      window.coveredMinutes = this.#coveredBetween(window.first, window.end);
    }
    while (window.end < times.length && times.at(window.end) <= endMinute) {
      window.units += this.#rates.at(window.end);
      window.coveredMinutes += this.#intervalAt(window.end);
      window.end++;
    }
    while (window.first < window.end && times.at(window.first) <= startMinute) {
      window.units -= this.#rates.at(window.first);
      window.coveredMinutes -= this.#intervalAt(window.first);
      window.first++;
    }
    if (window.coveredMinutes < window.minutesLong * LEAST_COVERAGE) return null;
    return roundPercent(pctOfUnits(window.units));
  }
}

function empty(window: Window): void {
  window.first = 0;
  window.end = 0;
  window.units = 0;
  window.coveredMinutes = 0;
}

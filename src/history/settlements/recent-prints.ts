import { roundPercent } from '../../base/numbers.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { pctOfUnits, rateUnits } from './days.ts';
import type { Print } from './merge.ts';
import { PrintColumns, SPARE_PRINTS } from './print-columns.ts';
import { DAY_MINUTES, intervalsOf } from './times.ts';

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
  readonly #prints = new PrintColumns();
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
    const last = this.#prints.lastMinute;
    let [newest, later] = [last, 0];
    for (const { minute } of prints) {
      newest = Math.max(newest, minute);
      if (minute > last) later++;
    }
    const horizon = newest - RECENT_DAYS * DAY_MINUTES;
    const between = new Map<number, number>();
    // Space for all of them at once: growing print by print would leave a trail of buffers.
    if (later > SPARE_PRINTS) this.#prints.reserve(this.#prints.times.length + later);
    for (const { minute, ratePct } of prints) {
      if (minute < horizon) continue;
      const at = this.#prints.times.firstFrom(minute);
      const isNew = at === this.#prints.times.length;
      if (!isNew && this.#prints.times.at(at) !== minute) {
        between.set(minute, ratePct);
        continue;
      }
      this.#rewind(Math.max(0, at - NEIGHBOURS));
      if (isNew) this.#prints.append(minute);
      this.#prints.rates.set(at, rateUnits(ratePct));
      if (at === this.#prints.times.length - 1) this.#newestRatePct = ratePct;
    }
    if (between.size > 0) {
      for (const window of this.#windows) empty(window);
      this.#prints.insert(between);
    }
    this.#dropBefore(horizon);
  }

  /** The first print that is at most so far from the minute, and the one before it. */
  near(minute: number, toleranceMinutes: number): FoundPrint | null {
    const at = this.#prints.times.firstFrom(minute - toleranceMinutes);
    const found = at < this.#prints.times.length ? this.#prints.times.at(at) : Number.POSITIVE_INFINITY;
    if (found > minute + toleranceMinutes) return null;
    const previous = at === 0 ? null : this.#prints.times.at(at - 1);
    return {
      ratePct: pctOfUnits(this.#prints.rates.at(at)),
      previousRatePct: previous === null ? null : pctOfUnits(this.#prints.rates.at(at - 1)),
      gapMinutes: previous === null ? null : found - previous,
    };
  }

  /** The newest print that had settled by then. */
  last(asOfMs: number): LastPrint | null {
    const asOfMinute = Math.floor(asOfMs / MINUTE_MS);
    const count = this.#prints.times.length;
    const at =
      (this.#prints.lastMinute > asOfMinute ? this.#prints.times.firstFrom(asOfMinute + 1) : count) - 1;
    if (at < 0) return null;
    return {
      ratePct: at === count - 1 ? this.#newestRatePct : pctOfUnits(this.#prints.rates.at(at)),
      settledAtMs: this.#prints.times.at(at) * MINUTE_MS,
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
    const endMinute = this.#prints.times.at(end);
    if (endMinute < this.#endMinute) for (const window of this.#windows) empty(window);
    this.#endMinute = endMinute;
    const missingMinutes = asOfMinute - endMinute - this.#prints.intervalAt(end);
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
      const pct = roundPercent(pctOfUnits(this.#prints.rates.absoluteSum(first, end)));
      this.#absolute = { version: this.#version, endMinute, pct };
    }
    return this.#absolute.pct;
  }

  /** The index of the newest print by then that no print of the day before it is missing; -1 if there is none. */
  #completeUntil(asOfMinute: number): number {
    const count = this.#prints.times.length;
    const newest =
      (this.#prints.lastMinute > asOfMinute ? this.#prints.times.firstFrom(asOfMinute + 1) : count) - 1;
    if (newest < 0) return -1;
    const fromMinute = this.#prints.times.at(newest) - FILLED_WITHIN_MINUTES;
    let end = newest;
    for (let i = newest; i > 0 && this.#prints.times.at(i) > fromMinute; i--) {
      // In the middle of a run nothing is missing.
      if (this.#prints.times.stepAround(i) === 0 && this.#prints.isHoleBefore(i)) end = i - 1;
    }
    return end;
  }

  /** Prints after a minute, with the interval that each settles; an interval of 0 is unknown. */
  after(minute: number): { minutes: Uint32Array; ratesPct: Float64Array; intervalMinutes: Int32Array } {
    const first = this.#prints.times.firstFrom(minute + 1);
    const ratesPct = new Float64Array(this.#prints.times.length - first);
    for (let i = 0; i < ratesPct.length; i++) ratesPct[i] = pctOfUnits(this.#prints.rates.at(first + i));
    // An interval depends on the prints before it, so some of those are read too.
    const from = Math.max(0, first - NEIGHBOURS);
    const minutes = this.#prints.times.from(from);
    return {
      minutes: minutes.subarray(first - from),
      ratesPct,
      intervalMinutes: intervalsOf(minutes).minutes.subarray(first - from),
    };
  }

  #dropBefore(horizon: number): void {
    const old = this.#prints.times.firstFrom(horizon);
    if (old < SPARE_PRINTS) return;
    // Windows that still include one of them, or one whose interval changes, begin again.
    for (const window of this.#windows) {
      if (window.first < old + NEIGHBOURS) empty(window);
      else {
        window.first -= old;
        window.end -= old;
      }
    }
    this.#prints.dropFirst(old);
  }

  /** Takes prints from the index on out of all windows, before they change. */
  #rewind(index: number): void {
    for (const window of this.#windows) {
      if (window.first > index) empty(window);
      while (window.end > index) {
        window.end--;
        window.units -= this.#prints.rates.at(window.end);
        window.coveredMinutes -= this.#prints.intervalAt(window.end);
      }
    }
  }

  #advance(window: Window, endMinute: number): number | null {
    const { times } = this.#prints;
    // The window excludes its start.
    const startMinute = endMinute - window.minutesLong;
    // After a start all windows are empty and take months of prints: in one go instead of print by print.
    if (window.first === window.end) {
      window.first = Math.max(window.first, times.firstFrom(startMinute + 1));
      window.end = Math.max(window.first, times.firstFrom(endMinute + 1));
      window.units = this.#prints.rates.sum(window.first, window.end);
      window.coveredMinutes = this.#prints.coveredBetween(window.first, window.end);
    }
    while (window.end < times.length && times.at(window.end) <= endMinute) {
      window.units += this.#prints.rates.at(window.end);
      window.coveredMinutes += this.#prints.intervalAt(window.end);
      window.end++;
    }
    while (window.first < window.end && times.at(window.first) <= startMinute) {
      window.units -= this.#prints.rates.at(window.first);
      window.coveredMinutes -= this.#prints.intervalAt(window.first);
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

import { roundPercent } from '../../base/numbers.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { pctOfUnits, rateUnits } from './days.ts';
import type { Print } from './merge.ts';
import { RateColumn } from './rate-column.ts';
import { DAY_MINUTES, firstIndexFrom, intervalsOf } from './times.ts';

/** A window has a sum only if prints cover at least this share of it. */
const LEAST_COVERAGE = 0.95;
export const SUM_DAYS = [1, 7, 30, 90] as const;
/** Kept beyond the longest window, for a clock that is delayed or set back. */
const SPARE_DAYS = 2;
export const RECENT_DAYS = Math.max(...SUM_DAYS) + SPARE_DAYS;

/** A changed print affects the intervals of the two prints before it and the two after it. */
const NEIGHBOURS = 3;
/** Room is added for so many prints at a time, and so many are dropped together. */
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

/**
 * The last 90 days of one contract, in typed arrays: several million prints are held. Window sums are updated by the
 * prints that enter and leave, not recomputed.
 */
export class RecentPrints {
  #count = 0;
  #minutes = new Uint32Array(0);
  /** No interval is longer than a day. */
  #intervals = new Uint16Array(0);
  readonly #rates = new RateColumn();
  /** Exact, while units are rounded. */
  #newestRatePct = 0;
  #version = 0;
  #asOfMinute = Number.NEGATIVE_INFINITY;
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

  get minutes(): Uint32Array {
    return this.#minutes.subarray(0, this.#count);
  }

  put(prints: readonly Print[]): void {
    this.#version++;
    let newest = this.#minutes[this.#count - 1] ?? 0;
    for (const { minute } of prints) newest = Math.max(newest, minute);
    const horizon = newest - RECENT_DAYS * DAY_MINUTES;
    let changedFrom = this.#count;
    for (const print of prints) {
      if (print.minute < horizon) continue;
      const at = this.#placeOf(print.minute);
      this.#rewind(Math.max(0, at - NEIGHBOURS));
      changedFrom = Math.min(changedFrom, at);
      this.#insert(at, print);
      if (at === this.#count - 1) this.#newestRatePct = print.ratePct;
    }
    this.#updateIntervals(changedFrom);
    this.#dropBefore(horizon);
  }

  /** The first print that is at most so far from the minute, and the one before it. */
  near(minute: number, toleranceMinutes: number): FoundPrint | null {
    const at = firstIndexFrom(this.minutes, minute - toleranceMinutes);
    const found = at < this.#count ? (this.#minutes[at] as number) : Number.POSITIVE_INFINITY;
    if (found > minute + toleranceMinutes) return null;
    const previous = at === 0 ? null : (this.#minutes[at - 1] as number);
    return {
      ratePct: pctOfUnits(this.#rates.at(at)),
      previousRatePct: previous === null ? null : pctOfUnits(this.#rates.at(at - 1)),
      gapMinutes: previous === null ? null : found - previous,
    };
  }

  /** The newest print that had settled by then. */
  last(asOfMs: number): LastPrint | null {
    const asOfMinute = Math.floor(asOfMs / MINUTE_MS);
    let at = this.#count - 1;
    if (at >= 0 && (this.#minutes[at] as number) > asOfMinute)
      at = firstIndexFrom(this.minutes, asOfMinute + 1) - 1;
    if (at < 0) return null;
    const isNewest = at === this.#count - 1;
    return {
      ratePct: isNewest ? this.#newestRatePct : pctOfUnits(this.#rates.at(at)),
      settledAtMs: (this.#minutes[at] as number) * MINUTE_MS,
    };
  }

  /** The sums over SUM_DAYS, or null under 95 % coverage. */
  sums(asOfMs: number): (number | null)[] {
    // Prints have whole minutes: the one of the current minute has settled.
    const asOfMinute = Math.floor(asOfMs / MINUTE_MS);
    if (asOfMinute < this.#asOfMinute) for (const window of this.#windows) empty(window);
    this.#asOfMinute = asOfMinute;
    return this.#windows.map((window) => this.#advance(window, asOfMinute, asOfMs));
  }

  /** Prints after a minute, with the interval that each settles; an interval of 0 is unknown. */
  after(minute: number): { minutes: Uint32Array; ratesPct: Float64Array; intervalMinutes: Uint16Array } {
    const first = firstIndexFrom(this.minutes, minute + 1);
    const ratesPct = new Float64Array(this.#count - first);
    for (let i = 0; i < ratesPct.length; i++) ratesPct[i] = pctOfUnits(this.#rates.at(first + i));
    return {
      minutes: this.#minutes.subarray(first, this.#count),
      ratesPct,
      intervalMinutes: this.#intervals.subarray(first, this.#count),
    };
  }

  #placeOf(minute: number): number {
    const last = this.#count - 1;
    return last < 0 || minute > (this.#minutes[last] as number)
      ? this.#count
      : firstIndexFrom(this.minutes, minute);
  }

  #insert(at: number, { minute, ratePct }: Print): void {
    if (at === this.#count || this.#minutes[at] !== minute) {
      if (this.#count === this.#minutes.length) this.#grow();
      this.#minutes.copyWithin(at + 1, at, this.#count);
      this.#intervals.copyWithin(at + 1, at, this.#count);
      this.#rates.move(at + 1, at, this.#count);
      this.#count++;
      this.#minutes[at] = minute;
    }
    this.#rates.set(at, rateUnits(ratePct));
  }

  #grow(): void {
    const capacity = this.#count + SPARE_PRINTS + (this.#count >> 3);
    const minutes = new Uint32Array(capacity);
    minutes.set(this.#minutes);
    this.#minutes = minutes;
    const intervals = new Uint16Array(capacity);
    intervals.set(this.#intervals);
    this.#intervals = intervals;
    this.#rates.resize(capacity);
  }

  /** Recomputes the intervals from shortly before the first change. */
  #updateIntervals(changedFrom: number): void {
    const first = Math.max(0, changedFrom - NEIGHBOURS);
    // A print's interval depends on its neighbours, so those before the first are read too.
    const from = Math.max(0, first - NEIGHBOURS);
    const fresh = intervalsOf(this.#minutes.subarray(from, this.#count)).minutes;
    this.#intervals.set(fresh.subarray(first - from), first);
  }

  #dropBefore(horizon: number): void {
    const old = firstIndexFrom(this.minutes, horizon);
    if (old < SPARE_PRINTS) return;
    // Windows that still include one of them begin again.
    for (const window of this.#windows) {
      if (window.first < old) empty(window);
      else {
        window.first -= old;
        window.end -= old;
      }
    }
    this.#minutes.copyWithin(0, old, this.#count);
    this.#intervals.copyWithin(0, old, this.#count);
    this.#rates.move(0, old, this.#count);
    this.#count -= old;
  }

  /** Takes prints from the index on out of all windows, before they change. */
  #rewind(index: number): void {
    for (const window of this.#windows) {
      if (window.first > index) empty(window);
      while (window.end > index) {
        window.end--;
        window.units -= this.#rates.at(window.end);
        window.coveredMinutes -= this.#intervals[window.end] as number;
      }
    }
  }

  #advance(window: Window, asOfMinute: number, asOfMs: number): number | null {
    while (window.end < this.#count && (this.#minutes[window.end] as number) <= asOfMinute) {
      window.units += this.#rates.at(window.end);
      window.coveredMinutes += this.#intervals[window.end] as number;
      window.end++;
    }
    // The window excludes its start, to the millisecond.
    const startMs = asOfMs - window.minutesLong * MINUTE_MS;
    while (window.first < window.end && (this.#minutes[window.first] as number) * MINUTE_MS <= startMs) {
      window.units -= this.#rates.at(window.first);
      window.coveredMinutes -= this.#intervals[window.first] as number;
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

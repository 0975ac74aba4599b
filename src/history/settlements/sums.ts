import { roundPercent } from '../../base/numbers.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { pctOfUnits, rateUnits } from './days.ts';
import type { Print } from './merge.ts';
import { DAY_MINUTES, firstIndexFrom, intervalsOf } from './times.ts';

/** A window has a sum only if prints cover at least this share of it. */
const LEAST_COVERAGE = 0.95;
const WINDOWS_DAYS = [7, 30] as const;
const LONGEST_WINDOW_MINUTES = 30 * DAY_MINUTES;
/** Kept beyond the longest window, for a clock that is delayed or set back. */
const SPARE_MINUTES = 2 * DAY_MINUTES;

/** A changed print affects the intervals of the two prints before it and the two after it. */
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

/** The last 30 days of one contract. Window sums are updated by the prints that enter and leave, not recomputed. */
class RecentPrints {
  minutes: number[] = [];
  #units: number[] = [];
  /** Exact, while units are rounded. */
  #newestRatePct = 0;
  #intervals = new Int32Array(0);
  #asOfMinute = Number.NEGATIVE_INFINITY;
  #windows: Window[] = [];

  put(prints: readonly Print[]): void {
    let newest = this.minutes.at(-1) ?? 0;
    for (const { minute } of prints) newest = Math.max(newest, minute);
    const horizon = newest - LONGEST_WINDOW_MINUTES - SPARE_MINUTES;
    let changedFrom = this.minutes.length;
    for (const { minute, ratePct } of prints) {
      if (minute < horizon) continue;
      const at =
        minute > (this.minutes.at(-1) ?? 0) ? this.minutes.length : firstIndexFrom(this.minutes, minute);
      changedFrom = Math.min(changedFrom, at);
      const isHeld = this.minutes[at] === minute;
      this.minutes.splice(at, isHeld ? 1 : 0, minute);
      this.#units.splice(at, isHeld ? 1 : 0, rateUnits(ratePct));
      if (at === this.minutes.length - 1) this.#newestRatePct = ratePct;
    }
    const old = firstIndexFrom(this.minutes, horizon);
    this.minutes.splice(0, old);
    this.#units.splice(0, old);
    this.#intervals = this.#intervalsFrom(Math.max(0, changedFrom - old), old);
    this.#asOfMinute = Number.NEGATIVE_INFINITY;
  }

  /** Recomputes the intervals from shortly before the first change; earlier ones are copied. */
  #intervalsFrom(changedFrom: number, dropped: number): Int32Array<ArrayBuffer> {
    const first = changedFrom - NEIGHBOURS;
    if (first <= NEIGHBOURS) return intervalsOf(this.minutes).minutes;
    const fresh = intervalsOf(this.minutes.slice(first - NEIGHBOURS)).minutes;
    const intervals = new Int32Array(this.minutes.length);
    intervals.set(this.#intervals.subarray(dropped, dropped + first));
    intervals.set(fresh.subarray(NEIGHBOURS), first);
    return intervals;
  }

  /** The first print that is at most so far from the minute, and the one before it. */
  near(minute: number, toleranceMinutes: number): FoundPrint | null {
    const at = firstIndexFrom(this.minutes, minute - toleranceMinutes);
    const found = this.minutes[at] ?? Number.POSITIVE_INFINITY;
    if (found > minute + toleranceMinutes) return null;
    const previous = this.minutes[at - 1];
    return {
      ratePct: pctOfUnits(this.#units[at] ?? 0),
      previousRatePct: previous === undefined ? null : pctOfUnits(this.#units[at - 1] ?? 0),
      gapMinutes: previous === undefined ? null : found - previous,
    };
  }

  /** The newest print that had settled by then. */
  last(asOfMs: number): LastPrint | null {
    const minutes = this.minutes;
    const asOfMinute = Math.floor(asOfMs / MINUTE_MS);
    let at = minutes.length - 1;
    if ((minutes[at] ?? 0) > asOfMinute) at = firstIndexFrom(minutes, asOfMinute + 1) - 1;
    const minute = minutes[at];
    if (minute === undefined) return null;
    const isNewest = at === minutes.length - 1;
    return {
      ratePct: isNewest ? this.#newestRatePct : pctOfUnits(this.#units[at] ?? 0),
      settledAtMs: minute * MINUTE_MS,
    };
  }

  sums(asOfMs: number): (number | null)[] {
    // Prints have whole minutes: the one of the current minute has settled.
    const asOfMinute = Math.floor(asOfMs / MINUTE_MS);
    if (asOfMinute < this.#asOfMinute || this.#asOfMinute === Number.NEGATIVE_INFINITY) {
      this.#windows = WINDOWS_DAYS.map((days) => ({
        minutesLong: days * DAY_MINUTES,
        first: 0,
        end: 0,
        units: 0,
        coveredMinutes: 0,
      }));
    }
    this.#asOfMinute = asOfMinute;
    return this.#windows.map((window) => this.#advance(window, asOfMinute, asOfMs));
  }

  #advance(window: Window, asOfMinute: number, asOfMs: number): number | null {
    while (window.end < this.minutes.length && (this.minutes[window.end] ?? 0) <= asOfMinute) {
      window.units += this.#units[window.end] ?? 0;
      window.coveredMinutes += this.#intervals[window.end] ?? 0;
      window.end++;
    }
    // The window excludes its start, to the millisecond.
    const startMs = asOfMs - window.minutesLong * MINUTE_MS;
    while (window.first < window.end && (this.minutes[window.first] ?? 0) * MINUTE_MS <= startMs) {
      window.units -= this.#units[window.first] ?? 0;
      window.coveredMinutes -= this.#intervals[window.first] ?? 0;
      window.first++;
    }
    if (window.coveredMinutes < window.minutesLong * LEAST_COVERAGE) return null;
    return roundPercent(pctOfUnits(window.units));
  }
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

export interface RollingSums {
  sum7dPct: number | null;
  sum30dPct: number | null;
  last: LastPrint;
}

/** The 7 d and 30 d sums and the newest print of every contract, updated with each print. */
export class SettlementSums {
  readonly #recent = new Map<string, RecentPrints>();
  readonly #listeners = new Set<(key: string) => void>();

  put(key: string, prints: readonly Print[]): void {
    if (prints.length === 0) return;
    let recent = this.#recent.get(key);
    if (!recent) {
      recent = new RecentPrints();
      this.#recent.set(key, recent);
    }
    recent.put(prints);
    for (const listener of this.#listeners) listener(key);
  }

  /** Calls the listener with each contract key whose prints have changed, until the returned function is called. */
  onPut(listener: (key: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  find(key: string, minute: number, toleranceMinutes: number): FoundPrint | null {
    return this.#recent.get(key)?.near(minute, toleranceMinutes) ?? null;
  }

  /** Sums over (asOf - N days, asOf] and the newest print of every contract that had settled by then. */
  at(asOfMs: number): Map<string, RollingSums> {
    const sums = new Map<string, RollingSums>();
    for (const [key, recent] of this.#recent) {
      const [sum7dPct = null, sum30dPct = null] = recent.sums(asOfMs);
      const last = recent.last(asOfMs);
      if (last) sums.set(key, { sum7dPct, sum30dPct, last });
    }
    return sums;
  }
}

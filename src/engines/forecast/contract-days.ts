import { hourlyCarry, LEAST_COVERAGE, type SettledPrints } from '../arbitrage/hours.ts';
import { FEATURE_COUNT, MEAN_DAYS } from './model.ts';

const DAY_MINUTES = 1440;
const HOURS_PER_DAY = 24;
const LONGEST_DAYS = MEAN_DAYS[MEAN_DAYS.length - 1] as number;

/**
 * The settled funding of one contract by UTC day. Place d is the midnight at the start of the day `firstDay + d`, in days since
 * 1970; a print at midnight is known at it.
 */
export class ContractDays {
  readonly firstDay: number;
  readonly #sums: Float64Array;
  readonly #absolutes: Float64Array;
  readonly #coveredMinutes: Float64Array;
  readonly #now: Float64Array;
  /** Percent by hour from the first midnight on; NaN: no print covers the hour. */
  readonly hours: Float32Array;

  constructor(prints: SettledPrints, firstDay: number, lastDay: number) {
    const places = lastDay - firstDay + 1;
    this.firstDay = firstDay;
    this.#sums = new Float64Array(places);
    this.#absolutes = new Float64Array(places);
    this.#coveredMinutes = new Float64Array(places);
    this.#now = new Float64Array(places).fill(Number.NaN);
    this.hours = hourlyCarry(prints, firstDay * HOURS_PER_DAY, lastDay * HOURS_PER_DAY - 1);
    let [next, sum, absolute, covered, now] = [0, 0, 0, 0, Number.NaN];
    for (let place = 0; place < places; place++) {
      const midnight = (firstDay + place) * DAY_MINUTES;
      for (; next < prints.minutes.length && (prints.minutes[next] as number) <= midnight; next++) {
        const interval = prints.intervalMinutes[next] as number;
        sum += prints.ratesPct[next] as number;
        absolute += Math.abs(prints.ratesPct[next] as number);
        covered += interval;
        if (interval > 0) now = ((prints.ratesPct[next] as number) * DAY_MINUTES) / interval;
      }
      this.#sums[place] = sum;
      this.#absolutes[place] = absolute;
      this.#coveredMinutes[place] = covered;
      this.#now[place] = now;
    }
  }

  /** Percent settled after one midnight up to another; NaN under 95 % coverage or outside what is known. */
  sumPct(fromPlace: number, toPlace: number): number {
    return this.#between(this.#sums, fromPlace, toPlace);
  }

  /** The mean of the absolute rate over the 30 days before a midnight, a day. */
  absolutePctDay(place: number): number {
    return this.#between(this.#absolutes, place - LONGEST_DAYS, place) / LONGEST_DAYS;
  }

  #between(sums: Float64Array, fromPlace: number, toPlace: number): number {
    if (fromPlace < 0 || toPlace >= sums.length) return Number.NaN;
    const covered = (this.#coveredMinutes[toPlace] as number) - (this.#coveredMinutes[fromPlace] as number);
    if (covered < (toPlace - fromPlace) * DAY_MINUTES * LEAST_COVERAGE) return Number.NaN;
    return (sums[toPlace] as number) - (sums[fromPlace] as number);
  }

  /** The features of a midnight, from what had settled by it. The rate now is that of the last print. */
  features(place: number): Float64Array {
    const features = new Float64Array(FEATURE_COUNT);
    features[0] = this.#now[place] as number;
    for (const [i, days] of MEAN_DAYS.entries()) features[i + 1] = this.sumPct(place - days, place) / days;
    return features;
  }
}

/** A contract that never pays: the other leg of a contract that is held against nothing. */
export function nothingHeld(firstDay: number, lastDay: number): ContractDays {
  const minutes: number[] = [];
  for (let day = firstDay; day <= lastDay; day++) minutes.push(day * DAY_MINUTES);
  const ratesPct = minutes.map(() => 0);
  const intervalMinutes = minutes.map(() => DAY_MINUTES);
  return new ContractDays({ minutes, ratesPct, intervalMinutes }, firstDay, lastDay);
}

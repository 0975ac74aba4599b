import { PRICE_COLUMNS, SIZES_USD } from '../../history/samples/model.ts';
import type { ScratchStore } from '../../storage/scratch-file.ts';
import type { BacktestRule } from './rule.ts';

const SIZES = SIZES_USD.length;
const BYTES_PER_PRICE = 4;
/** Cached columns, 6 kB each: pairs of the same contracts are often looked at in the same minute. */
const CACHED_COLUMNS = 512;

/** What a median reads of a contract. */
interface FilledLeg {
  readonly ring: number;
  /** The fill prices of the current step, column after column. */
  readonly fills: Float32Array;
}

/**
 * The fill prices that medians look back on: for each contract and column a ring of steps. Few medians are computed in a
 * minute, so finished steps are in the scratch file: in memory, a day of 8,000 contracts would be up to 270 MB. A price
 * of 0, as in bytes never written, and NaN mean that there is none.
 */
export class FillRings {
  readonly #scratch: ScratchStore;
  readonly #stepMinutes: number;
  readonly #medianMinutes: number;
  readonly #steps: number;
  readonly #cache = new Map<number, Float32Array>();

  constructor({ rangeStepMinutes, medianMinutes }: BacktestRule, scratch: ScratchStore) {
    this.#scratch = scratch;
    this.#stepMinutes = rangeStepMinutes;
    this.#medianMinutes = medianMinutes;
    // One step more than a median looks back, because that may begin inside a step.
    this.#steps = Math.ceil(medianMinutes / rangeStepMinutes) + 1;
  }

  get steps(): number {
    return this.#steps;
  }

  emptyStep(): Float32Array {
    return new Float32Array(PRICE_COLUMNS * this.#stepMinutes).fill(Number.NaN);
  }

  /** Stores a finished step. */
  put(ring: number, step: number, fills: Float32Array): void {
    const at = (step % this.#steps) * this.#stepMinutes;
    for (let column = 0; column < PRICE_COLUMNS; column++) {
      const place = ring * PRICE_COLUMNS + column;
      const prices = fills.subarray(column * this.#stepMinutes, (column + 1) * this.#stepMinutes);
      this.#scratch.write(this.#offset(place) + at * BYTES_PER_PRICE, bytesOf(prices));
      this.#cache.get(place)?.set(prices, at);
    }
  }

  /** Clears the ring before another contract reuses it. */
  clear(ring: number): void {
    const first = ring * PRICE_COLUMNS;
    this.#scratch.write(this.#offset(first), new Uint8Array(this.#columnBytes * PRICE_COLUMNS));
    for (let column = 0; column < PRICE_COLUMNS; column++) this.#cache.delete(first + column);
  }

  /** Exits of the minutes that a median looks back on, in percent: sell one leg, buy back the other. Returns their number. */
  exitsPct(sellLeg: FilledLeg, buyLeg: FilledLeg, size: number, minute: number, into: Float64Array): number {
    const sellColumn = SIZES + size;
    const fromMinute = minute - this.#medianMinutes + 1;
    const [firstStep, currentStep] = [this.#stepOf(fromMinute), this.#stepOf(minute)];
    const sells = this.#column(sellLeg.ring, sellColumn);
    const buys = this.#column(buyLeg.ring, size);
    let count = 0;
    for (let step = firstStep; step < currentStep; step++) {
      const at = (step % this.#steps) * this.#stepMinutes;
      const first = step === firstStep ? fromMinute - step * this.#stepMinutes : 0;
      for (let i = at + first; i < at + this.#stepMinutes; i++) {
        const sell = sells[i] as number;
        const buy = buys[i] as number;
        // Overwritten by the next exit if a price is missing.
        into[count] = ((sell - buy) / buy) * 100;
        if (sell > 0 && buy > 0) count++;
      }
    }
    const [sellsAt, buysAt] = [sellColumn * this.#stepMinutes, size * this.#stepMinutes];
    const first = Math.max(0, fromMinute - currentStep * this.#stepMinutes);
    for (let i = first; i <= minute - currentStep * this.#stepMinutes; i++) {
      const sell = sellLeg.fills[sellsAt + i] as number;
      const buy = buyLeg.fills[buysAt + i] as number;
      into[count] = ((sell - buy) / buy) * 100;
      if (sell > 0 && buy > 0) count++;
    }
    return count;
  }

  /** A copy of the prices of a column that medians look back on, by minute modulo their number; NaN where there is none. */
  pricesOf(leg: FilledLeg, column: number, minute: number): Float32Array {
    const finished = this.#column(leg.ring, column);
    const currentStep = this.#stepOf(minute);
    const prices = new Float32Array(this.#medianMinutes).fill(Number.NaN);
    for (let at = Math.max(0, minute - this.#medianMinutes + 1); at <= minute; at++) {
      const slot = at % this.#stepMinutes;
      const price =
        this.#stepOf(at) === currentStep
          ? (leg.fills[column * this.#stepMinutes + slot] as number)
          : (finished[(this.#stepOf(at) % this.#steps) * this.#stepMinutes + slot] as number);
      if (price > 0) prices[at % this.#medianMinutes] = price;
    }
    return prices;
  }

  /** The finished steps of a column. Callers must not keep or change it. */
  #column(ring: number, column: number): Float32Array {
    const place = ring * PRICE_COLUMNS + column;
    const known = this.#cache.get(place);
    const prices = known ?? this.#freeColumn();
    if (!known) this.#scratch.read(this.#offset(place), bytesOf(prices));
    // Last in the order of use, so that reading the other leg does not reuse its array.
    this.#cache.delete(place);
    this.#cache.set(place, prices);
    return prices;
  }

  /** If the cache is full, the array of the column that was not used for the longest time. */
  #freeColumn(): Float32Array {
    const [oldest] = this.#cache.size < CACHED_COLUMNS ? [] : this.#cache.entries();
    if (!oldest) return new Float32Array(this.#steps * this.#stepMinutes);
    this.#cache.delete(oldest[0]);
    return oldest[1];
  }

  #stepOf(minute: number): number {
    return Math.floor(minute / this.#stepMinutes);
  }

  get #columnBytes(): number {
    return this.#steps * this.#stepMinutes * BYTES_PER_PRICE;
  }

  #offset(place: number): number {
    return place * this.#columnBytes;
  }
}

function bytesOf(prices: Float32Array): Uint8Array {
  return new Uint8Array(prices.buffer, prices.byteOffset, prices.byteLength);
}

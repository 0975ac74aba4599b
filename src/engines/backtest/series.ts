import {
  type MinuteSample,
  PRICE_COLUMNS,
  type SampledContract,
  SIZES_USD,
} from '../../history/samples/model.ts';
import type { Mids } from './mids.ts';

const SIZES = SIZES_USD.length;

/** The prices of one contract that the engine keeps in memory. */
export class ContractSeries {
  readonly contract: SampledContract;
  readonly takerFeePct: number;
  /** The index of its ring of mid prices. */
  readonly ring: number;
  /** The mid prices of the current step, which is not in the ring yet. */
  readonly step: Mids;
  /**
   * Ring buffers of the fill prices that medians look back on, one per column, indexed by minute modulo the length; NaN
   * where there is none. Sizes that always have the same prices, because the top fills both, share one array.
   */
  readonly fills: Float32Array[];
  lastMinute = 0;
  volumeUsdt = 0;

  constructor(
    contract: SampledContract,
    takerFeePct: number,
    medianMinutes: number,
    ring: number,
    step: Mids,
  ) {
    this.contract = contract;
    this.takerFeePct = takerFeePct;
    this.ring = ring;
    this.step = step;
    const buys = new Float32Array(medianMinutes).fill(Number.NaN);
    const sells = buys.slice();
    this.fills = Array.from({ length: PRICE_COLUMNS }, (_, column) => (column < SIZES ? buys : sells));
  }

  /** Clears the fill prices of the minutes in [from, to] before they are overwritten. */
  clear(fromMinute: number, toMinute: number): void {
    const { length } = this.fills[0] as Float32Array;
    for (let minute = Math.max(fromMinute, toMinute - length + 1); minute <= toMinute; minute++)
      for (const column of this.fills) column[minute % length] = Number.NaN;
  }

  write(sample: MinuteSample, place: number): void {
    const { minute, prices } = sample;
    const from = place * PRICE_COLUMNS;
    const at = minute % (this.fills[0] as Float32Array).length;
    let filled = 0;
    for (let column = 0; column < PRICE_COLUMNS; column++)
      this.#writeFill(column, at, prices[from + column] as number);
    for (let size = 0; size < SIZES; size++) {
      const sum = (prices[from + size] as number) + (prices[from + SIZES + size] as number);
      if (sum > 0) filled |= 1 << size;
    }
    const mid = ((prices[from] as number) + (prices[from + SIZES] as number)) / 2;
    const slot = minute % this.step.mids.length;
    this.step.mids[slot] = Number.isNaN(mid) ? 0 : mid;
    this.step.filled[slot] = filled;
    this.lastMinute = minute;
    this.volumeUsdt = sample.volumesUsdt[place] as number;
  }

  /** Columns are written from the smallest size up, so a shared array already has the smaller size's price. */
  #writeFill(column: number, at: number, price: number): void {
    const own = this.fills[column] as Float32Array;
    const isShared = column % SIZES > 0 && own === this.fills[column - 1];
    if (isShared && Object.is(own[at], Math.fround(price))) return;
    if (!isShared) {
      own[at] = price;
      // Larger sizes that share the array are written next, and split it if their price differs.
      return;
    }
    const split = own.slice();
    split[at] = price;
    // Larger sizes that shared the array now share the copy, until they differ from it.
    const end = column - (column % SIZES) + SIZES;
    for (let other = column; other < end; other++) if (this.fills[other] === own) this.fills[other] = split;
  }

  /** Merges the arrays of neighbouring sizes whose prices have become equal throughout. */
  share(): void {
    for (let column = 0; column < PRICE_COLUMNS; column++) {
      const [own, smaller] = [this.fills[column], this.fills[column - 1]];
      if (column % SIZES === 0 || !own || !smaller || own === smaller || !areSame(own, smaller)) continue;
      const end = column - (column % SIZES) + SIZES;
      for (let other = column; other < end; other++)
        if (this.fills[other] === own) this.fills[other] = smaller;
    }
  }
}

function areSame(one: Float32Array, other: Float32Array): boolean {
  for (let i = 0; i < one.length; i++) if (!Object.is(one[i], other[i])) return false;
  return true;
}

/** Exits of all minutes in memory, in percent: sell one leg, buy back the other. Returns their number. */
export function exitsPct(
  sellLeg: ContractSeries,
  buyLeg: ContractSeries,
  size: number,
  into: Float64Array,
): number {
  const sells = sellLeg.fills[SIZES + size] as Float32Array;
  const buys = buyLeg.fills[size] as Float32Array;
  let count = 0;
  for (let i = 0; i < buys.length; i++) {
    const buy = buys[i] as number;
    const exit = (((sells[i] as number) - buy) / buy) * 100;
    into[count] = exit;
    // NaN is overwritten by the next exit.
    if (!Number.isNaN(exit)) count++;
  }
  return count;
}

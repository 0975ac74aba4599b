import {
  type MinuteSample,
  PRICE_COLUMNS,
  type SampledContract,
  SIZES_USD,
} from '../../history/samples/model.ts';
import type { Mids } from './mids.ts';

const SIZES = SIZES_USD.length;

/** What is remembered of one contract. */
export class ContractSeries {
  readonly contract: SampledContract;
  readonly takerFeePct: number;
  /** Which of the rings of mid prices is its own. */
  readonly ring: number;
  /** The running step's part of them. */
  readonly step: Mids;
  /**
   * Fill prices of the time that medians look back, by column and then by minute modulo their number; NaN where there
   * is none. Where the top of the book has enough for a larger size too, both sizes are the same array.
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

  /** Forgets the fill prices of the minutes in [from, to], which come round again. */
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

  /** Columns are written from the smallest size on, so that a shared array has the smaller size's price already. */
  #writeFill(column: number, at: number, price: number): void {
    const own = this.fills[column] as Float32Array;
    const isShared = column % SIZES > 0 && own === this.fills[column - 1];
    if (isShared && Object.is(own[at], Math.fround(price))) return;
    if (!isShared) {
      own[at] = price;
      // The larger sizes may share it still, and have their say next.
      return;
    }
    const apart = own.slice();
    apart[at] = price;
    // Larger sizes that shared it as well go along; where they differ they part in their turn.
    const end = column - (column % SIZES) + SIZES;
    for (let other = column; other < end; other++) if (this.fills[other] === own) this.fills[other] = apart;
  }

  /** Lets sizes share an array again once they have been the same for as long as it reaches. */
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

/** Exits of all remembered minutes: sell here, buy back there, in percent. Returns how many there are. */
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
    // What is not a number will be written over.
    if (!Number.isNaN(exit)) count++;
  }
  return count;
}

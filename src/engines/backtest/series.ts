import {
  type MinuteSample,
  PRICE_COLUMNS,
  type SampledContract,
  SIZES_USD,
} from '../../history/samples/model.ts';
import type { Mids } from './mids.ts';

const SIZES = SIZES_USD.length;

/** The prices of one contract that the engine keeps in memory: those of the current step, which is not in the rings yet. */
export class ContractSeries {
  readonly contract: SampledContract;
  readonly takerFeePct: number;
  /** The index of its rings of mid and fill prices. */
  readonly ring: number;
  readonly step: Mids;
  /** Fill prices, column after column, each indexed by minute modulo the length of the step; NaN where there is none. */
  readonly fills: Float32Array;
  lastMinute = 0;
  volumeUsdt = 0;

  constructor(
    contract: SampledContract,
    takerFeePct: number,
    { ring, step, fills }: { ring: number; step: Mids; fills: Float32Array },
  ) {
    this.contract = contract;
    this.takerFeePct = takerFeePct;
    this.ring = ring;
    this.step = step;
    this.fills = fills;
  }

  write(sample: MinuteSample, place: number): void {
    const { minute, prices } = sample;
    const from = place * PRICE_COLUMNS;
    const stepMinutes = this.step.mids.length;
    const slot = minute % stepMinutes;
    for (let column = 0; column < PRICE_COLUMNS; column++)
      this.fills[column * stepMinutes + slot] = prices[from + column] as number;
    let filled = 0;
    for (let size = 0; size < SIZES; size++) {
      const sum = (prices[from + size] as number) + (prices[from + SIZES + size] as number);
      if (sum > 0) filled |= 1 << size;
    }
    const mid = ((prices[from] as number) + (prices[from + SIZES] as number)) / 2;
    this.step.mids[slot] = Number.isNaN(mid) ? 0 : mid;
    this.step.filled[slot] = filled;
    this.lastMinute = minute;
    this.volumeUsdt = sample.volumesUsdt[place] as number;
  }

  /** Empties the current step, for the next one. */
  beginStep(): void {
    this.step.mids.fill(0);
    this.step.filled.fill(0);
    this.fills.fill(Number.NaN);
  }
}

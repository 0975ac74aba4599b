import { type MinuteSample, PRICE_COLUMNS, type SampledContract, SIZES_USD } from '../history/samples.ts';
import { type BacktestRule, lookBackMinutes } from './backtest-rule.ts';
import { quantileOf } from './backtest-selection.ts';

const SIZES = SIZES_USD.length;

/** What is remembered of one contract: rings of minutes, indexed by minute modulo their length. */
export class ContractSeries {
  readonly contract: SampledContract;
  readonly takerFeePct: number;
  /** Fill prices of the time that medians look back, column after column; NaN where there is none. */
  readonly fills: Float32Array;
  /** Mid prices of the scan window. */
  readonly mids: Float32Array;
  /** Which sizes had both a buy and a sell price, a bit each. */
  readonly filled: Uint8Array;
  lastMinute = 0;
  volumeUsdt = 0;

  constructor(contract: SampledContract, takerFeePct: number, rule: BacktestRule) {
    this.contract = contract;
    this.takerFeePct = takerFeePct;
    this.fills = new Float32Array(PRICE_COLUMNS * rule.medianMinutes).fill(Number.NaN);
    this.mids = new Float32Array(lookBackMinutes(rule)).fill(Number.NaN);
    this.filled = new Uint8Array(lookBackMinutes(rule));
  }

  /** Forgets the minutes in [from, to], which come round again. */
  clear(fromMinute: number, toMinute: number): void {
    const medianMinutes = this.fills.length / PRICE_COLUMNS;
    for (let minute = Math.max(fromMinute, toMinute - medianMinutes + 1); minute <= toMinute; minute++) {
      for (let at = minute % medianMinutes; at < this.fills.length; at += medianMinutes)
        this.fills[at] = Number.NaN;
    }
    for (let minute = Math.max(fromMinute, toMinute - this.mids.length + 1); minute <= toMinute; minute++) {
      this.mids[minute % this.mids.length] = Number.NaN;
      this.filled[minute % this.mids.length] = 0;
    }
  }

  write(sample: MinuteSample, place: number): void {
    const { minute, prices } = sample;
    const from = place * PRICE_COLUMNS;
    const medianMinutes = this.fills.length / PRICE_COLUMNS;
    let at = minute % medianMinutes;
    let filled = 0;
    for (let column = 0; column < PRICE_COLUMNS; column++, at += medianMinutes)
      this.fills[at] = prices[from + column] as number;
    for (let size = 0; size < SIZES; size++) {
      const sum = (prices[from + size] as number) + (prices[from + SIZES + size] as number);
      if (sum > 0) filled |= 1 << size;
    }
    const slot = minute % this.mids.length;
    this.mids[slot] = ((prices[from] as number) + (prices[from + SIZES] as number)) / 2;
    this.filled[slot] = filled;
    this.lastMinute = minute;
    this.volumeUsdt = sample.volumesUsdt[place] as number;
  }
}

/** Exits of all remembered minutes: sell here, buy back there, in percent. Returns how many there are. */
export function exitsPct(
  sellLeg: ContractSeries,
  buyLeg: ContractSeries,
  size: number,
  into: Float64Array,
): number {
  const length = sellLeg.fills.length / PRICE_COLUMNS;
  const [sellFrom, buyFrom] = [(SIZES + size) * length, size * length];
  const [sells, buys] = [sellLeg.fills, buyLeg.fills];
  let count = 0;
  for (let i = 0; i < length; i++) {
    const buy = buys[buyFrom + i] as number;
    const exit = (((sells[sellFrom + i] as number) - buy) / buy) * 100;
    into[count] = exit;
    // What is not a number will be written over.
    if (!Number.isNaN(exit)) count++;
  }
  return count;
}

export interface WindowFigures {
  spreadRangePct: number;
  /** For each size the share of minutes in which both legs could be bought and sold. */
  coverage: readonly number[];
}

/** P95 − P5 of the mid-price spread, and coverage, over [toMinute − window, toMinute). */
export function windowFigures(
  a: ContractSeries,
  b: ContractSeries,
  toMinute: number,
  windowMinutes: number,
  scratch: Float64Array,
): WindowFigures {
  const length = a.mids.length;
  const both = new Uint32Array(1 << SIZES);
  let count = 0;
  for (let minute = toMinute - windowMinutes, slot = minute % length; minute < toMinute; minute++, slot++) {
    if (slot === length) slot = 0;
    const mid = a.mids[slot] as number;
    const spread = (((b.mids[slot] as number) - mid) / mid) * 100;
    scratch[count] = spread;
    if (!Number.isNaN(spread)) count++;
    const sizes = (a.filled[slot] as number) & (b.filled[slot] as number);
    both[sizes] = (both[sizes] as number) + 1;
  }
  const coverage = SIZES_USD.map((_, size) =>
    both.reduce((sum, minutes, sizes) => sum + (sizes & (1 << size) ? minutes : 0), 0),
  );
  return {
    spreadRangePct: count === 0 ? 0 : quantileOf(scratch, count, 0.95) - quantileOf(scratch, count, 0.05),
    coverage: coverage.map((minutes) => minutes / windowMinutes),
  };
}

import { type MinuteSample, type SampledContract, SIZES_USD } from '../../history/samples/model.ts';
import { memoryScratch, type ScratchStore } from '../../storage/scratch-file.ts';
import { ClosedCycles } from './cycles.ts';
import { type WindowFigures, windowFigures } from './figures.ts';
import { FillRings } from './fills.ts';
import { MidRings } from './mids.ts';
import { type Pair, PairBook, sizePlace } from './pairs.ts';
import { type BacktestRule, lookBackMinutes } from './rule.ts';
import { medianOf, selectRank } from './selection.ts';
import { ContractSeries } from './series.ts';
import type { BacktestState } from './state.ts';
import { WalkStates } from './walks.ts';

interface BacktestOptions {
  rule: BacktestRule;
  /** In percent, by exchange, for contracts that have no fee of their own. */
  takerFeesPct: Readonly<Record<string, number>>;
  /** The contract with this number in the samples. */
  contractOf: (id: number) => SampledContract | undefined;
  /** Where the mid prices of the window, and the fill prices that medians look back on, are stored; by default in memory. */
  scratch?: { mids: ScratchStore; fills: ScratchStore };
}

const SIZES = SIZES_USD.length;
const NONE = -1;
/**
 * Validity periods to try for a cached upper bound of the median, longest first; the first that still rules out opening
 * is kept.
 */
const BOUND_MINUTES = [480, 128, 32, 8, 2] as const;

/**
 * Walks forward minute by minute, for every pair, size and direction. A median is computed only where it could matter:
 * within q minutes it cannot rise above the value that is q ranks above it now, so one comparison skips most walks.
 * Where it could matter, it is selected from the stored prices and therefore exact.
 */
export class Backtest {
  readonly rule: BacktestRule;
  readonly book = new PairBook();
  readonly walks = new WalkStates();
  readonly series = new Map<number, ContractSeries>();
  readonly cycles = new ClosedCycles();
  readonly #options: BacktestOptions;
  readonly #scratch: Float64Array;
  readonly #rings: MidRings;
  readonly #fills: FillRings;
  /** Rings of dropped contracts, to be reused. */
  readonly #freeRings: number[] = [];
  #ringCount = 0;
  readonly #figures = new WeakMap<Pair, { toMinute: number; figures: WindowFigures }>();
  #ringMinute = NONE;
  #minute = NONE;
  /** The last minute that the resumed state includes: up to it, samples only fill the rings. */
  #walkedMinute = NONE;

  constructor(options: BacktestOptions) {
    this.#options = options;
    this.rule = options.rule;
    this.#scratch = new Float64Array(lookBackMinutes(options.rule) + 1);
    this.#rings = new MidRings(options.rule, options.scratch?.mids ?? memoryScratch());
    this.#fills = new FillRings(options.rule, options.scratch?.fills ?? memoryScratch());
  }

  /** The last minute that the figures include; -1 before the first. */
  get minute(): number {
    return this.#minute;
  }

  /** Continues from a saved state. The earlier samples must follow, to fill the rings. */
  resume(state: BacktestState): void {
    this.#minute = state.minute;
    this.#walkedMinute = state.minute;
    for (const { id, lastMinute } of state.contracts) {
      const series = this.#seriesOf(id);
      if (series) series.lastMinute = lastMinute;
    }
    for (const { idA, idB, size, direction, openMinute, entryPct, targetPct } of state.open) {
      const place = this.book.placeOf(idA, idB);
      if (place === undefined) continue;
      this.walks.open(sizePlace(place, size) * 2 + direction, openMinute, entryPct, targetPct);
    }
    for (const { idA, idB, size, ...cycle } of state.closed) {
      const place = this.book.placeOf(idA, idB);
      if (place !== undefined) this.cycles.add({ ...cycle, place: sizePlace(place, size) });
    }
  }

  /** Processes the next minute. Minutes must be in order; one that was processed before is ignored. */
  advance(sample: MinuteSample): void {
    if (sample.minute <= this.#ringMinute) return;
    const isWalk = sample.minute > this.#walkedMinute;
    this.#write(sample, isWalk);
    if (!isWalk) return;
    const step = this.rule.rangeStepMinutes;
    const isNewStep = Math.floor(sample.minute / step) !== Math.floor(this.#minute / step);
    this.#minute = sample.minute;
    this.cycles.removeUntil(this.#minute - this.rule.windowMinutes);
    if (isNewStep) this.#dropSilent();
    this.#walk();
  }

  /** Range and coverage of a pair, up to the last full hour. */
  figuresOf(pair: Pair): WindowFigures {
    const { rangeStepMinutes, windowMinutes } = this.rule;
    const toMinute = this.#minute - (this.#minute % rangeStepMinutes);
    const known = this.#figures.get(pair);
    if (known?.toMinute === toMinute) return known.figures;
    const figures = windowFigures(
      this.#rings.read(pair.a.ring),
      this.#rings.read(pair.b.ring),
      toMinute,
      windowMinutes,
      this.#scratch,
    );
    this.#figures.set(pair, { toMinute, figures });
    return figures;
  }

  #write(sample: MinuteSample, isWalk: boolean): void {
    const fromMinute = this.#ringMinute === NONE ? sample.minute : this.#ringMinute + 1;
    this.#finishSteps(this.#stepOf(fromMinute - 1), this.#stepOf(sample.minute));
    for (let place = 0; place < sample.ids.length; place++) {
      const id = sample.ids[place] as number;
      // A contract that the saved state has dropped must not return while rings are filled.
      const series = isWalk ? this.#seriesOf(id) : this.series.get(id);
      if (!series) continue;
      const { lastMinute } = series;
      series.write(sample, place);
      series.lastMinute = Math.max(lastMinute, sample.minute);
    }
    this.#ringMinute = sample.minute;
  }

  /** Stores the current step and begins the next one; steps between them are empty. */
  #finishSteps(current: number, next: number): void {
    if (this.#ringMinute === NONE || current === next) return;
    const empty = { mids: this.#rings.emptyStep(), fills: this.#fills.emptyStep() };
    for (const series of this.series.values()) {
      this.#rings.put(series.ring, current, series.step);
      this.#fills.put(series.ring, current, series.fills);
      for (let step = Math.max(current + 1, next - this.#rings.steps); step < next; step++)
        this.#rings.put(series.ring, step, empty.mids);
      for (let step = Math.max(current + 1, next - this.#fills.steps); step < next; step++)
        this.#fills.put(series.ring, step, empty.fills);
      series.beginStep();
    }
  }

  #stepOf(minute: number): number {
    return Math.floor(minute / this.rule.rangeStepMinutes);
  }

  /** A contract's mid prices of the window, minute by minute; 0 where there is none. */
  midsOf({ ring, step }: ContractSeries): Float32Array {
    const { windowMinutes } = this.rule;
    const { ringMinutes, stepMinutes } = this.#rings;
    const { mids } = this.#rings.read(ring);
    const fromMinute = this.#minute - windowMinutes + 1;
    const found = new Float32Array(windowMinutes);
    const untilWrap = mids.subarray(fromMinute % ringMinutes, (fromMinute % ringMinutes) + windowMinutes);
    found.set(untilWrap);
    found.set(mids.subarray(0, windowMinutes - untilWrap.length), untilWrap.length);
    // The current step is not in the ring yet; its place there holds the prices of one revolution ago.
    const currentAt = this.#stepOf(this.#ringMinute) * stepMinutes - fromMinute;
    if (currentAt < windowMinutes) {
      const skipped = Math.max(0, -currentAt);
      found.set(step.mids.subarray(skipped, windowMinutes - currentAt), currentAt + skipped);
    }
    return found;
  }

  /** A contract's fill prices of the minutes that medians look back on; see FillRings.pricesOf. */
  fillsOf(series: ContractSeries, column: number): Float32Array {
    return this.#fills.pricesOf(series, column, this.#minute);
  }

  #seriesOf(id: number): ContractSeries | undefined {
    const known = this.series.get(id);
    if (known) return known;
    const contract = this.#options.contractOf(id);
    const takerFeePct = contract && (contract.takerFeePct ?? this.#options.takerFeesPct[contract.exchange]);
    if (!contract || takerFeePct === undefined) return undefined;
    const ring = this.#freeRings.pop() ?? this.#ringCount++;
    const series = new ContractSeries(contract, takerFeePct, {
      ring,
      step: this.#rings.emptyStep(),
      fills: this.#fills.emptyStep(),
    });
    this.series.set(id, series);
    for (const place of this.book.add(series)) this.walks.reset(place);
    return series;
  }

  /** Drops contracts without a sample in the whole window; an open cycle on them can no longer be closed. */
  #dropSilent(): void {
    for (const [id, series] of this.series) {
      if (series.lastMinute > this.#minute - this.rule.windowMinutes) continue;
      this.series.delete(id);
      this.#rings.clear(series.ring);
      this.#fills.clear(series.ring);
      this.#freeRings.push(series.ring);
      for (const place of this.book.remove(series)) this.walks.reset(place);
    }
  }

  #walk(): void {
    const minute = this.#minute;
    const { leastProfitPct, rangeStepMinutes: stepMinutes } = this.rule;
    const slot = minute % stepMinutes;
    const { openedAt, levelPct, boundUntil } = this.walks;
    for (let place = 0; place < this.book.pairs.length; place++) {
      const pair = this.book.pairs[place];
      if (!pair || pair.a.lastMinute !== minute || pair.b.lastMinute !== minute) continue;
      const a = pair.a.fills;
      const b = pair.b.fills;
      const { feePct } = pair;
      for (let size = 0; size < SIZES; size++) {
        const buyAt = size * stepMinutes + slot;
        const sellAt = (SIZES + size) * stepMinutes + slot;
        const buyA = a[buyAt] as number;
        const buyB = b[buyAt] as number;
        const longA = (((b[sellAt] as number) - buyA) / buyA) * 100;
        const longB = (((a[sellAt] as number) - buyB) / buyB) * 100;
        const walk = sizePlace(place, size) * 2;
        for (let direction = 0; direction < 2; direction++) {
          const at = walk + direction;
          const entry = direction === 0 ? longA : longB;
          const openMinute = openedAt[at] as number;
          if (openMinute === NONE) {
            const isRuledOut =
              minute <= (boundUntil[at] as number) &&
              !(entry + (levelPct[at] as number) - feePct >= leastProfitPct);
            if (!isRuledOut && !Number.isNaN(entry)) this.#tryOpen(at, pair, size, direction, entry);
            continue;
          }
          const exit = direction === 0 ? longB : longA;
          const isDue = exit >= (levelPct[at] as number) || minute - openMinute >= this.rule.limitMinutes;
          if (isDue && !Number.isNaN(exit)) this.#close(at, exit, feePct);
        }
      }
    }
  }

  #tryOpen(at: number, pair: Pair, size: number, direction: number, entryPct: number): void {
    const exits = this.#scratch;
    const [sellLeg, buyLeg] = direction === 0 ? [pair.a, pair.b] : [pair.b, pair.a];
    const count = this.#fills.exitsPct(sellLeg, buyLeg, size, this.#minute, exits);
    const { medianMinimum, leastProfitPct } = this.rule;
    if (count < medianMinimum) {
      // There is at most one new exit per minute, so the minimum cannot be reached earlier.
      this.walks.bound(at, Number.NEGATIVE_INFINITY, this.#minute + medianMinimum - count - 1);
      return;
    }
    const medianPct = medianOf(exits, count);
    if (entryPct + medianPct - pair.feePct >= leastProfitPct) {
      this.walks.open(at, this.#minute, entryPct, medianPct);
      return;
    }
    const middle = count >> 1;
    let rank = count - 1;
    for (const minutes of BOUND_MINUTES) {
      const narrower = Math.min(rank, middle + minutes);
      const bound = selectRank(exits, middle, rank, narrower);
      rank = narrower;
      this.walks.bound(at, bound, this.#minute + rank - middle);
      if (entryPct + bound - pair.feePct < leastProfitPct) return;
    }
  }

  #close(at: number, exitPct: number, feePct: number): void {
    const profitPct = (this.walks.entryPct[at] as number) + exitPct - feePct;
    const openMinute = this.walks.openedAt[at] as number;
    this.walks.end(at);
    this.cycles.add({ place: at >> 1, direction: at & 1, openMinute, closeMinute: this.#minute, profitPct });
  }
}

import type { Table } from '../../market/tables/table.ts';
import { roundTripFeePct } from './figures.ts';
import {
  FEE_FIGURES,
  HISTORY_FIGURES,
  type HistoryColumns,
  type HistoryLookup,
  historiesTable,
  newHistoryColumns,
} from './histories.ts';
import { type LegHours, legHours, type SettledPrints } from './hours.ts';
import { pairHistory, UNKNOWN_HISTORY } from './pair-history.ts';
import type { Pairs } from './pairs.ts';
import type { GapRange } from './price-gaps.ts';
import { timesAboveFee, UNKNOWN_TIMES } from './times-above-fee.ts';

/** Where the settled prints of contracts and the price gaps of pairs are. */
export interface PrintSource {
  /** Changes whenever a print of the contract changes; 0: it has none. */
  versionOf(key: string): number;
  /** The prints of the last 33 days that had settled by then, oldest first. */
  printsOf(key: string): SettledPrints | null;
  /** How far the price gap of long A and short B has moved. */
  gapOf(keyA: string, keyB: string): GapRange | null;
}

interface RebuildOptions {
  legs: Table;
  pairs: Pairs;
  source: PrintSource;
  /** The figures of the same hour, which are copied where neither contract has changed. */
  earlier: HistoryLookup | null;
  /** By code of the contract. */
  isChanged: Uint8Array;
  lastHour: number;
}

/** One computation of the 30-day figures of all pairs. */
export class HistoryRebuild {
  readonly #options: RebuildOptions;
  readonly #hours: CoinHours;
  readonly #codeThere: Uint32Array | null;
  readonly #a: Uint32Array;
  readonly #b: Uint32Array;
  readonly #figures: HistoryColumns;
  #row = 0;

  constructor(options: RebuildOptions) {
    const { legs, pairs, source, earlier, lastHour } = options;
    const keys = legs.texts('contract').values;
    this.#options = options;
    this.#hours = new CoinHours(keys, source, lastHour);
    this.#codeThere = earlier && Uint32Array.from(keys, (text) => earlier.codeOf(text));
    this.#a = new Uint32Array(pairs.count);
    this.#b = new Uint32Array(pairs.count);
    this.#figures = newHistoryColumns(pairs.count);
  }

  /** Computes at most so many more pairs, besides those that are copied. Null until all are done. */
  compute(most: number): Table | null {
    const { legs, pairs, source } = this.#options;
    const { codes, values: keys } = legs.texts('contract');
    let computed = 0;
    for (; this.#row < pairs.count; this.#row++) {
      if (computed === most) return null;
      const row = this.#row;
      const [long, short] = [pairs.long[row] as number, pairs.short[row] as number];
      const codeA = codes[Math.min(long, short)] as number;
      const codeB = codes[Math.max(long, short)] as number;
      this.#a[row] = codeA;
      this.#b[row] = codeB;
      if (!this.#copy(row, codeA, codeB)) {
        this.#compute(row, codeA, codeB);
        computed++;
      }
      putGap(this.#figures, row, source.gapOf(keys[codeA] as string, keys[codeB] as string));
    }
    return historiesTable(keys, this.#a, this.#b, this.#figures);
  }

  /** False if there is no earlier row that still holds. */
  #copy(row: number, codeA: number, codeB: number): boolean {
    const { earlier, isChanged } = this.#options;
    if (!earlier || !this.#codeThere || isChanged[codeA] || isChanged[codeB]) return false;
    const there = earlier.rowOf(this.#codeThere[codeA] as number, this.#codeThere[codeB] as number);
    if (there < 0) return false;
    for (const name of [...HISTORY_FIGURES, ...FEE_FIGURES])
      this.#figures[name][row] = earlier.table.numbers(name)[there] as number;
    return true;
  }

  #compute(row: number, codeA: number, codeB: number): void {
    const { legs, pairs, lastHour } = this.#options;
    const [long, short] = [pairs.long[row] as number, pairs.short[row] as number];
    const coin = legs.texts('coin').codes[long] as number;
    const [a, b] = [this.#hours.of(coin, codeA), this.#hours.of(coin, codeB)];
    const fees = legs.numbers('taker_fee_pct');
    const feePct = roundTripFeePct(fees[long] as number, fees[short] as number);
    const history = a && b ? pairHistory(a, b, lastHour) : UNKNOWN_HISTORY;
    const times = a && b ? timesAboveFee(a, b, feePct, lastHour) : UNKNOWN_TIMES;
    for (const name of HISTORY_FIGURES) this.#figures[name][row] = history[name];
    for (const name of FEE_FIGURES) this.#figures[name][row] = times[name];
  }
}

/**
 * The hours of the legs of one coin. Pairs are ordered by coin, so no more are needed at a time; those of 8,000 contracts
 * would take 28 MB all the time for a few milliseconds of computing.
 */
class CoinHours {
  readonly #lastHour: number;
  readonly #keys: readonly string[];
  readonly #source: PrintSource;
  readonly #hours = new Map<number, LegHours | null>();
  #coin = -1;

  constructor(keys: readonly string[], source: PrintSource, lastHour: number) {
    this.#keys = keys;
    this.#source = source;
    this.#lastHour = lastHour;
  }

  of(coin: number, code: number): LegHours | null {
    if (coin !== this.#coin) this.#hours.clear();
    this.#coin = coin;
    const known = this.#hours.get(code);
    if (known !== undefined) return known;
    const prints = this.#source.printsOf(this.#keys[code] as string);
    const hours = prints && legHours(prints, this.#lastHour);
    this.#hours.set(code, hours);
    return hours;
  }
}

function putGap(figures: HistoryColumns, row: number, gap: GapRange | null): void {
  if (!gap) return;
  figures.gapLowPct[row] = gap.lowPct;
  figures.gapHighPct[row] = gap.highPct;
  figures.gapFromMs[row] = gap.fromMs;
}

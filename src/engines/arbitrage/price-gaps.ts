import { Table, type TableSpec } from '../../market/tables/table.ts';
import type { Pairs } from './pairs.ts';

/** UTC days over which the range of a price gap is kept, today included. */
export const GAP_DAYS = 30;

/** The stored form of one UTC day. */
export const PRICE_GAPS_TABLE: TableSpec = {
  name: 'price-gaps',
  columns: [
    { name: 'contract_a', type: 'text', nullable: false, description: 'The leg that comes first' },
    { name: 'contract_b', type: 'text', nullable: false, description: 'The other leg' },
    { name: 'low_pct', type: 'number', nullable: false, description: 'Lowest gap of long A, short B' },
    { name: 'high_pct', type: 'number', nullable: false, description: 'Highest gap of long A, short B' },
    { name: 'from', type: 'time', nullable: false, description: 'When it was first seen on that day' },
  ],
};

/** How far a price gap has moved, and since when that is known. */
export interface GapRange {
  lowPct: number;
  highPct: number;
  fromMs: number;
}

/** How much higher the mid price of the short leg is than that of the long leg, in percent. */
export function priceGapPct(longMid: number, shortMid: number): number {
  return ((shortMid - longMid) / longMid) * 100;
}

/** The same gap seen with the legs exchanged. */
export function reversedGapPct(gapPct: number): number {
  return -gapPct / (1 + gapPct / 100);
}

export function reversedRange({ lowPct, highPct, fromMs }: GapRange): GapRange {
  return { lowPct: reversedGapPct(highPct), highPct: reversedGapPct(lowPct), fromMs };
}

/** The ranges of many pairs of contracts. A pair is stored once, the contract that was seen first as its first leg. */
export class GapRanges {
  readonly #codes = new Map([['', 0]]);
  readonly #names = [''];
  /** By code of the first contract, then of the other one: the place in the lists below. */
  readonly #places: (Map<number, number> | undefined)[] = [];
  readonly #pairs: [a: number[], b: number[]] = [[], []];
  readonly #lows: number[] = [];
  readonly #highs: number[] = [];
  readonly #froms: number[] = [];

  get size(): number {
    return this.#lows.length;
  }

  codeOf(contract: string): number {
    let code = this.#codes.get(contract);
    if (code === undefined) {
      code = this.#names.push(contract) - 1;
      this.#codes.set(contract, code);
    }
    return code;
  }

  /** Widens the range of long A and short B, which are codes of contracts. */
  widen(a: number, b: number, lowPct: number, highPct: number, fromMs: number): void {
    if (a > b) {
      this.widen(b, a, reversedGapPct(highPct), reversedGapPct(lowPct), fromMs);
      return;
    }
    this.#places[a] ??= new Map();
    const place = this.#places[a].get(b);
    if (place === undefined) {
      this.#places[a].set(b, this.size);
      this.#pairs[0].push(a);
      this.#pairs[1].push(b);
      this.#lows.push(lowPct);
      this.#highs.push(highPct);
      this.#froms.push(fromMs);
      return;
    }
    this.#lows[place] = Math.min(this.#lows[place] as number, lowPct);
    this.#highs[place] = Math.max(this.#highs[place] as number, highPct);
    this.#froms[place] = Math.min(this.#froms[place] as number, fromMs);
  }

  /** Of long A and short B; null if the pair was never seen. */
  rangeOf(longA: string, shortB: string): GapRange | null {
    const [a, b] = [this.#codes.get(longA) ?? 0, this.#codes.get(shortB) ?? 0];
    const place = this.#places[Math.min(a, b)]?.get(Math.max(a, b));
    if (place === undefined) return null;
    const range = {
      lowPct: this.#lows[place] as number,
      highPct: this.#highs[place] as number,
      fromMs: this.#froms[place] as number,
    };
    return a < b ? range : reversedRange(range);
  }

  table(): Table {
    const [a, b] = this.#pairs;
    return new Table(
      PRICE_GAPS_TABLE,
      this.size,
      new Map([
        ['low_pct', Float64Array.from(this.#lows)],
        ['high_pct', Float64Array.from(this.#highs)],
        ['from', Float64Array.from(this.#froms)],
      ]),
      new Map([
        ['contract_a', { codes: Uint32Array.from(a), values: this.#names }],
        ['contract_b', { codes: Uint32Array.from(b), values: this.#names }],
      ]),
    );
  }

  /** Widens the ranges by those of a stored day. */
  includeTable(table: Table): void {
    const [lows, highs, froms] = numbersOf(table, ['low_pct', 'high_pct', 'from']);
    const [a, b] = ['contract_a', 'contract_b'].map((name) => {
      const { codes, values } = table.texts(name);
      const codesHere = values.map((contract) => this.codeOf(contract));
      return (row: number) => codesHere[codes[row] as number] as number;
    }) as [(row: number) => number, (row: number) => number];
    for (let row = 0; row < table.rowCount; row++)
      this.widen(a(row), b(row), lows[row] as number, highs[row] as number, froms[row] as number);
  }
}

type ThreeColumns = [Float64Array, Float64Array, Float64Array];

function numbersOf(table: Table, names: readonly [string, string, string]): ThreeColumns {
  return names.map((name) => table.numbers(name)) as ThreeColumns;
}

/** The ranges of one UTC day, which grow, and those of the days before it. */
export class PriceGapBook {
  readonly day: number;
  readonly today = new GapRanges();
  readonly earlier = new GapRanges();

  constructor(day: number) {
    this.day = day;
  }

  /** Adds the gaps of this moment. A pair counts only if both prices are at most so old: else they are of two times. */
  observe(legs: Table, pairs: Pairs, asOfMs: number, maxAgeMs: number): void {
    const { codes, values } = legs.texts('contract');
    const [bids, asks, received] = numbersOf(legs, ['bid', 'ask', 'received_at']);
    const codesHere = values.map((contract) => this.today.codeOf(contract));
    const code = (leg: number) => codesHere[codes[leg] as number] as number;
    const isRecent = (leg: number) => asOfMs - (received[leg] as number) <= maxAgeMs;
    const mid = (leg: number) => ((bids[leg] as number) + (asks[leg] as number)) / 2;
    for (let pair = 0; pair < pairs.count; pair++) {
      const [long, short] = [pairs.long[pair] as number, pairs.short[pair] as number];
      if (!isRecent(long) || !isRecent(short)) continue;
      const gapPct = priceGapPct(mid(long), mid(short));
      this.today.widen(code(long), code(short), gapPct, gapPct, asOfMs);
    }
  }

  /** Of long A and short B over all days; null if the pair was never seen. */
  rangeOf(a: string, b: string): GapRange | null {
    const [today, earlier] = [this.today.rangeOf(a, b), this.earlier.rangeOf(a, b)];
    if (!today || !earlier) return today ?? earlier;
    return {
      lowPct: Math.min(today.lowPct, earlier.lowPct),
      highPct: Math.max(today.highPct, earlier.highPct),
      fromMs: Math.min(today.fromMs, earlier.fromMs),
    };
  }
}

import type { ContractState } from '../../market/latest.ts';
import { Table, type TextData } from '../../market/table.ts';
import { type Identities, LegBook, SHOWN } from './book.ts';
import { figurePair, newPairFigures, type PairFigures, STEADY_PRINTS, strengthOf } from './figures.ts';
import { codesAt, indexesAt, LEG_COLUMNS, LEG_NUMBER_NAMES, LEGS_TABLE, numbersAt } from './legs.ts';
import { type RowPlan, rowsTable } from './rows.ts';
import { carryStreaks, digitsAt } from './streaks.ts';

export interface Print {
  legs: Table;
  rows: Table;
  /** Pairs under one ticker whose prices are too far apart to be of one coin. */
  pairsApart: number;
  /** Pairs that had to be computed again. */
  pairsComputed: number;
}

/** Makes one print after the other. What did not change since the last one is neither computed nor written again. */
export class SpreadPrinter {
  readonly #book = new LegBook();
  #figures: PairFigures = newPairFigures(0);
  /** The legs that each pair is made of now. */
  #legA = new Int32Array(0);
  #legB = new Int32Array(0);
  /** Per pair: 1 when the legs were exchanged for others since the last print. */
  #isMoved = new Uint8Array(0);
  /** Per pair: 1 when its row reads as in the last print. */
  #isSame = new Uint8Array(0);
  #rowOfPair = new Int32Array(0);
  #lastRows: Table | null = null;
  #pairsApart = 0;
  #pairsComputed = 0;

  get rates(): ReadonlyMap<string, number> {
    return this.#book.rates;
  }

  print(states: readonly ContractState[], identities: Identities, asOfMs: number): Print {
    const { layout, codes, values } = this.#book;
    if (this.#book.refresh(states, identities, asOfMs))
      this.#relay({ layout, codes, values, figures: this.#figures });
    this.#chooseLegs();
    this.#figureAll(asOfMs);
    const plan = this.#plan();
    const rows = rowsTable(plan, this.#figures);
    this.#carryJson(rows, plan.pairs);
    return { legs: plan.legs, rows, pairsApart: this.#pairsApart, pairsComputed: this.#pairsComputed };
  }

  /** A new order of pairs: the memory of directions moves along, everything else is computed anew. */
  #relay(before: Parameters<typeof carryStreaks>[0]): void {
    const { layout } = this.#book;
    this.#figures = newPairFigures(layout.count);
    carryStreaks(before, { ...this.#book, layout, figures: this.#figures });
    this.#legA = layout.legA.slice();
    this.#legB = layout.legB.slice();
    this.#isMoved = new Uint8Array(layout.count).fill(SHOWN);
    this.#isSame = new Uint8Array(layout.count);
    this.#rowOfPair = new Int32Array(0);
    this.#lastRows = null;
  }

  /** The best choice of which both legs can be used; without one it does not matter. */
  #chooseLegs(): void {
    const { usable, layout } = this.#book;
    for (const [pair, choices] of layout.choices) {
      for (let i = 0; i < choices.length; i += 2) {
        const a = choices[i] as number;
        const b = choices[i + 1] as number;
        if (usable[a] === 0 || usable[b] === 0) continue;
        if (this.#legA[pair] !== a || this.#legB[pair] !== b) this.#isMoved[pair] = SHOWN;
        this.#legA[pair] = a;
        this.#legB[pair] = b;
        break;
      }
    }
  }

  #figureAll(asOfMs: number): void {
    const { usable, changes, numbers } = this.#book;
    const { streak, isLongA, updatedAtMs } = this.#figures;
    this.#pairsApart = 0;
    this.#pairsComputed = 0;
    for (let pair = 0; pair < streak.length; pair++) {
      const a = this.#legA[pair] as number;
      const b = this.#legB[pair] as number;
      this.#isSame[pair] = 0;
      if (usable[a] === 0 || usable[b] === 0) {
        streak[pair] = 0;
        continue;
      }
      const change = (changes[a] as number) | (changes[b] as number) | (this.#isMoved[pair] as number);
      const printsBefore = streak[pair] as number;
      if (change === 0 && printsBefore === STEADY_PRINTS) {
        this.#isSame[pair] = 1;
        continue;
      }
      const wasLongA = isLongA[pair];
      const updatedBefore = updatedAtMs[pair];
      const strengthBefore = strengthOf(this.#figures, pair);
      if (change !== 0) {
        this.#pairsComputed++;
        this.#isMoved[pair] = 0;
        if (!figurePair(numbers, a, b, asOfMs, this.#figures, pair)) {
          streak[pair] = 0;
          this.#pairsApart++;
          continue;
        }
      } else if (printsBefore === 0) {
        this.#pairsApart++;
        continue;
      }
      const isSteady = printsBefore > 0 && isLongA[pair] === wasLongA;
      streak[pair] = isSteady ? Math.min(STEADY_PRINTS, printsBefore + 1) : 1;
      const readsTheSame =
        printsBefore > 0 &&
        (change & SHOWN) === 0 &&
        updatedAtMs[pair] === updatedBefore &&
        strengthOf(this.#figures, pair) === strengthBefore;
      this.#isSame[pair] = readsTheSame ? 1 : 0;
    }
  }

  /** The legs of all coins that have a row, and the rows' places in them. */
  #plan(): RowPlan {
    const { layout, usable } = this.#book;
    const { streak } = this.#figures;
    const kept = new Int32Array(usable.length);
    const placeOfLeg = new Int32Array(usable.length);
    const pairs = new Int32Array(layout.count);
    const streaks = { codes: new Uint32Array(usable.length), values: [''] };
    let legCount = 0;
    let rowCount = 0;
    for (let coin = 0; coin + 1 < layout.firstPair.length; coin++) {
      const firstRow = rowCount;
      const endOfPairs = layout.firstPair[coin + 1] as number;
      for (let pair = layout.firstPair[coin] as number; pair < endOfPairs; pair++)
        if (streak[pair] !== 0) pairs[rowCount++] = pair;
      if (rowCount === firstRow) continue;
      streaks.codes[legCount] = streaks.values.push(digitsAt(streak, pairs.subarray(firstRow, rowCount))) - 1;
      const endOfLegs = layout.firstLeg[coin + 1] as number;
      for (let leg = layout.firstLeg[coin] as number; leg < endOfLegs; leg++) {
        if (usable[leg] === 0) continue;
        placeOfLeg[leg] = legCount;
        kept[legCount++] = leg;
      }
    }
    const rows = pairs.subarray(0, rowCount);
    return {
      legs: this.#legsTable(kept.subarray(0, legCount), {
        codes: streaks.codes.slice(0, legCount),
        values: streaks.values,
      }),
      pairs: rows,
      legA: indexesAt(placeOfLeg, indexesAt(this.#legA, rows)),
      legB: indexesAt(placeOfLeg, indexesAt(this.#legB, rows)),
    };
  }

  #legsTable(kept: Int32Array, streaks: TextData): Table {
    const { numbers, codes, values } = this.#book;
    const columns = new Map(
      LEG_NUMBER_NAMES.map((name) => [LEG_COLUMNS[name], numbersAt(numbers[name], kept)]),
    );
    const texts = new Map<string, TextData>([['streaks', streaks]]);
    for (const name of ['coin', 'exchange', 'quote'] as const)
      texts.set(name, { codes: codesAt(codes[name], kept), values: values[name] });
    return new Table(LEGS_TABLE, kept.length, columns, texts);
  }

  #carryJson(rows: Table, pairs: Int32Array): void {
    const before = this.#rowOfPair;
    const rowOfPair = new Int32Array(this.#book.layout.count).fill(-1);
    const rowThere = new Int32Array(pairs.length);
    for (let row = 0; row < pairs.length; row++) {
      const pair = pairs[row] as number;
      rowOfPair[pair] = row;
      rowThere[row] = this.#isSame[pair] === 1 ? (before[pair] ?? -1) : -1;
    }
    if (this.#lastRows) rows.takeJson(this.#lastRows, rowThere);
    this.#rowOfPair = rowOfPair;
    this.#lastRows = rows;
  }
}

import type { FrozenStates } from '../../market/freeze.ts';
import { Table, type TextData } from '../../market/tables/table.ts';
import { type Identities, type IsClosed, LegBook } from './book.ts';
import { computePair, newPairFigures, type PairFigures, STEADY_PRINTS } from './figures.ts';
import { codesAt, indexesAt, LEG_COLUMNS, LEG_NUMBER_NAMES, LEGS_TABLE, numbersAt } from './legs.ts';
import { type RowPlan, rowsTable } from './rows.ts';
import { carryStreaks, digitsAt } from './streaks.ts';

export interface BuiltTable {
  legs: Table;
  rows: Table;
  /** Pairs without a row because their prices differ too much for one coin. */
  pairsRejected: number;
  /** Pairs that were recomputed. */
  pairsComputed: number;
}

/** Builds the spread table. Pairs that did not change since the last one are not recomputed. */
export class SpreadTableBuilder {
  readonly #book = new LegBook();
  #figures: PairFigures = newPairFigures(0);
  /** The current legs of each pair. */
  #legA = new Int32Array(0);
  #legB = new Int32Array(0);
  /** Per pair: 1 when its legs were replaced since the last table. */
  #hasNewLegs = new Uint8Array(0);

  get rates(): ReadonlyMap<string, number> {
    return this.#book.rates;
  }

  build(states: FrozenStates, identities: Identities, asOfMs: number, isClosed?: IsClosed): BuiltTable {
    const { layout, codes, values } = this.#book;
    if (this.#book.refresh(states, identities, asOfMs, isClosed))
      this.#rebuild({ layout, codes, values, figures: this.#figures });
    this.#chooseLegs();
    const { pairsRejected, pairsComputed } = this.#computePairs(asOfMs);
    const plan = this.#plan();
    return { legs: plan.legs, rows: rowsTable(plan, this.#figures), pairsRejected, pairsComputed };
  }

  /** After a change of the pair order: keeps the direction streaks and recomputes everything else. */
  #rebuild(before: Parameters<typeof carryStreaks>[0]): void {
    const { layout } = this.#book;
    this.#figures = newPairFigures(layout.count);
    carryStreaks(before, { ...this.#book, layout, figures: this.#figures });
    this.#legA = layout.legA.slice();
    this.#legB = layout.legB.slice();
    this.#hasNewLegs = new Uint8Array(layout.count).fill(1);
  }

  /** Takes the best choice with two usable legs. Without one, the pair has no row anyway. */
  #chooseLegs(): void {
    const { usable, layout } = this.#book;
    for (const [pair, choices] of layout.choices) {
      for (let i = 0; i < choices.length; i += 2) {
        const a = choices[i] as number;
        const b = choices[i + 1] as number;
        if (usable[a] === 0 || usable[b] === 0) continue;
        if (this.#legA[pair] !== a || this.#legB[pair] !== b) this.#hasNewLegs[pair] = 1;
        this.#legA[pair] = a;
        this.#legB[pair] = b;
        break;
      }
    }
  }

  #computePairs(asOfMs: number): Pick<BuiltTable, 'pairsRejected' | 'pairsComputed'> {
    const { usable, isChanged, numbers, layout } = this.#book;
    const { streak, isLongA } = this.#figures;
    let [pairsRejected, pairsComputed] = [0, 0];
    for (let pair = 0; pair < layout.count; pair++) {
      const a = this.#legA[pair] as number;
      const b = this.#legB[pair] as number;
      if (usable[a] === 0 || usable[b] === 0) {
        streak[pair] = 0;
        continue;
      }
      const tablesBefore = streak[pair] as number;
      const wasLongA = isLongA[pair];
      if (isChanged[a] || isChanged[b] || this.#hasNewLegs[pair]) {
        pairsComputed++;
        this.#hasNewLegs[pair] = 0;
        if (!computePair(numbers, a, b, asOfMs, this.#figures, pair)) {
          streak[pair] = 0;
          pairsRejected++;
          continue;
        }
      } else if (tablesBefore === 0) {
        pairsRejected++;
        continue;
      }
      const isSteady = tablesBefore > 0 && isLongA[pair] === wasLongA;
      streak[pair] = isSteady ? Math.min(STEADY_PRINTS, tablesBefore + 1) : 1;
    }
    return { pairsRejected, pairsComputed };
  }

  /** The legs of all coins that have a row, and the position of each row's legs among them. */
  #plan(): RowPlan {
    const { layout, usable } = this.#book;
    const { streak } = this.#figures;
    const usableLegs = new Int32Array(usable.length);
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
        usableLegs[legCount++] = leg;
      }
    }
    const rows = pairs.subarray(0, rowCount);
    return {
      legs: this.#legsTable(usableLegs.subarray(0, legCount), {
        codes: streaks.codes.slice(0, legCount),
        values: streaks.values,
      }),
      pairs: rows,
      legA: indexesAt(placeOfLeg, indexesAt(this.#legA, rows)),
      legB: indexesAt(placeOfLeg, indexesAt(this.#legB, rows)),
    };
  }

  #legsTable(usableLegs: Int32Array, streaks: TextData): Table {
    const { numbers, codes, values, contracts } = this.#book;
    const columns = new Map(
      LEG_NUMBER_NAMES.map((name) => [LEG_COLUMNS[name], numbersAt(numbers[name], usableLegs)]),
    );
    const texts = new Map<string, TextData>([
      ['streaks', streaks],
      ['contract', { codes: codesAt(contracts.codes, usableLegs), values: contracts.values }],
    ]);
    for (const name of ['coin', 'exchange', 'quote'] as const)
      texts.set(name, { codes: codesAt(codes[name], usableLegs), values: values[name] });
    return new Table(LEGS_TABLE, usableLegs.length, columns, texts);
  }
}

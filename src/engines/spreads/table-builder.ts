import type { FrozenStates } from '../../market/freeze.ts';
import { Table, type TextData } from '../../market/tables/table.ts';
import { type Identities, type IsClosed, LegBook } from './book.ts';
import { isLongA, isOneCoin, STEADY_PRINTS } from './figures.ts';
import { codesAt, LEG_COLUMNS, LEG_NUMBER_NAMES, LEGS_TABLE, numbersAt } from './legs.ts';
import { CODE_OF_0, carryStreaks, type PairStreaks } from './streaks.ts';

export interface BuiltTable {
  legs: Table;
  /** Rows that `rowsFromLegs` makes of the legs. */
  rowCount: number;
  /** Pairs without a row because their prices differ too much for one coin. */
  pairsRejected: number;
}

/** Builds the spread table as its legs, with the streaks of all pairs. */
export class SpreadTableBuilder {
  readonly #book = new LegBook();
  #streaks: PairStreaks = newStreaks(0);
  /** The current legs of each pair. */
  #legA = new Int32Array(0);
  #legB = new Int32Array(0);

  get rates(): ReadonlyMap<string, number> {
    return this.#book.rates;
  }

  build(states: FrozenStates, identities: Identities, asOfMs: number, isClosed?: IsClosed): BuiltTable {
    const { layout, codes, values } = this.#book;
    if (this.#book.refresh(states, identities, asOfMs, isClosed))
      this.#rebuild({ layout, codes, values, streaks: this.#streaks });
    this.#chooseLegs();
    const pairsRejected = this.#countStreaks();
    return { ...this.#legsOfRows(), pairsRejected };
  }

  /** After a change of the pair order: keeps the streaks. */
  #rebuild(before: Parameters<typeof carryStreaks>[0]): void {
    const { layout } = this.#book;
    this.#streaks = newStreaks(layout.count);
    carryStreaks(before, { ...this.#book, layout, streaks: this.#streaks });
    this.#legA = layout.legA.slice();
    this.#legB = layout.legB.slice();
  }

  /** Takes the best choice with two usable legs. Without one, the pair has no row anyway. */
  #chooseLegs(): void {
    const { usable, layout } = this.#book;
    for (const [pair, choices] of layout.choices) {
      for (let i = 0; i < choices.length; i += 2) {
        const a = choices[i] as number;
        const b = choices[i + 1] as number;
        if (usable[a] === 0 || usable[b] === 0) continue;
        this.#legA[pair] = a;
        this.#legB[pair] = b;
        break;
      }
    }
  }

  /** Returns the number of pairs with two usable legs that have no row. */
  #countStreaks(): number {
    const { usable, numbers, layout } = this.#book;
    const { streak, direction } = this.#streaks;
    let pairsRejected = 0;
    for (let pair = 0; pair < layout.count; pair++) {
      const a = this.#legA[pair] as number;
      const b = this.#legB[pair] as number;
      if (usable[a] === 0 || usable[b] === 0) {
        streak[pair] = 0;
        continue;
      }
      if (!isOneCoin(numbers, a, b)) {
        streak[pair] = 0;
        pairsRejected++;
        continue;
      }
      const now = isLongA(numbers, a, b) ? 1 : 2;
      const tablesBefore = streak[pair] as number;
      const isSteady = tablesBefore > 0 && direction[pair] === now;
      streak[pair] = isSteady ? Math.min(STEADY_PRINTS, tablesBefore + 1) : 1;
      direction[pair] = now;
    }
    return pairsRejected;
  }

  /** The usable legs of all coins that have a row. */
  #legsOfRows(): Pick<BuiltTable, 'legs' | 'rowCount'> {
    const { layout, usable } = this.#book;
    const { streak } = this.#streaks;
    const usableLegs = new Int32Array(usable.length);
    const codes = new Uint32Array(usable.length);
    const values = [''];
    const digits = Buffer.alloc(layout.count);
    let [legCount, rowCount] = [0, 0];
    for (let coin = 0; coin + 1 < layout.firstPair.length; coin++) {
      const firstRow = rowCount;
      const endOfPairs = layout.firstPair[coin + 1] as number;
      for (let pair = layout.firstPair[coin] as number; pair < endOfPairs; pair++)
        if (streak[pair] !== 0) digits[rowCount++] = CODE_OF_0 + (streak[pair] as number);
      if (rowCount === firstRow) continue;
      codes[legCount] = values.push(digits.toString('latin1', firstRow, rowCount)) - 1;
      const endOfLegs = layout.firstLeg[coin + 1] as number;
      for (let leg = layout.firstLeg[coin] as number; leg < endOfLegs; leg++)
        if (usable[leg] !== 0) usableLegs[legCount++] = leg;
    }
    const streaks = { codes: codes.slice(0, legCount), values };
    return { legs: this.#legsTable(usableLegs.subarray(0, legCount), streaks), rowCount };
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

function newStreaks(count: number): PairStreaks {
  return { direction: new Uint8Array(count), streak: new Uint8Array(count) };
}

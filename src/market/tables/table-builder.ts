import { numberColumn } from '../../base/numbers.ts';
import { type Cell, Table, type TableSpec, type TextData } from './table.ts';

interface TextColumn {
  codes: number[];
  values: string[];
  known: Map<string, number>;
}

/** One column of a table that is built: either texts or numbers. */
interface BuiltColumn {
  name: string;
  nullable: boolean;
  texts: TextColumn | null;
  numbers: Float64Array;
}

export class TableBuilder {
  readonly #spec: TableSpec;
  readonly #columns: readonly BuiltColumn[];
  readonly #internal: readonly BuiltColumn[];
  readonly #internalTexts: readonly BuiltColumn[];
  #rowCount = 0;
  #capacity: number;

  /** Numbers take the least memory if there are as many rows as expected. */
  constructor(spec: TableSpec, expectedRows = 256) {
    this.#spec = spec;
    this.#capacity = Math.max(1, expectedRows);
    const column = (name: string, isText: boolean, nullable = true): BuiltColumn => ({
      name,
      nullable,
      texts: isText ? { codes: [], values: [''], known: new Map() } : null,
      numbers: new Float64Array(isText ? 0 : this.#capacity),
    });
    this.#columns = spec.columns.map(({ name, type, nullable }) =>
      column(name, type === 'text' || type === 'texts', nullable),
    );
    this.#internal = (spec.internalColumns ?? []).map((name) => column(name, false));
    this.#internalTexts = (spec.internalTexts ?? []).map((name) => column(name, true));
  }

  /**
   * One row, a value for every column by name. An internal column may be left out: it is null then. A table with many of
   * them gives their values in the order of the columns instead, which is faster.
   */
  add(row: Readonly<Record<string, Cell>>, internal?: ArrayLike<number>): void {
    if (this.#rowCount === this.#capacity) this.#grow();
    for (const { name, nullable, texts, numbers } of this.#columns) {
      const value = row[name];
      if (value === undefined) throw new Error(`row of ${this.#spec.name} has no ${name}`);
      if (value === null && !nullable) throw new Error(`${this.#spec.name}.${name} must not be null`);
      if (texts) texts.codes.push(code(texts, value));
      else numbers[this.#rowCount] = value === null ? Number.NaN : Number(value);
    }
    for (const [i, { name, numbers }] of this.#internal.entries())
      numbers[this.#rowCount] = Number((internal ? internal[i] : row[name]) ?? Number.NaN);
    for (const { name, texts } of this.#internalTexts) texts?.codes.push(code(texts, row[name] ?? null));
    this.#rowCount++;
  }

  #grow(): void {
    this.#capacity *= 2;
    for (const column of [...this.#columns, ...this.#internal]) {
      if (column.texts) continue;
      const larger = new Float64Array(this.#capacity);
      larger.set(column.numbers);
      column.numbers = larger;
    }
  }

  build(): Table {
    const isFull = this.#rowCount === this.#capacity;
    const numbers = new Map<string, Float64Array>();
    const texts = new Map<string, TextData>();
    for (const { name, ...column } of [...this.#columns, ...this.#internal, ...this.#internalTexts])
      if (column.texts)
        texts.set(name, { codes: new Uint32Array(column.texts.codes), values: column.texts.values });
      else numbers.set(name, isFull ? column.numbers : column.numbers.slice(0, this.#rowCount));
    return new Table(this.#spec, this.#rowCount, numbers, texts);
  }
}

function code(text: Omit<TextColumn, 'codes'>, value: Cell): number {
  if (value === null) return 0;
  const key = Array.isArray(value) ? JSON.stringify(value) : String(value);
  let found = text.known.get(key);
  if (found === undefined) {
    found = text.values.length;
    text.values.push(key);
    text.known.set(key, found);
  }
  return found;
}

/** A table of one row for each source. It is made column by column, which is faster than adding rows. */
export function tableOf<Source>(
  spec: TableSpec,
  sources: readonly Source[],
  cells: Readonly<Record<string, (source: Source) => Cell>>,
): Table {
  const numbers = new Map<string, Float64Array>();
  const texts = new Map<string, TextData>();
  const cellOf = (name: string, nullable: boolean) => {
    const cell = cells[name];
    if (!cell) throw new Error(`rows of ${spec.name} have no ${name}`);
    if (nullable) return cell;
    return (source: Source) => {
      const value = cell(source);
      if (value === null) throw new Error(`${spec.name}.${name} must not be null`);
      return value;
    };
  };
  const addTexts = (name: string, nullable = true) => {
    const cell = cellOf(name, nullable);
    const text: Omit<TextColumn, 'codes'> = { values: [''], known: new Map() };
    const codes = new Uint32Array(sources.length);
    // Many rows have the text of the one before, such as its venue.
    let before: Cell = null;
    let codeBefore = 0;
    for (let row = 0; row < codes.length; row++) {
      const value = cell(sources[row] as Source);
      if (value !== before) codeBefore = code(text, value);
      before = value;
      codes[row] = codeBefore;
    }
    texts.set(name, { codes, values: text.values });
  };
  const addNumbers = (name: string, nullable = true) => {
    const cell = cellOf(name, nullable);
    const numberAt = (row: number) => Number(cell(sources[row] as Source) ?? Number.NaN);
    numbers.set(name, numberColumn(sources.length, numberAt));
  };
  for (const { name, type, nullable } of spec.columns)
    if (type === 'text' || type === 'texts') addTexts(name, nullable);
    else addNumbers(name, nullable);
  for (const name of spec.internalColumns ?? []) addNumbers(name);
  for (const name of spec.internalTexts ?? []) addTexts(name);
  return new Table(spec, sources.length, numbers, texts);
}

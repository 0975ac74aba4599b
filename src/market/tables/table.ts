import type { Deprecation } from '../../base/deprecation.ts';
import { isoTime } from '../../base/times.ts';

/**
 * Rows laid out by column: numbers in typed arrays, texts as codes into a list. Filters walk the arrays, sorts are
 * permutations kept with the table, and each row is turned into JSON at most once.
 */
export type ColumnType = 'text' | 'texts' | 'number' | 'integer' | 'flag' | 'time';

export interface Column {
  name: string;
  type: ColumnType;
  nullable: boolean;
  /** An integer that is never negative and may exceed 31 bits. */
  isUnsigned?: true;
  /** Unit, sign and meaning, as the API description prints it. */
  description: string;
  /** The parameter of the list with which rows have the column; without it they always do. */
  onlyWith?: string;
  deprecated?: Deprecation;
}

export interface TableSpec {
  name: string;
  /** Name of one row in the API description; derived from the table's name by default. */
  rowTitle?: string;
  columns: readonly Column[];
  /** Number columns that frames carry and rows do not show, for other tables that are derived from this one. */
  internalColumns?: readonly string[];
  /** The same for text columns. */
  internalTexts?: readonly string[];
}

export type Cell = string | readonly string[] | number | boolean | null;

/** Text cells: a code per row into the distinct values. Code 0 is null. */
export interface TextData {
  codes: Uint32Array;
  values: readonly string[];
}

/** Columns by name. They may be built on first access, but never change. */
export interface Columns<T> {
  get(name: string): T | undefined;
}

/** The number of one row. For tables whose columns cost more to build than the few rows of a page. */
export type NumberCell = (row: number) => number;

/** The text of one row, for the same: rows with the same code have the same text, and code 0 is null. */
export interface TextCell {
  codeOf(row: number): number;
  textOf(code: number): string;
}

/** Reads single cells of the columns that it has. */
export interface Cells {
  numbers: Columns<NumberCell>;
  texts?: Columns<TextCell>;
}

export class Table {
  readonly spec: TableSpec;
  readonly rowCount: number;
  readonly #numbers: Columns<Float64Array>;
  readonly #texts: Columns<TextData>;
  readonly #cells: Cells | null;
  #rowJson: string[] | null = null;
  #rowBytes: Uint32Array | null = null;
  readonly #encoders = new Map<string, (row: number) => string>();
  readonly #permutations = new Map<string, Uint32Array>();

  constructor(
    spec: TableSpec,
    rowCount: number,
    numbers: Columns<Float64Array>,
    texts: Columns<TextData>,
    cells: Cells | null = null,
  ) {
    this.spec = spec;
    this.rowCount = rowCount;
    this.#numbers = numbers;
    this.#texts = texts;
    this.#cells = cells;
  }

  /** A number, integer, time (epoch ms) or flag (0 or 1) column; NaN is null. */
  numbers(name: string): Float64Array {
    const data = this.#numbers.get(name);
    if (!data) throw new Error(`table ${this.spec.name} has no number column ${name}`);
    return data;
  }

  texts(name: string): TextData {
    const data = this.#texts.get(name);
    if (!data) throw new Error(`table ${this.spec.name} has no text column ${name}`);
    return data;
  }

  /** Reads single numbers of a column; NaN is null. */
  cell(name: string): NumberCell {
    const cell = this.#cells?.numbers.get(name);
    if (cell) return cell;
    const data = this.numbers(name);
    return (row) => data[row] ?? Number.NaN;
  }

  /** Reads single texts of a column. */
  textCell(name: string): TextCell {
    const cell = this.#cells?.texts?.get(name);
    if (cell) return cell;
    const { codes, values } = this.texts(name);
    return { codeOf: (row) => codes[row] ?? 0, textOf: (code) => values[code] ?? '' };
  }

  text(name: string, row: number): string {
    const { codes, values } = this.texts(name);
    return values[codes[row] ?? 0] ?? '';
  }

  /** The order of a named sort; built on first use and cached. */
  permutation(name: string, make: () => Uint32Array): Uint32Array {
    let order = this.#permutations.get(name);
    if (!order) {
      order = make();
      this.#permutations.set(name, order);
    }
    return order;
  }

  /** A whole row as JSON; built on first use and cached. */
  rowJson(row: number): string {
    this.#rowJson ??= new Array(this.rowCount);
    const known = this.#rowJson[row];
    if (known !== undefined) return known;
    const json = this.fieldsJson(row, this.spec.columns);
    this.#rowJson[row] = json;
    return json;
  }

  /** How many bytes the same has as UTF-8; counted once, because counting takes longer than appending it to an answer. */
  rowBytes(row: number): number {
    this.#rowBytes ??= new Uint32Array(this.rowCount);
    const known = this.#rowBytes[row];
    if (known) return known;
    const bytes = Buffer.byteLength(this.rowJson(row));
    this.#rowBytes[row] = bytes;
    return bytes;
  }

  /** Only the named columns of a row as JSON. */
  fieldsJson(row: number, columns: readonly Column[]): string {
    const parts = ['{'];
    for (const column of columns) {
      if (parts.length > 1) parts.push(',');
      parts.push(`"${column.name}":`, this.encoder(column)(row));
    }
    parts.push('}');
    // `join` makes a flat string. Concatenation makes a rope, which every answer with this row would flatten again.
    return parts.join('');
  }

  /** Writes the cells of a column as JSON. */
  encoder(column: Column): (row: number) => string {
    let encoder = this.#encoders.get(column.name);
    if (!encoder) {
      encoder = this.#makeEncoder(column);
      this.#encoders.set(column.name, encoder);
    }
    return encoder;
  }

  #makeEncoder(column: Column): (row: number) => string {
    if (column.type === 'text' || column.type === 'texts') {
      const cell = this.textCell(column.name);
      // Texts are quoted on first use, because a page needs few of them. Lists are stored as JSON text.
      const json = ['null'];
      return (row) => {
        const code = cell.codeOf(row);
        const known = json[code];
        if (known !== undefined) return known;
        const text = cell.textOf(code);
        json[code] = column.type === 'texts' ? text : JSON.stringify(text);
        return json[code];
      };
    }
    const cell = this.cell(column.name);
    if (column.type === 'flag') return (row) => (cell(row) === 1 ? 'true' : 'false');
    if (column.type === 'time') {
      const known = new Map<number, string>();
      return (row) => {
        const timeMs = cell(row);
        if (Number.isNaN(timeMs)) return 'null';
        let text = known.get(timeMs);
        if (text === undefined) {
          text = `"${isoTime(timeMs)}"`;
          known.set(timeMs, text);
        }
        return text;
      };
    }
    return (row) => {
      const number = cell(row);
      return Number.isNaN(number) ? 'null' : String(number);
    };
  }
}

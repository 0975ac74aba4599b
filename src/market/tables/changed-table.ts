import { perSnapshot } from '../../base/per-snapshot.ts';
import { type Column, type NumberCell, Table, type TextCell, type TextData } from './table.ts';

/** The new figures of a number column. */
export interface ChangedColumn {
  cell: NumberCell;
  /** The most by which a figure differs from that of the base; unknown by default. */
  maxChange?: number;
  /** A number column of the base that no figure exceeds. */
  atMost?: string;
}

/** Columns that the base does not have. The cells of number columns are among the changes; texts are ASCII. */
export interface AddedColumns {
  columns: readonly Column[];
  texts: ReadonlyMap<string, { values: readonly string[]; codeOf: (row: number) => number }>;
}

export const everyRow = (): boolean => true;

/** The JSON of a row before, between and after the columns that are changed in every row. */
interface RestOfRow {
  texts: readonly string[];
  /** How many more bytes than characters they have. */
  moreBytes: number;
}

/** For each row, by the names of the changed columns: requests differ in the figures, and the rest is most of a row. */
const restOfRows = perSnapshot((_base: Table) => new Map<string, RestOfRow[]>());

/**
 * A table with other figures in some columns of some rows, such as those of a caller's own fees. Everything else is read
 * from the base, so that one costs only what is read of it.
 */
export class ChangedTable extends Table {
  readonly base: Table;
  /** Whether the row has other figures than in the base. */
  readonly isChanged: (row: number) => boolean;
  readonly changes: ReadonlyMap<string, ChangedColumn>;
  readonly #added: AddedColumns | null;
  readonly #changedNames: ReadonlySet<string>;
  #rest: RestOfRow[] | null = null;
  #ownEncoders: readonly ((row: number) => string)[] | null = null;
  #changedRows: readonly number[] | null = null;
  readonly #columns = new Map<string, Float64Array>();
  readonly #texts = new Map<string, TextData>();
  readonly #json = new Map<number, string>();

  constructor(
    base: Table,
    isChanged: (row: number) => boolean,
    changes: ReadonlyMap<string, ChangedColumn>,
    added: AddedColumns | null = null,
  ) {
    super(
      added ? { ...base.spec, columns: [...base.spec.columns, ...added.columns] } : base.spec,
      base.rowCount,
      { get: (name) => base.numbers(name) },
      { get: (name) => base.texts(name) },
    );
    this.base = base;
    this.isChanged = isChanged;
    this.changes = changes;
    this.#added = added;
    this.#changedNames = new Set([...changes.keys(), ...(added?.texts.keys() ?? [])]);
  }

  get changesEveryRow(): boolean {
    return this.isChanged === everyRow;
  }

  changesColumn(name: string): boolean {
    return this.#changedNames.has(name);
  }

  get changedRows(): readonly number[] {
    if (!this.#changedRows) {
      const rows: number[] = [];
      for (let row = 0; row < this.rowCount; row++) if (this.isChanged(row)) rows.push(row);
      this.#changedRows = rows;
    }
    return this.#changedRows;
  }

  override numbers(name: string): Float64Array {
    const cell = this.changes.get(name)?.cell;
    if (!cell) return this.base.numbers(name);
    let column = this.#columns.get(name);
    if (!column) {
      column = this.changesEveryRow ? new Float64Array(this.rowCount) : this.base.numbers(name).slice();
      for (let row = 0; row < column.length; row++) if (this.isChanged(row)) column[row] = cell(row);
      this.#columns.set(name, column);
    }
    return column;
  }

  override cell(name: string): NumberCell {
    const own = this.changes.get(name)?.cell;
    if (!own) return this.base.cell(name);
    if (this.changesEveryRow) return own;
    const usual = this.base.cell(name);
    return (row) => (this.isChanged(row) ? own(row) : usual(row));
  }

  override texts(name: string): TextData {
    const added = this.#added?.texts.get(name);
    if (!added) return this.base.texts(name);
    let texts = this.#texts.get(name);
    if (!texts) {
      const codes = new Uint32Array(this.rowCount);
      for (let row = 0; row < codes.length; row++) codes[row] = added.codeOf(row);
      texts = { codes, values: added.values };
      this.#texts.set(name, texts);
    }
    return texts;
  }

  override textCell(name: string): TextCell {
    const added = this.#added?.texts.get(name);
    if (!added) return this.base.textCell(name);
    return { codeOf: added.codeOf, textOf: (code) => added.values[code] ?? '' };
  }

  override rowJson(row: number): string {
    if (!this.isChanged(row)) return this.base.rowJson(row);
    let json = this.#json.get(row);
    if (json === undefined) {
      json = this.changesEveryRow ? this.#changedJson(row) : this.fieldsJson(row, this.spec.columns);
      this.#json.set(row, json);
    }
    return json;
  }

  #changedJson(row: number): string {
    const { texts } = this.#restOf(row);
    this.#ownEncoders ??= this.spec.columns
      .filter(({ name }) => this.changesColumn(name))
      .map((column) => super.encoder(column));
    let json = '';
    for (let i = 0; i < this.#ownEncoders.length; i++)
      json += (texts[i] as string) + (this.#ownEncoders[i] as (row: number) => string)(row);
    return json + texts.at(-1);
  }

  #restOf(row: number): RestOfRow {
    this.#rest ??= restOfRows(this.base).getOrInsertComputed([...this.#changedNames].join(), () => []);
    let rest = this.#rest[row];
    if (!rest) {
      const texts = this.#restTexts(row);
      const moreBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) - text.length, 0);
      rest = { texts, moreBytes };
      this.#rest[row] = rest;
    }
    return rest;
  }

  #restTexts(row: number): readonly string[] {
    const rest: string[] = [];
    let parts = ['{'];
    for (const [i, column] of this.spec.columns.entries()) {
      parts.push(i === 0 ? '' : ',', `"${column.name}":`);
      if (this.changesColumn(column.name)) {
        // Flat strings, as in `fieldsJson`.
        rest.push(parts.join(''));
        parts = [];
      } else parts.push(this.base.encoder(column)(row));
    }
    return [...rest, [...parts, '}'].join('')];
  }

  override rowBytes(row: number): number {
    if (!this.isChanged(row)) return this.base.rowBytes(row);
    const json = this.rowJson(row);
    // Figures are ASCII. Counting the bytes of the whole text would join its parts.
    return this.changesEveryRow ? json.length + this.#restOf(row).moreBytes : Buffer.byteLength(json);
  }

  override encoder(column: Column): (row: number) => string {
    return this.changesColumn(column.name) ? super.encoder(column) : this.base.encoder(column);
  }
}

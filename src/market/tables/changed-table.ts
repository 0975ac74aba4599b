import { type Column, type NumberCell, Table, type TextCell } from './table.ts';

/** The new figures of a number column. */
export interface ChangedColumn {
  cell: NumberCell;
  /** The most by which a figure differs from that of the base; unknown by default. */
  maxChange?: number;
}

/**
 * A table with other figures in some columns of some rows, such as those of a caller's own fees. Everything else is read
 * from the base, so that one costs only what is read of it.
 */
export class ChangedTable extends Table {
  readonly base: Table;
  /** Whether the row has other figures than in the base. */
  readonly isChanged: (row: number) => boolean;
  readonly #changes: ReadonlyMap<string, ChangedColumn>;
  #changedRows: readonly number[] | null = null;
  readonly #columns = new Map<string, Float64Array>();
  readonly #json = new Map<number, string>();

  constructor(base: Table, isChanged: (row: number) => boolean, changes: ReadonlyMap<string, ChangedColumn>) {
    super(
      base.spec,
      base.rowCount,
      { get: (name) => base.numbers(name) },
      { get: (name) => base.texts(name) },
    );
    this.base = base;
    this.isChanged = isChanged;
    this.#changes = changes;
  }

  changesColumn(name: string): boolean {
    return this.#changes.has(name);
  }

  maxChangeOf(name: string): number {
    return this.#changes.get(name)?.maxChange ?? Number.POSITIVE_INFINITY;
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
    const cell = this.#changes.get(name)?.cell;
    if (!cell) return this.base.numbers(name);
    let column = this.#columns.get(name);
    if (!column) {
      column = this.base.numbers(name).slice();
      for (const row of this.changedRows) column[row] = cell(row);
      this.#columns.set(name, column);
    }
    return column;
  }

  override cell(name: string): NumberCell {
    const usual = this.base.cell(name);
    const own = this.#changes.get(name)?.cell;
    return own ? (row) => (this.isChanged(row) ? own(row) : usual(row)) : usual;
  }

  /** Only numbers are changed. */
  override textCell(name: string): TextCell {
    return this.base.textCell(name);
  }

  override rowJson(row: number): string {
    if (!this.isChanged(row)) return this.base.rowJson(row);
    let json = this.#json.get(row);
    if (json === undefined) {
      json = this.fieldsJson(row, this.spec.columns);
      this.#json.set(row, json);
    }
    return json;
  }

  override rowBytes(row: number): number {
    return this.isChanged(row) ? Buffer.byteLength(this.rowJson(row)) : this.base.rowBytes(row);
  }

  override encoder(column: Column): (row: number) => string {
    return this.#changes.has(column.name) ? super.encoder(column) : this.base.encoder(column);
  }
}

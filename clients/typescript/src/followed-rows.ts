export type Row = Readonly<Record<string, unknown>>;

/** A named order of a list. Nulls come last in both directions. */
export interface RowOrder {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  readonly isAbsolute?: boolean;
  /** Compare by the smaller of the two columns. */
  readonly orSmaller?: string;
  /** Orders rows that are equal, and nulls. */
  readonly thenBy?: RowOrder;
}

/** What the client must know of a list to follow it. */
export interface FollowedList {
  readonly identity: readonly string[];
  /** By the name of the sort; null where rows do not show their order. */
  readonly sorts: Readonly<Record<string, RowOrder | null>>;
  readonly defaultSort: string;
  readonly ties: readonly string[];
}

export interface RowChanges {
  upsert: readonly Row[];
  remove: readonly Row[];
}

/** The rows of a followed list. */
export class FollowedRows {
  readonly #list: FollowedList;
  readonly #order: RowOrder | null;
  #rows = new Map<string, Row>();

  constructor(list: FollowedList, sort: unknown, rows: readonly Row[]) {
    this.#list = list;
    this.#order = list.sorts[typeof sort === 'string' ? sort : list.defaultSort] ?? null;
    this.replace(rows);
  }

  /** In the order of the list if rows have its column; otherwise as they came, new rows last. */
  get rows(): Row[] {
    const rows = [...this.#rows.values()];
    const order = this.#order;
    const first = rows[0];
    if (order === null || first === undefined || !(order.column in first)) return rows;
    return rows.sort((a, b) => inOrderOf(a, b, order) || this.#tie(a, b));
  }

  change({ upsert, remove }: RowChanges): void {
    for (const row of remove) this.#rows.delete(this.#key(row));
    for (const row of upsert) this.#rows.set(this.#key(row), row);
  }

  /** Replaces all rows and returns what has changed. */
  replace(rows: readonly Row[]): RowChanges {
    const before = this.#rows;
    this.#rows = new Map(rows.map((row) => [this.#key(row), row]));
    const upsert = rows.filter((row) => JSON.stringify(before.get(this.#key(row))) !== JSON.stringify(row));
    const gone = [...before].filter(([key]) => !this.#rows.has(key));
    return { upsert, remove: gone.map(([, row]) => this.#identityOf(row)) };
  }

  #identityOf(row: Row): Row {
    return Object.fromEntries(this.#list.identity.map((name) => [name, row[name]]));
  }

  #key(row: Row): string {
    return JSON.stringify(this.#list.identity.map((name) => row[name]));
  }

  #tie(a: Row, b: Row): number {
    for (const name of this.#list.ties) {
      const order = inOrder(a[name], b[name]);
      if (order !== 0) return order;
    }
    return 0;
  }
}

function inOrderOf(a: Row, b: Row, order: RowOrder): number {
  const first = compared(sortKey(a, order), sortKey(b, order), order);
  return first === 0 && order.thenBy ? inOrderOf(a, b, order.thenBy) : first;
}

function sortKey(row: Row, { column, isAbsolute, orSmaller }: RowOrder): unknown {
  const value = row[column];
  if (typeof value !== 'number') return value;
  if (orSmaller !== undefined && typeof row[orSmaller] === 'number') return Math.min(value, row[orSmaller]);
  return isAbsolute ? Math.abs(value) : value;
}

function compared(a: unknown, b: unknown, { direction }: RowOrder): number {
  const isKnownA = a !== null && a !== undefined;
  const isKnownB = b !== null && b !== undefined;
  if (!isKnownA || !isKnownB) return Number(isKnownB) - Number(isKnownA);
  return direction === 'desc' ? inOrder(b, a) : inOrder(a, b);
}

/** Texts are compared by their code units, as the service does. */
function inOrder(a: unknown, b: unknown): number {
  const [first, second] = [a as string, b as string];
  return first < second ? -1 : first > second ? 1 : 0;
}

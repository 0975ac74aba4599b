import type { Table } from '../market/tables/table.ts';
import type { FilteredSnapshot, FilterPart } from './filter-set.ts';
import { countRows, hasRow, type RowBits, rowsIn } from './row-bits.ts';
import { passingRows } from './walk.ts';

interface RowSet {
  bits: RowBits;
  count: number;
  /** In ascending order; null until they are needed, and for sets with many rows, which are listed each time. */
  rows: readonly number[] | null;
}

/** A table of 25,000 rows has sets of 3 kB, so that this is a few megabytes. */
const MAX_SETS = 2_000;
const MAX_LISTED_ROWS = 1_000;

/**
 * The rows that pass each part of a question, kept with the table: thousands of questions about one snapshot have few
 * different parts. A question costs as much as its smallest part has rows, such as those of its coin.
 */
export class SharedRowSets {
  readonly #tables = new WeakMap<Table, { asOfMs: number; sets: Map<string, RowSet> }>();

  /** The rows that pass all parts, in ascending order. */
  matching(parts: readonly FilterPart[], snapshot: FilteredSnapshot): readonly number[] {
    const sets = parts.map((part) => this.#setOf(part, snapshot));
    const smallest = sets.reduce<RowSet | null>(
      (least, set) => (least && least.count <= set.count ? least : set),
      null,
    );
    if (!smallest) return rowsIn(passingRows([], snapshot.table.rowCount));
    const others = sets.filter((set) => set !== smallest);
    const rows = listOf(smallest);
    if (others.length === 0) return rows;
    const found: number[] = [];
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (isInAll(others, row)) found.push(row);
    }
    return found;
  }

  #setOf(part: FilterPart, snapshot: FilteredSnapshot): RowSet {
    const { table, asOfMs } = snapshot;
    let kept = this.#tables.get(table);
    // The calendar has one table for several times, and some filters depend on the time.
    if (!kept || kept.asOfMs !== asOfMs) {
      kept = { asOfMs, sets: new Map() };
      this.#tables.set(table, kept);
    }
    const known = kept.sets.get(part.key);
    if (known) return known;
    const bits = passingRows(part.rowFilters(snapshot), table.rowCount);
    const set = { bits, count: countRows(bits), rows: null };
    if (kept.sets.size < MAX_SETS) kept.sets.set(part.key, set);
    return set;
  }
}

function listOf(set: RowSet): readonly number[] {
  const rows = set.rows ?? rowsIn(set.bits);
  if (rows.length <= MAX_LISTED_ROWS) set.rows = rows;
  return rows;
}

function isInAll(sets: readonly RowSet[], row: number): boolean {
  for (let i = 0; i < sets.length; i++) if (!hasRow((sets[i] as RowSet).bits, row)) return false;
  return true;
}

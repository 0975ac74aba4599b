import { type CsvValue, csvOf } from '../../base/csv.ts';
import type { ColumnType } from '../../market/tables/table.ts';

/** A column of a flat answer. `day` is a calendar day such as 2026-11-15. */
export interface FlatColumn {
  name: string;
  type: ColumnType | 'day';
}

/** An answer as rows of plain cells, for formats that cannot nest. Times are ISO 8601 in UTC, as in JSON. */
export interface FlatRows {
  columns: readonly FlatColumn[];
  rows: readonly (readonly CsvValue[])[];
}

export function flatObjects(
  columns: readonly FlatColumn[],
  objects: readonly Readonly<Record<string, unknown>>[],
): FlatRows {
  return { columns, rows: objects.map((object) => columns.map(({ name }) => cellOf(object[name]))) };
}

/** Lists of names are separated by semicolons, because commas separate cells. */
function cellOf(value: unknown): CsvValue {
  if (Array.isArray(value)) return value.join(';');
  return (value ?? null) as CsvValue;
}

export function csvText({ columns, rows }: FlatRows): string {
  return csvOf(
    columns.map(({ name }) => name),
    rows,
  );
}

import { inParts } from '../../base/async/in-parts.ts';
import { type CsvValue, csvLines, csvOf } from '../../base/csv.ts';
import type { ColumnType } from '../../market/tables/table.ts';

/** A column of a flat answer. `day` is a calendar day such as 2026-11-15. */
export interface FlatColumn {
  name: string;
  type: ColumnType | 'day';
}

/**
 * An answer as rows of plain cells, for formats that cannot nest. Times are ISO 8601 in UTC, as in JSON. The rows are made
 * while they are read, so they can be read once.
 */
export interface FlatRows {
  columns: readonly FlatColumn[];
  rows: Iterable<readonly CsvValue[]>;
}

export function flatObjects(
  columns: readonly FlatColumn[],
  objects: Iterable<Readonly<Record<string, unknown>>>,
): FlatRows {
  const rows = Iterator.from(objects).map((object) => columns.map(({ name }) => cellOf(object[name])));
  return { columns, rows };
}

/** Lists of names are separated by semicolons, because commas separate cells. */
function cellOf(value: unknown): CsvValue {
  if (Array.isArray(value)) return value.join(';');
  return (value ?? null) as CsvValue;
}

export function csvText({ columns, rows }: FlatRows): string {
  return csvOf(
    columns.map(({ name }) => name),
    [...rows],
  );
}

/** The same as bytes, for an answer that may be long. */
export async function csvBytes({ columns, rows }: FlatRows): Promise<Buffer> {
  const parts = [Buffer.from(csvText({ columns, rows: [] }))];
  for await (const some of inParts(rows)) parts.push(Buffer.from(csvLines(some)));
  return Buffer.concat(parts);
}

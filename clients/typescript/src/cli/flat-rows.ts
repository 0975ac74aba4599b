import type { Cells } from './table.ts';

/** An answer as a table: its rows, and the values beside them. */
export interface FlatAnswer {
  rows: readonly Cells[];
  /** Values with dotted names, such as `month.used`. */
  values: Cells;
}

/** The longest list of objects in `data` is its rows; rows with a list of objects are repeated for each of them. */
export function flatAnswer(data: unknown): FlatAnswer {
  if (isList(data)) return { rows: data.flatMap(flatRow), values: {} };
  const fields = Object.entries((data ?? {}) as Cells);
  const [rowsName, rows] = fields.find(([, value]) => isList(value)) ?? [];
  const others = fields.filter(([name]) => name !== rowsName);
  return {
    rows: isList(rows) ? rows.flatMap(flatRow) : [],
    values: Object.fromEntries(others.flatMap(([name, value]) => dotted(name, value))),
  };
}

function flatRow(row: Cells): Cells[] {
  const fields = Object.entries(row);
  const [, inner] = fields.find(([, value]) => isList(value)) ?? [];
  if (!isList(inner)) return [row];
  const own = Object.fromEntries(fields.filter(([, value]) => value !== null && typeof value !== 'object'));
  return inner.map((one) => ({ ...own, ...one }));
}

function dotted(name: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).flatMap(([inner, own]) => dotted(`${name}.${inner}`, own));
}

/** A list of objects, even if it is empty: an empty list of texts has no rows either. */
function isList(value: unknown): value is Cells[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
}

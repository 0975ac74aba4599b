import type { Cells } from './table.ts';

/** An answer as a table: its rows, and the values beside them. */
export interface FlatAnswer {
  rows: readonly Cells[];
  /** Values with dotted names, such as `month.used`. */
  values: Cells;
}

/**
 * The rows are the list that `path` leads to, or the first list of objects in `data`, and rows with a list of objects are
 * repeated for each of them.
 */
export function flatAnswer(data: unknown, path?: readonly string[]): FlatAnswer {
  if (isList(data)) return { rows: data.flatMap(flatRow), values: {} };
  const fields = Object.entries((data ?? {}) as Cells);
  const [rowsName, rows] = fields.find(([name, value]) => (path ? name === path[0] : isList(value))) ?? [];
  const others = fields.filter(([name]) => name !== rowsName);
  const found = path ? rowsAt(data, path).map(flatObjects) : isList(rows) ? rows.flatMap(flatRow) : [];
  return {
    rows: found,
    values: Object.fromEntries(others.flatMap(([name, value]) => shortened(name, value))),
  };
}

/** The rows that a path leads to, each with the plain values of the rows around it. */
function rowsAt(data: unknown, [name, ...rest]: readonly string[]): Cells[] {
  const list = name === undefined ? null : (data as Cells)[name];
  if (!isList(list)) return [];
  if (rest.length === 0) return [...list];
  return list.flatMap((row) => rowsAt(row, rest).map((inner) => ({ ...plainValues(row), ...inner })));
}

/** A row whose objects are columns with dotted names; lists of objects are left out. */
function flatObjects(row: Cells): Cells {
  const cells = Object.entries(row).flatMap(([name, value]) => dotted(name, value));
  return Object.fromEntries(cells.filter(([, value]) => !hasObjects(value)));
}

/** A value beside the rows. Another list of rows would not fit into a line. */
function shortened(name: string, value: unknown): [string, unknown][] {
  return dotted(name, value).map(([path, own]) => [
    path,
    hasObjects(own) ? `${own.length} rows, see --json` : own,
  ]);
}

function flatRow(row: Cells): Cells[] {
  const fields = Object.entries(row);
  const [, inner] = fields.find(([, value]) => isList(value)) ?? [];
  if (!isList(inner)) return [row];
  const own = plainValues(row);
  return inner.map((one) => ({ ...own, ...one }));
}

const plainValues = (row: Cells): Cells =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && typeof value !== 'object'));

function dotted(name: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).flatMap(([inner, own]) => dotted(`${name}.${inner}`, own));
}

const hasObjects = (value: unknown): value is Cells[] => isList(value) && value.length > 0;

/** A list of objects, even if it is empty: an empty list of texts has no rows either. */
function isList(value: unknown): value is Cells[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
}

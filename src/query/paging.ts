import { crc32 } from 'node:zlib';
import { Problem } from '../base/problems.ts';
import type { Column, TableSpec } from '../market/tables/table.ts';
import { integer } from './kinds.ts';
import type { Parameter } from './parameter.ts';

export const MAX_PAGE_ROWS = 500;
export const DEFAULT_PAGE_ROWS = 100;

/** A position in a list: which snapshot, which query, how far. */
export interface Cursor {
  operation: string;
  asOfMs: number;
  delaySeconds: number;
  /** Checksum of filters and sort. */
  query: string;
  /** Position in the sort order at which the next page starts. */
  position: number;
}

export function encodeCursor({ operation, asOfMs, delaySeconds, query, position }: Cursor): string {
  const text = `${operation}.${asOfMs.toString(36)}.${delaySeconds.toString(36)}.${query}.${position.toString(36)}`;
  return `${checkOf(text)}.${text}`;
}

/**
 * A cursor holds no secret: the caller's right to see its snapshot is checked again on every use. The checksum only
 * makes sure that a mistyped or altered cursor is refused instead of returning a wrong page.
 */
export function decodeCursor(encoded: string, wanted: Omit<Cursor, 'asOfMs' | 'position'>): Cursor {
  const refuse = (why: string) =>
    new Problem('invalid-parameter', `"cursor" ${why}; start again without it.`);
  const cursor = readCursor(encoded);
  if (!cursor) throw refuse('is not one that this service gave');
  if (cursor.operation !== wanted.operation) throw refuse('belongs to another endpoint');
  if (cursor.query !== wanted.query)
    throw refuse('belongs to other filters or another sort; keep them the same on every page');
  if (cursor.delaySeconds !== wanted.delaySeconds) throw refuse('was given to a key of another plan');
  return cursor;
}

/** The checksum is no signature, so every part must still be validated. */
function readCursor(encoded: string): Cursor | null {
  const [check = '', operation, asOf, delay, query, place, ...more] = encoded.split('.');
  if (operation === undefined || query === undefined || more.length > 0) return null;
  if (check !== checkOf(encoded.slice(check.length + 1))) return null;
  const [asOfMs, delaySeconds, position] = [countIn(asOf), countIn(delay), countIn(place)];
  if (asOfMs === null || delaySeconds === null || position === null) return null;
  return { operation, asOfMs, delaySeconds, query, position };
}

function countIn(text: string | undefined): number | null {
  const count = Number.parseInt(text ?? '', 36);
  return Number.isSafeInteger(count) && count >= 0 && count.toString(36) === text ? count : null;
}

function checkOf(text: string): string {
  return checksumOf(`perpwire cursor ${text}`);
}

/** The sort is passed separately: leaving it out means the default sort. */
const NOT_IN_QUERY = new Set(['cursor', 'limit', 'fields', 'sort']);

/** A checksum of filters and sort. The values are in the order of the operation's parameters. */
export function queryChecksum(values: Readonly<Record<string, unknown>>, sort: string): string {
  const filters = Object.entries(values).filter(
    ([name, value]) => value !== undefined && !NOT_IN_QUERY.has(name),
  );
  return checksumOf(JSON.stringify([sort, filters]));
}

/** Eight hexadecimal digits. They detect mistakes only; forging a cursor gains nothing. */
function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

export const limitParameter: Parameter<number> = {
  ...integer(
    'limit',
    { min: 1, max: MAX_PAGE_ROWS },
    'Rows on a page; default 100; on Demo 50, also the most',
  ),
  example: '10',
};

export const cursorParameter: Parameter<string> = {
  name: 'cursor',
  in: 'query',
  isRequired: false,
  isList: false,
  allowsEmpty: false,
  description: 'meta.next_cursor of the page before, other parameters unchanged; valid 20 minutes',
  schema: { type: 'string' },
  example: '',
  parse: (text) => text,
};

/** `fields` of a table: any of its columns, as often as wanted. */
export function fieldsParameter(table: TableSpec): Parameter<readonly string[]> {
  return fieldsAmong(
    table.columns.map((column) => column.name),
    'Keep only these fields on every row; meta is untouched',
  );
}

/** `fields` of rows that are in no table. */
export function fieldsAmong(names: readonly string[], description: string): Parameter<readonly string[]> {
  return {
    name: 'fields',
    in: 'query',
    isRequired: false,
    isList: true,
    allowsEmpty: false,
    isRestOnly: true,
    description,
    schema: { type: 'array', items: { type: 'string', enum: names } },
    example: names.slice(0, 2).join(','),
    parse: (text) => {
      const wanted = text.split(',').map((part) => part.trim());
      checkFields(wanted, names);
      return wanted;
    },
  };
}

/** Throws a Problem that lists the row's fields, if a name is none of them. */
export function checkFields(wanted: readonly string[], names: readonly string[]): void {
  for (const name of wanted) {
    if (names.includes(name)) continue;
    throw new Problem(
      'invalid-parameter',
      `"fields" has an unknown name "${name.slice(0, 40)}"; the row's fields are ${names.join(', ')}.`,
    );
  }
}

/** The columns that the parameter keeps, in the order of the table; null for whole rows. */
export function chosenColumns(
  table: TableSpec,
  fields: readonly string[] | undefined,
): readonly Column[] | null {
  return fields === undefined ? null : table.columns.filter((column) => fields.includes(column.name));
}

import { hash } from 'node:crypto';
import { Problem } from '../base/problems.ts';
import type { TableSpec } from '../market/table.ts';
import { integer } from './kinds.ts';
import type { Parameter } from './parameter.ts';

export const MAX_PAGE_ROWS = 500;
export const DEFAULT_PAGE_ROWS = 100;

/** A place in one answer: which snapshot, which question, how far. */
export interface Cursor {
  operation: string;
  asOfMs: number;
  delaySeconds: number;
  /** Hash of filters and sort. */
  question: string;
  /** Position in the sort order from which the next page goes on. */
  position: number;
}

const CHECK_LENGTH = 8;
const QUESTION_LENGTH = 16;

export function encodeCursor(cursor: Cursor): string {
  const text = JSON.stringify([
    cursor.operation,
    cursor.asOfMs,
    cursor.delaySeconds,
    cursor.question,
    cursor.position,
  ]);
  return Buffer.from(checkOf(text) + text).toString('base64url');
}

/**
 * A cursor holds no secret: it only names a snapshot that its reader may see, which is checked again. The check
 * characters are there so that a mistyped or altered one is refused instead of giving odd pages.
 */
export function decodeCursor(encoded: string, wanted: Omit<Cursor, 'asOfMs' | 'position'>): Cursor {
  const refuse = (why: string) =>
    new Problem('invalid-parameter', `"cursor" ${why}; start again without it.`);
  const cursor = readCursor(encoded);
  if (!cursor) throw refuse('is not one that this service gave');
  if (cursor.operation !== wanted.operation) throw refuse('belongs to another endpoint');
  if (cursor.question !== wanted.question)
    throw refuse('belongs to other filters or another sort; keep them the same on every page');
  if (cursor.delaySeconds !== wanted.delaySeconds) throw refuse('was given to a key of another plan');
  return cursor;
}

/** The check is no signature, so what is behind it may still be anything. */
function readCursor(encoded: string): Cursor | null {
  const decoded = Buffer.from(encoded, 'base64url').toString('utf8');
  const text = decoded.slice(CHECK_LENGTH);
  if (checkOf(text) !== decoded.slice(0, CHECK_LENGTH) || encodeText(decoded) !== encoded) return null;
  let parts: unknown;
  try {
    parts = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(parts)) return null;
  const [operation, asOfMs, delaySeconds, question, position] = parts as unknown[];
  if (typeof operation !== 'string' || typeof question !== 'string') return null;
  if (!isCount(asOfMs) || !isCount(delaySeconds) || !isCount(position)) return null;
  return { operation, asOfMs, delaySeconds, question, position };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function encodeText(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function checkOf(text: string): string {
  return hash('sha256', `perpwire cursor ${text}`, 'base64url').slice(0, CHECK_LENGTH);
}

/** A short name for a question: the same filters and sort give the same one, in whatever order they were sent. */
export function questionOf(values: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(values)
    .filter(
      ([name, value]) => value !== undefined && name !== 'cursor' && name !== 'limit' && name !== 'fields',
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(entries), 'base64url').slice(0, QUESTION_LENGTH);
}

export const limitParameter: Parameter<number> = {
  ...integer(
    'limit',
    { min: 1, max: MAX_PAGE_ROWS },
    'Rows on a page; default 100, on the Demo plan 50 and at most 50',
  ),
  example: '10',
};

export const cursorParameter: Parameter<string> = {
  name: 'cursor',
  in: 'query',
  isRequired: false,
  isList: false,
  allowsEmpty: false,
  description:
    'The meta.next_cursor of the page before, with all other parameters unchanged; valid for 20 minutes',
  schema: { type: 'string' },
  example: '',
  parse: (text) => text,
};

/** `fields` of a table: any of its columns, in any number. */
export function fieldsParameter(table: TableSpec): Parameter<readonly string[]> {
  const names = table.columns.map((column) => column.name);
  return {
    name: 'fields',
    in: 'query',
    isRequired: false,
    isList: true,
    allowsEmpty: false,
    isRestOnly: true,
    description: 'Keep only these fields on every row; meta is untouched',
    schema: { type: 'array', items: { type: 'string', enum: names } },
    example: names.slice(0, 2).join(','),
    parse: (text) => {
      const wanted = text.split(',').map((part) => part.trim());
      for (const name of wanted) {
        if (!names.includes(name)) {
          throw new Problem(
            'invalid-parameter',
            `"fields" has an unknown name "${name.slice(0, 40)}"; the row's fields are ${names.join(', ')}.`,
          );
        }
      }
      return wanted;
    },
  };
}

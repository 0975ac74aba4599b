import { perSnapshot } from '../../base/per-snapshot.ts';
import type { Table } from '../../market/tables/table.ts';
import { type Answer, type Row, rowObject } from './answer.ts';

/** Which columns of its rows an operation shows first where there is no room for all: on a terminal and in texts. */
export interface ShortRows {
  /** The most important first. */
  leading: readonly string[];
  /** Rates and the column with their settlement interval: a rate is never shown without its interval. */
  intervals?: Readonly<Record<string, string>>;
}

/** More rows are of no use in a text; they are in the structured content. */
const MAX_ROWS = 50;

/** The first rows of an answer as lines of a Markdown table, within a number of bytes. */
export function shortTable(answer: Answer, short: ShortRows, maxBytes: number): string[] {
  const { columns, count, lineAt } = rowsOf(answer, short);
  if (count === 0) return [];
  const names = short.leading.filter((name) => columns.some((column) => column.name === name));
  const lines = [lineOf(names), lineOf(names.map(() => '---'))];
  let bytes = bytesOf(lines);
  for (let place = 0; place < Math.min(count, MAX_ROWS); place++) {
    const next = lineAt(place, names);
    bytes += bytesOf([next]);
    if (bytes > maxBytes) break;
    lines.push(next);
  }
  return lines;
}

const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** With the line feeds between them. */
export const bytesOf = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

interface ShortSource {
  columns: readonly { name: string }[];
  count: number;
  lineAt(place: number, names: readonly string[]): string;
}

function rowsOf(answer: Answer, short: ShortRows): ShortSource {
  if (answer.rows) {
    const { table, numbers } = answer.rows;
    const { columns } = table.spec;
    const known = linesOf(table).getOrInsertComputed(short, () => new Map());
    const lineAt = (place: number, names: readonly string[]) => {
      const row = numbers[place] ?? 0;
      return known.getOrInsertComputed(row, () => {
        const shown = new Set([...short.leading, ...Object.values(short.intervals ?? {})]);
        const read = columns.filter(({ name }) => shown.has(name));
        return rowLine(rowObject({ table, numbers, columns: read }, row), names, short);
      });
    };
    return { columns, count: numbers.length, lineAt };
  }
  const { columns, rows: all } = answer.flat?.() ?? { columns: [], rows: [] };
  const rows = Iterator.from(all).take(MAX_ROWS).toArray();
  const objectAt = (place: number): Row =>
    Object.fromEntries(columns.map(({ name }, cell) => [name, rows[place]?.[cell]]));
  return { columns, count: rows.length, lineAt: (place, names) => rowLine(objectAt(place), names, short) };
}

/** The lines of rows that were written before: under every filter a row of a snapshot has the same one. */
const linesOf = perSnapshot((_table: Table) => new Map<ShortRows, Map<number, string>>());

function rowLine(row: Row, names: readonly string[], short: ShortRows): string {
  return lineOf(names.map((name) => cellOf(row, name, short)));
}

function cellOf(row: Row, name: string, { intervals = {} }: ShortRows): string {
  const interval = intervals[name];
  return interval === undefined ? textOf(row[name]) : `${textOf(row[name])}/${textOf(row[interval])}h`;
}

/** Names of venues may have any character, but a cell ends at a bar and a row at the end of its line. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '?';
  return (Array.isArray(value) ? value.join(' ') : String(value)).replaceAll(/[|\p{Cc}]/gu, ' ');
}

import { type Answer, type Row, rowObjects } from './answer.ts';

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
  const { names, rows } = firstRows(answer, short);
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [line(names), line(names.map(() => '---'))];
  let bytes = bytesOf(lines);
  for (const row of rows) {
    const next = line(names.map((name) => cellOf(row, name, short)));
    bytes += bytesOf([next]);
    if (bytes > maxBytes) break;
    lines.push(next);
  }
  return lines;
}

/** With the line feeds between them. */
export const bytesOf = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

/** The first rows with their leading columns and intervals. */
function firstRows(answer: Answer, { leading, intervals = {} }: ShortRows) {
  const wanted = [...leading, ...Object.values(intervals)];
  const namesAmong = (columns: readonly { name: string }[]) =>
    leading.filter((name) => columns.some((column) => column.name === name));
  if (answer.rows) {
    const { table, numbers } = answer.rows;
    const columns = table.spec.columns.filter(({ name }) => wanted.includes(name));
    const read = { table, numbers: numbers.slice(0, MAX_ROWS), columns };
    return { names: namesAmong(columns), rows: rowObjects(read) };
  }
  if (!answer.flat) return { names: [], rows: [] };
  const { columns, rows } = answer.flat();
  const objects = rows
    .slice(0, MAX_ROWS)
    .map((row): Row => Object.fromEntries(columns.map(({ name }, place) => [name, row[place]])));
  return { names: namesAmong(columns), rows: objects };
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

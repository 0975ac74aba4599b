export type CsvValue = string | number | boolean | null;

/**
 * What spreadsheets take for the start of a formula, also in full width; they skip a tab or line break before it. With
 * apostrophes in front, so that the one that is added can be told from those of the text.
 */
const FORMULA_START = /^'*[=+\-@＝＋－＠\t\r\n]/;
const GUARDED_FORMULA = /^''*[=+\-@＝＋－＠\t\r\n]/;
/** Spreadsheets of many countries separate cells with semicolons, and some readers with tabs. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** CSV after RFC 4180 with one header line. A text that a spreadsheet would compute gets an apostrophe in front. */
export function csvOf(columns: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return `${columns.join(',')}\r\n${csvLines(rows)}`;
}

/** The same without the header line. */
export function csvLines(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** The same for rows that are objects with equal fields. Without rows the header has `names`. */
export function csvOfObjects(
  rows: readonly Readonly<Record<string, CsvValue>>[],
  names: readonly string[],
): string {
  const columns = rows[0] ? Object.keys(rows[0]) : names;
  return csvOf(
    columns,
    rows.map((row) => columns.map((name) => row[name] ?? null)),
  );
}

export function csvCell(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = FORMULA_START.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text that `csvCell` was given, from a cell whose quotes are removed. */
export function textOfCell(cell: string): string {
  return GUARDED_FORMULA.test(cell) ? cell.slice(1) : cell;
}

export type CsvValue = string | number | boolean | null;

/** What spreadsheets take for the start of a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** CSV after RFC 4180 with one header line. A text that a spreadsheet would compute gets an apostrophe in front. */
export function csvOf(columns: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  const lines = rows.map((row) => row.map(cell).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
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

/** Quotes a text that would otherwise end its cell. */
export function csvQuoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cell(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '');
  return csvQuoted(FORMULA_START.test(value) && !NUMBER.test(value) ? `'${value}` : value);
}

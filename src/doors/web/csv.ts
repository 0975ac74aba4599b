type CsvRow = Readonly<Record<string, string | number | boolean | null>>;

/** CSV with a header line. Without rows the header has `names`. A text that a spreadsheet would run gets an apostrophe. */
export function csvOf(rows: readonly CsvRow[], names: readonly string[]): string {
  const columns = rows[0] ? Object.keys(rows[0]) : names;
  const lines = rows.map((row) => columns.map((name) => cell(row[name] ?? null)).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}

function cell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

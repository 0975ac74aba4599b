/** The id of a heading, which links to it use. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

const ADDRESS = /^https?:\/\/[^\s<>|\\`]+$/;

/** Escapes text so that it cannot become markup, a link or another table column. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|#!]/g, (mark) => `\\${mark}`).replaceAll(/\s+/g, ' ');
}

/** A value of the API, unformatted: numbers in full, lists with commas, null as a dash. Other figures are texts. */
function markdownCell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map((one) => escapeMarkdown(String(one))).join(', ');
  const text = String(value);
  return ADDRESS.test(text) ? `<${text}>` : escapeMarkdown(text);
}

/** A table whose column names are the API's field names. */
export function markdownTable(
  rows: readonly Readonly<Record<string, unknown>>[],
  fields: readonly string[] = Object.keys(rows[0] ?? {}),
): string {
  if (rows.length === 0) return 'No row fits these filters.\n';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [
    line(fields.map((field) => (/^\w+$/.test(field) ? field : escapeMarkdown(field)))),
    line(fields.map(() => '---')),
    ...rows.map((row) => line(fields.map((field) => markdownCell(row[field])))),
  ].join('');
}

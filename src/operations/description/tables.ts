import { type AnyOperation, isStreamed } from '../operation.ts';
import { API_PATH } from './discovery.ts';
import { streamPath } from './streams.ts';

/** Markdown tables of the operations by name. Documents have them between markers; see `withTables`. */
const TABLES: Readonly<Record<string, (operations: readonly AnyOperation[]) => string>> = {
  endpoints: (operations) =>
    table(
      ['Endpoint', 'What it answers', 'Scope'],
      operations.map(({ path, summary, scope }) => [
        `\`GET ${API_PATH}${path}\``,
        summary,
        scope === null ? 'any valid key' : `\`${scope}\``,
      ]),
    ),
  streams: (operations) =>
    table(
      ['Stream', 'List', 'Identity of a row'],
      operations
        .filter(isStreamed)
        .map((operation) => [
          `\`GET ${API_PATH}${streamPath(operation)}\``,
          `\`GET ${API_PATH}${operation.path}\``,
          operation.rows.identity.map((name) => `\`${name}\``).join(', '),
        ]),
    ),
  tools: (operations) =>
    table(
      ['Tool', 'What it answers'],
      operations
        .flatMap(({ tool, summary }) => (tool ? [{ ...tool, summary }] : []))
        .toSorted((a, b) => a.place - b.place)
        .map(({ name, summary }) => [`\`${name}\``, summary]),
    ),
};

const MARKED = /(<!-- operations:(\w+)[^>]*-->\n)[\s\S]*?(<!-- end of operations:\2 -->)/g;

/** The document with each table between its markers made from these operations. */
export function withTables(markdown: string, operations: readonly AnyOperation[]): string {
  return markdown.replaceAll(MARKED, (_whole, start: string, name: string, end: string) => {
    const make = TABLES[name];
    if (!make) throw new Error(`there is no table of operations called ${name}`);
    return `${start}\n${make(operations)}\n${end}`;
  });
}

/** Columns are padded, so that the source is readable too. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  return [titles, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
}

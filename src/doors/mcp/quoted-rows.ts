import { type KnownText, knownText } from '../../base/known-text.ts';
import type { Table } from '../../market/table.ts';
import type { Answer } from '../../operations/operation.ts';

/** Rows as they stand inside a JSON string, by table: quoting them for every answer would cost more than all else. */
const known = new WeakMap<Table, KnownText[]>();

/** JSON text as the inside of a JSON string. */
export function quoted(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

/** An answer's data as the inside of a JSON string. */
export function quotedData({ data, rows }: Answer): KnownText {
  if (!rows) return knownText(quoted(data));
  const { table, numbers } = rows;
  let kept = known.get(table);
  if (!kept) {
    kept = new Array(table.rowCount);
    known.set(table, kept);
  }
  let text = '[';
  let isAscii = true;
  for (const row of numbers) {
    const one = kept[row] ?? knownText(quoted(table.rowJson(row)));
    kept[row] = one;
    isAscii &&= one.isAscii;
    text += text.length > 1 ? `,${one.text}` : one.text;
  }
  return { text: `${text}]`, isAscii };
}

import type { Answer } from '../../../operations/operation.ts';

export type Row = Readonly<Record<string, unknown>>;

/**
 * The first row of rows that are JSON text already. Parsing all of them to read one would cost more than making the
 * whole answer; rows hold no objects, so the first closing brace outside of text ends the row.
 */
export function firstRow({ data, rows }: Answer): Row | null {
  const [first] = rows?.numbers ?? [];
  if (rows) return first === undefined ? null : (JSON.parse(rows.table.rowJson(first)) as Row);
  const list = data.indexOf('[');
  const start = list < 0 ? -1 : data.indexOf('{', list);
  if (start < 0) return null;
  let isInText = false;
  for (let at = start; at < data.length; at++) {
    const character = data[at];
    if (isInText) {
      if (character === '\\') at++;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '}') return JSON.parse(data.slice(start, at + 1)) as Row;
  }
  return null;
}

/** The fields of an object that come before its list of rows. */
export function dataBefore(data: string, listName: string): Row {
  const list = data.indexOf(`"${listName}":`);
  return JSON.parse(`${data.slice(0, list).replace(/,\s*$/, '')}}`) as Row;
}

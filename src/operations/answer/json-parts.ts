import { setImmediate as nextTurn } from 'node:timers/promises';

/** Written without a pause, in about two milliseconds. */
const AT_ONCE = 3000;

/** The same text as JSON.stringify makes of objects and lists, written in parts with other requests between them. */
export async function jsonInParts(value: unknown): Promise<string> {
  if (Array.isArray(value)) return await listInParts(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields: string[] = [];
  for (const [name, field] of Object.entries(value))
    fields.push(`${JSON.stringify(name)}:${await jsonInParts(field)}`);
  return `{${fields.join(',')}}`;
}

async function listInParts(list: readonly unknown[]): Promise<string> {
  const parts: string[] = [];
  if (list.some(hasList)) for (const item of list) parts.push(await jsonInParts(item));
  else
    for (let from = 0; from < list.length; from += AT_ONCE) {
      parts.push(JSON.stringify(list.slice(from, from + AT_ONCE)).slice(1, -1));
      await nextTurn();
    }
  return `[${parts.join(',')}]`;
}

function hasList(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Object.values(item).some(Array.isArray);
}

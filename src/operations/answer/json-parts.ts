import { inParts } from '../../base/async/in-parts.ts';

/** The same text as JSON.stringify makes of objects and lists, written in parts with other requests between them. */
export async function jsonInParts(value: unknown): Promise<string> {
  if (Array.isArray(value)) return await listInParts(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  return `{${await joined(entries, async ([name, field]) => `${JSON.stringify(name)}:${await jsonInParts(field)}`)}}`;
}

/** Items that have lists, as the first one shows, may be long themselves. */
async function listInParts(list: readonly unknown[]): Promise<string> {
  const text = hasList(list[0])
    ? await joined(list, jsonInParts)
    : await joined(inParts(list), (part) => JSON.stringify(part).slice(1, -1));
  return `[${text}]`;
}

/** Concatenated, because `join` would copy the whole text on each level. */
async function joined<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  textOf: (item: Item) => string | Promise<string>,
): Promise<string> {
  let text = '';
  for await (const item of items) text += text === '' ? await textOf(item) : `,${await textOf(item)}`;
  return text;
}

function hasList(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Object.values(item).some(Array.isArray);
}

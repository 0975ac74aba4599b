import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work on this many rows takes at most a few milliseconds. */
const PART_LENGTH = 1_000;

/** The items in parts, with a pause after each, so that other requests do not wait for long work. */
export async function* inParts<Item>(
  items: Iterable<Item>,
  partLength = PART_LENGTH,
): AsyncGenerator<Item[]> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < partLength) continue;
    yield part;
    part = [];
    await nextTurn();
  }
  if (part.length > 0) yield part;
}

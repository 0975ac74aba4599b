/** Rows of one statement: PostgreSQL allows 65,535 values and SQLite 32,766. */
const MAX_ROWS = 2_000;

export function partsOf<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += MAX_ROWS)
    parts.push(items.slice(start, start + MAX_ROWS));
  return parts;
}

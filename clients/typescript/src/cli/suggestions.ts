// Made by `npm run clients` from src/query/suggestions.ts. Do not edit.
export const MAX_SUGGESTIONS = 8;

/** Names similar to a mistyped one: the same letters in another case first, then by edit distance. */
export function nearest(wanted: string, names: readonly string[], most = MAX_SUGGESTIONS): string[] {
  const lower = wanted.slice(0, 64).toLowerCase();
  return names
    .map((name) => ({
      name,
      distance: name.toLowerCase() === lower ? -1 : distance(lower, name.toLowerCase()),
    }))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** Names that start with the same two letters, nearest first. */
export function sharingStart(wanted: string, names: readonly string[], most = MAX_SUGGESTIONS): string[] {
  const start = wanted.slice(0, 2).toUpperCase();
  const same = names.filter((name) => name.toUpperCase().startsWith(start));
  return nearest(wanted, same, most);
}

/** Levenshtein distance, keeping only one row of the matrix. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

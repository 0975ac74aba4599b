// Made by `npm run clients` from src/query/suggestions.ts. Do not edit.
export const MAX_SUGGESTIONS = 8;
/** Of the names that are compared. */
const MOST_COMPARED = 64;

/** Names similar to a mistyped one: the same letters in another case first, then by edit distance. */
export function nearest(wanted: string, names: readonly string[], most = MAX_SUGGESTIONS): string[] {
  const lower = wanted.slice(0, MOST_COMPARED).toLowerCase().slice(0, MOST_COMPARED);
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

const costs = new Uint8Array(MOST_COMPARED + 1);

/** Levenshtein distance, keeping only one row of the matrix. Callers choose the names, so it takes no memory of its own. */
function distance(a: string, name: string): number {
  const b = name.slice(0, MOST_COMPARED);
  for (let j = 0; j <= b.length; j++) costs[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const code = a.charCodeAt(i - 1);
    let [diagonal, left] = [i - 1, i];
    costs[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = costs[j] as number;
      const change = code === b.charCodeAt(j - 1) ? diagonal : diagonal + 1;
      left = Math.min(change, above + 1, left + 1);
      diagonal = above;
      costs[j] = left;
    }
  }
  return costs[b.length] as number;
}

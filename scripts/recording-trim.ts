/** The same reply with every list, and every map of rows, cut to its first entries: small, with the same shape. */
export function trimmed(value: unknown, rows: number): unknown {
  if (Array.isArray(value)) return value.slice(0, rows).map((inner) => trimmed(inner, rows));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // A map from symbol to row is cut like a list; an object of plain fields is one row and is kept whole.
  const isMapOfRows = entries.length > rows && entries.every(([, inner]) => isRow(inner));
  return Object.fromEntries(
    (isMapOfRows ? entries.slice(0, rows) : entries).map(([name, inner]) => [name, trimmed(inner, rows)]),
  );
}

function isRow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Bitfinex sends rows as lists of 24 plain values, which mean nothing when they are cut. */
const MOST_FIELDS_OF_ROW = 40;

/** The same reply with every list, and every map of rows, cut to its first entries: small, with the same shape. */
export function trimmed(value: unknown, rows: number): unknown {
  if (isRowOfValues(value)) return value;
  if (Array.isArray(value)) return value.slice(0, rows).map((inner) => trimmed(inner, rows));
  if (!isRow(value)) return value;
  const entries = Object.entries(value);
  // A map from symbol to row is cut like a list; an object of plain fields is one row and is kept whole.
  const isMapOfRows = entries.length > rows && entries.every(([, inner]) => isRow(inner));
  const chosen = isMapOfRows ? entries.slice(0, rows) : entries;
  const siblings = chosen.map(([, inner]) => inner);
  return Object.fromEntries(
    chosen.map(([name, inner]) => [
      name,
      Array.isArray(inner) ? trimmedList(inner, rows, siblings) : trimmed(inner, rows),
    ]),
  );
}

/**
 * Beyond its first rows, a list keeps those to which the chosen rows of a list beside it refer: edgeX's contracts name
 * their coin only by `baseCoinId`.
 */
function trimmedList(list: readonly unknown[], rows: number, siblings: readonly unknown[]): unknown[] {
  const others = siblings.filter((sibling) => Array.isArray(sibling) && sibling !== list) as unknown[][];
  const referred = new Set(
    others.flatMap((other) => other.slice(0, rows).flatMap((row) => idsOf(row).slice(1))),
  );
  const isReferred = (row: unknown) =>
    idsOf(row)
      .slice(0, 1)
      .some((id) => referred.has(id));
  return list.filter((row, index) => index < rows || isReferred(row)).map((row) => trimmed(row, rows));
}

/** The values of the fields named `…Id`: the row's own id, then those of the rows to which it refers. */
function idsOf(row: unknown): unknown[] {
  if (!isRow(row)) return [];
  return Object.entries(row).flatMap(([name, id]) => (name.endsWith('Id') ? [id] : []));
}

function isRowOfValues(value: unknown): boolean {
  const isPlain = (inner: unknown) => typeof inner !== 'object' || inner === null;
  return Array.isArray(value) && value.length <= MOST_FIELDS_OF_ROW && value.every(isPlain);
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

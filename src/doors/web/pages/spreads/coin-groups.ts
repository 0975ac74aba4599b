import { ownValue } from '../../../../base/own-value.ts';
import type { MatchedRows } from '../../../../operations/operation.ts';
import { spreads } from '../../../../operations/spreads.ts';
import { orderOf } from '../../../../query/sorting.ts';

/** A coin with its best pair and, if it is open, all the others, by their numbers in the table. */
export interface CoinGroup {
  coin: string;
  /** How many pairs match. */
  count: number;
  rows: readonly number[];
}

interface CoinGroups {
  /** How many coins have a pair that matches. */
  total: number;
  shown: readonly CoinGroup[];
  opened: CoinGroup | null;
}

/**
 * The coins at the places [from, to) in the order of their best pairs. Pairs are counted in one pass; the order is walked
 * only until these coins have been found, unless a coin is open.
 */
export function coinGroups(
  { table, rows }: MatchedRows,
  sortName: string,
  from: number,
  to: number,
  open: string | undefined,
): CoinGroups {
  const sort = ownValue(spreads.rows?.sorts ?? {}, sortName);
  const { codes, values } = table.texts('coin');
  const counts = new Uint32Array(values.length);
  const isMatch = new Uint8Array(table.rowCount);
  let total = 0;
  for (const row of rows) {
    isMatch[row] = 1;
    const code = codes[row] as number;
    if (counts[code] === 0) total++;
    counts[code] = (counts[code] as number) + 1;
  }
  const openCode = open === undefined ? -1 : values.indexOf(open, 1);
  const isOpen = openCode > 0 && (counts[openCode] ?? 0) > 0;
  const openRows: number[] = [];
  const seen = new Uint8Array(values.length);
  const shown: CoinGroup[] = [];
  let place = 0;
  if (!sort) return { total, shown, opened: null };
  for (const row of orderOf(table, sortName, sort, spreads.rows?.ties ?? [])) {
    if (place >= to && (!isOpen || openRows.length === counts[openCode])) break;
    if (isMatch[row] === 0) continue;
    const code = codes[row] as number;
    if (code === openCode) openRows.push(row);
    if (seen[code] === 1) continue;
    seen[code] = 1;
    if (place >= from && place < to)
      shown.push({
        coin: values[code] ?? '',
        count: counts[code] as number,
        rows: code === openCode ? openRows : [row],
      });
    place++;
  }
  const opened = isOpen ? { coin: open ?? '', count: openRows.length, rows: openRows } : null;
  return { total, shown, opened };
}

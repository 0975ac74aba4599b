import type { MatchedRows } from '../../../../operations/operation.ts';
import { spreads } from '../../../../operations/spreads.ts';
import { orderOf } from '../../../../query/sorting.ts';

/** A coin with its pairs, by their numbers in the table, the best first. */
export interface CoinGroup {
  coin: string;
  rows: readonly number[];
}

/** The pairs of each coin in the order of the list; coins are in the order of their first pair. */
export function coinGroups({ table, rows }: MatchedRows, sortName: string): CoinGroup[] {
  const sort = spreads.rows?.sorts[sortName];
  if (!sort) return [];
  const kept = new Uint8Array(table.rowCount);
  for (const row of rows) kept[row] = 1;
  const { codes, values } = table.texts('coin');
  const groups = new Map<number, number[]>();
  for (const row of orderOf(table, sortName, sort, spreads.rows?.ties ?? [])) {
    if (kept[row] === 0) continue;
    const code = codes[row] ?? 0;
    const group = groups.get(code);
    if (group) group.push(row);
    else groups.set(code, [row]);
  }
  return [...groups].map(([code, found]) => ({ coin: values[code] ?? '', rows: found }));
}

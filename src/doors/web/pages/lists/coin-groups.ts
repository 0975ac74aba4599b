import { ownValue } from '../../../../base/own-value.ts';
import { ChangedTable } from '../../../../market/tables/changed-table.ts';
import type { AnyOperation, MatchedRows } from '../../../../operations/operation.ts';
import { orderOf } from '../../../../query/sorting.ts';
import { firstOfGroups, topRows } from '../../../../query/top-rows.ts';
import type { PagePlace } from './pager.ts';

/** A coin with its first row in the order of the page and, if it is open, all the others, by their numbers in the table. */
export interface CoinGroup {
  coin: string;
  /** How many rows match. */
  count: number;
  rows: readonly number[];
}

interface CoinGroups {
  /** How many coins have a row that matches. */
  total: number;
  shown: readonly CoinGroup[];
  opened: CoinGroup | null;
}

/**
 * The coins at the places [from, to) in the order of their first rows. Rows are counted in one pass; the order is walked
 * only until these coins have been found, unless a coin is open.
 */
export function coinGroups(
  operation: AnyOperation,
  { table, rows }: MatchedRows,
  sortName: string,
  from: number,
  to: number,
  open: string | undefined,
): CoinGroups {
  const sort = ownValue(operation.rows?.sorts ?? {}, sortName);
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
  const ties = operation.rows?.ties ?? [];
  if (table instanceof ChangedTable && table.changesColumn(sort.column)) {
    const isKept = (row: number) => isMatch[row] === 1;
    const firsts = firstOfGroups(table, sortName, sort, ties, isKept, (row) => codes[row] as number);
    const isOfOpen = (row: number) => isKept(row) && codes[row] === openCode;
    if (isOpen)
      openRows.push(...topRows(table, sortName, sort, ties, [isOfOpen], 0, counts[openCode] as number).rows);
    for (const { row } of firsts.slice(from, to)) {
      const code = codes[row] as number;
      shown.push({
        coin: values[code] ?? '',
        count: counts[code] as number,
        rows: code === openCode ? openRows : [row],
      });
    }
    return {
      total,
      shown,
      opened: isOpen ? { coin: open ?? '', count: openRows.length, rows: openRows } : null,
    };
  }
  for (const row of orderOf(table instanceof ChangedTable ? table.base : table, sortName, sort, ties)) {
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

const COINS_PER_PAGE = 50;

/** The coins of one numbered page and its place among the others. The coin of `open` is there on every page. */
export function coinsAt(
  operation: AnyOperation,
  matched: MatchedRows,
  sortName: string,
  page: number,
  open: string | undefined,
): { shown: readonly CoinGroup[]; place: PagePlace } {
  const at = (number: number) =>
    coinGroups(operation, matched, sortName, (number - 1) * COINS_PER_PAGE, number * COINS_PER_PAGE, open);
  const first = at(page);
  const pages = Math.max(1, Math.ceil(first.total / COINS_PER_PAGE));
  // Beyond the last page the last one is shown.
  const { shown, opened, total } = page <= pages ? first : at(pages);
  const isOnPage = shown.some(({ coin }) => coin === opened?.coin);
  return {
    // A shared address opens its coin even where the coin is on another page by now.
    shown: opened && !isOnPage ? [opened, ...shown] : shown,
    place: {
      page: Math.min(page, pages),
      rowsPerPage: COINS_PER_PAGE,
      count: shown.length,
      total,
      hasNext: page < pages,
    },
  };
}

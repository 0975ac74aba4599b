import { funding } from '../../../../operations/funding.ts';
import { isStreamed } from '../../../../operations/operation.ts';
import { NO_WINDOWS } from '../../layout/visitor.ts';
import { type LoadedList, listAt } from '../lists/list-route.ts';
import { pageNumber } from '../lists/pager.ts';
import type { PageContext } from '../page-context.ts';
import { type Matrix, matrixOf, matrixSort, sortedCoins } from './matrix-data.ts';
import type { MatrixPage } from './matrix-view.ts';
import { hasOwnFilters, operationQuery } from './query.ts';
import { TABLE_SORT, tablePage } from './table-view.ts';
import { type Trend, trendOfCells, trendsOf } from './trends.ts';
import { groupOf, venuesIn } from './venue-groups.ts';
import { wholeMarket } from './whole-market.ts';

export interface LoadedFunding extends Omit<LoadedList, 'page' | 'prepared'> {
  /** Coins by venues; the table of contracts does not need it. */
  matrix: () => Matrix;
  asOfMs: number;
}

const COINS_PER_PAGE = 50;

export function isTable({ sent }: PageContext): boolean {
  return sent.get('view')?.[0] === 'table';
}

export async function loadFunding(context: PageContext): Promise<LoadedFunding> {
  const { entrance, caller, sent, venueTimes } = context;
  const operation = funding;
  if (!isStreamed(operation)) throw new Error('the list of funding rates has a stream');
  const query = operationQuery(context);
  if (!isTable(context)) query.delete('page');
  const [sort] = query.get('sort') ?? [];
  // Coins of the matrix have orders that contracts do not have. Others are refused.
  const isOwnSort = !isTable(context) && matrixSort(sort, venuesIn(context, null)) === sort;
  const listQuery = sort === undefined || isOwnSort ? new Map(query).set('sort', [TABLE_SORT]) : query;
  const { list, place } = await listAt(context, tablePage('8h'), listQuery);
  const asOfMs = Date.parse(list.meta.as_of);
  const { sort: _sort, page: _page, limit: _limit, ...filters } = Object.fromEntries(query);
  const matched = isTable(context)
    ? null
    : entrance
        .streamedList(operation, { caller, states: NO_WINDOWS }, new Map(Object.entries(filters)))
        .matchesAt(asOfMs);
  const found = matched ?? { table: list.rows.table, rows: [] };
  const matrix = () => {
    const shown = matrixOf(found, asOfMs, venueTimes(), venuesIn(context, groupOf(sent)));
    if (hasOwnFilters(sent)) return shown;
    // Without a choice of contracts the carry is that of all pages, also from venues that are hardly traded.
    const market = wholeMarket(found.table, asOfMs, context);
    return {
      ...shown,
      coins: shown.coins.map((one) => ({ ...one, best: market.get(one.coin)?.best ?? null })),
    };
  };
  return { list, place, matrix, asOfMs };
}

export function matrixPage(loaded: LoadedFunding, context: PageContext): MatrixPage {
  const { asOfMs } = loaded;
  const matrix = loaded.matrix();
  const sort = matrixSort(context.sent.get('sort')?.[0], venuesIn(context, null));
  const all = sortedCoins(matrix, sort, context.stars);
  const pages = Math.max(1, Math.ceil(all.length / COINS_PER_PAGE));
  const page = Math.min(pages, pageNumber(context.sent));
  const coins = all.slice((page - 1) * COINS_PER_PAGE, page * COINS_PER_PAGE);
  const known = trendsOf(context.entrance.data);
  const trends = new Map<string, Trend>();
  for (const { coin, cells } of coins) {
    const average = trendOfCells(cells, matrix.table, asOfMs, known);
    if (average) trends.set(coin, average);
  }
  const place = {
    page,
    rowsPerPage: COINS_PER_PAGE,
    count: coins.length,
    total: all.length,
    hasNext: page < pages,
  };
  return { coins, venues: matrix.venues, trends, place, sort };
}

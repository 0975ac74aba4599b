import { rowObject } from '../../../../operations/answer/answer.ts';
import { isStreamed, type MatchedRows } from '../../../../operations/operation.ts';
import { listForPage, NO_WINDOWS } from '../../layout/visitor.ts';
import { coinGroups } from '../lists/coin-groups.ts';
import type { PageContext } from '../page-context.ts';
import type { Board, BoardQuery } from './boards.ts';

const ROWS_PER_BOARD = 5;

/** The first row of each of the first coins; of the calendar, which has events, the first rows. */
export async function loadBoard(context: PageContext, query: BoardQuery): Promise<Board> {
  const { entrance, caller } = context;
  const { operation, isPerCoin } = query;
  const sent: Readonly<Record<string, string>> = { ...query.usual, ...query.filters };
  const filters = new Map(Object.entries(sent).map(([name, value]) => [name, [value]]));
  const limited = new Map(filters).set('limit', [String(ROWS_PER_BOARD)]);
  const { rows, meta } = await listForPage(entrance, operation, caller, limited);
  const matched =
    isPerCoin && isStreamed(operation)
      ? entrance
          .streamedList(operation, { caller, states: NO_WINDOWS }, filters)
          .matchesAt(Date.parse(meta.as_of))
      : null;
  if (!matched) return { rows: rows.numbers.map((number) => rowObject(rows, number)), meta };
  const sort = sent.sort ?? operation.rows?.defaultSort ?? '';
  const { shown } = coinGroups(operation, withoutOutliers(matched), sort, 0, ROWS_PER_BOARD, undefined);
  const whole = { table: matched.table, numbers: [], columns: null };
  return { rows: shown.map(({ rows: [first = 0] }) => rowObject(whole, first)), meta };
}

/** Contracts whose price is far from that of other venues are most likely other coins. */
function withoutOutliers({ table, rows }: MatchedRows): MatchedRows {
  if (!table.spec.columns.some(({ name }) => name === 'price_outlier')) return { table, rows };
  const isOutlier = table.cell('price_outlier');
  return { table, rows: rows.filter((row) => isOutlier(row) !== 1) };
}

import type { Steps } from '../../base/async/in-turns.ts';
import type { Table } from '../../market/tables/table.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { orderSteps } from '../../query/sorting.ts';

/** Computes the default order of a list ahead of its first request: most requests, and all that choose nothing, need it. */
export function* firstQuestionSteps({ id, rows }: AnyOperation, table: Table): Steps<void> {
  const sort = rows?.sorts[rows.defaultSort];
  if (!rows || !sort) throw new Error(`${id} has no default order`);
  yield* orderSteps(table, rows.defaultSort, sort, rows.ties);
}

import type { Steps } from '../../base/async/in-turns.ts';
import type { Table } from '../../market/tables/table.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { orderSteps } from '../../query/sorting.ts';

/** Computes an order of a list ahead of its first request; by default the one that all requests need that choose nothing. */
export function* firstQuestionSteps(
  { id, rows }: AnyOperation,
  table: Table,
  name = rows?.defaultSort ?? '',
): Steps<void> {
  const sort = rows?.sorts[name];
  if (!rows || !sort) throw new Error(`${id} has no order ${name}`);
  yield* orderSteps(table, name, sort, rows.ties);
}

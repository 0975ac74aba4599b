import type { Steps } from '../../base/async/in-turns.ts';
import { ownValue } from '../../base/own-value.ts';
import type { Table } from '../../market/tables/table.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { askedOf } from '../../query/asked.ts';
import { numberIndex } from '../../query/number-index.ts';
import { orderSteps } from '../../query/sorting.ts';

/** Of each kind: bots ask the same few questions again and again, and others are not worth the time. */
const MAX_ASKED = 4;

/** Computes an order of a list ahead of its first request; by default the one that all requests need that choose nothing. */
export function* firstQuestionSteps(
  { id, rows }: AnyOperation,
  table: Table,
  name = rows?.defaultSort ?? '',
): Steps<void> {
  const sort = ownValue(rows?.sorts ?? {}, name);
  if (!rows || !sort) throw new Error(`${id} has no order ${name}`);
  yield* orderSteps(table, name, sort, rows.ties);
}

/** Computes ahead of the first request what requests needed of the table before it. */
export function* askedAgainSteps(operation: AnyOperation, before: Table | null, table: Table): Steps<void> {
  if (before === null) return;
  const { orders, columns } = askedOf(before);
  const known = [...orders].filter((name) => ownValue(operation.rows?.sorts ?? {}, name));
  for (const name of known.slice(-MAX_ASKED)) yield* firstQuestionSteps(operation, table, name);
  for (const column of [...columns].slice(-MAX_ASKED)) {
    const numbers = table.numbers(column);
    yield;
    numberIndex(numbers);
    yield;
  }
}

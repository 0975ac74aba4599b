import '../../storage/migrations/0120-alert-limits.ts';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { HOUR_MS } from '../../base/times.ts';
import type { AlertBudgetsTable } from '../../storage/migrations/0120-alert-limits.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Budget } from '../budget.ts';
import { partsOf } from './parts.ts';

export async function readBudgets(
  db: Kysely<Schema>,
  accountIds: readonly string[],
): Promise<Map<string, Budget>> {
  const budgets = new Map<string, Budget>();
  for (const part of partsOf(accountIds))
    for (const row of await db
      .selectFrom('alert_budgets')
      .selectAll()
      .where('account_id', 'in', part)
      .execute())
      budgets.set(row.account_id, budgetOf(row));
  return budgets;
}

/** Budgets whose hour is over, with events that their owner has no report of. */
export async function unreportedBudgets(db: Kysely<Schema>, nowMs: number): Promise<Budget[]> {
  const rows = await db
    .selectFrom('alert_budgets')
    .selectAll()
    .where('left_out', '>', 0)
    .where('since_ms', '<=', nowMs - HOUR_MS)
    .execute();
  return rows.map(budgetOf);
}

export async function writeBudgets(trx: Transaction<Schema>, budgets: readonly Budget[]): Promise<void> {
  const rows = budgets.map(({ accountId, sinceMs, sent, leftOut, endpointIds, isReported }) => ({
    ...{ account_id: accountId, since_ms: sinceMs, sent, left_out: leftOut, is_told: isReported ? 1 : 0 },
    endpoint_ids: JSON.stringify(endpointIds),
  }));
  for (const part of partsOf(rows))
    await trx
      .insertInto('alert_budgets')
      .values(part)
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet((row) => ({
          since_ms: row.ref('excluded.since_ms'),
          sent: row.ref('excluded.sent'),
          left_out: row.ref('excluded.left_out'),
          endpoint_ids: row.ref('excluded.endpoint_ids'),
          is_told: row.ref('excluded.is_told'),
        })),
      )
      .execute();
}

function budgetOf(row: Selectable<AlertBudgetsTable>): Budget {
  return {
    ...{ accountId: row.account_id, sinceMs: row.since_ms, sent: row.sent, leftOut: row.left_out },
    endpointIds: JSON.parse(row.endpoint_ids) as string[],
    isReported: row.is_told === 1,
  };
}

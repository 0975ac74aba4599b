import '../../storage/migrations/0120-alert-limits.ts';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../../storage/schema.ts';
import { partsOf } from './parts.ts';

/** How many messages wait, by account; of these accounts, or of all. */
export async function waitingByAccount(
  db: Kysely<Schema>,
  accountIds?: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const part of accountIds ? partsOf(accountIds) : [null])
    for (const { account_id: id, count } of await db
      .selectFrom('alert_deliveries')
      .select(({ fn }) => ['account_id', fn.countAll().as('count')])
      .where('state', '=', 'waiting')
      .$if(part !== null, (query) => query.where('account_id', 'in', part as string[]))
      .groupBy('account_id')
      .execute())
      counts.set(id, Number(count));
  return counts;
}

/** Drops the oldest waiting messages of an account, and returns them. */
export async function dropOldest(
  trx: Transaction<Schema>,
  accountId: string,
  count: number,
  reason: string,
): Promise<{ eventId: string; endpointId: string }[]> {
  const dropped = await trx
    .updateTable('alert_deliveries')
    .set({ state: 'failed', reason })
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('event_id', 'endpoint_id'),
        'in',
        selectFrom('alert_deliveries')
          .select(['event_id', 'endpoint_id'])
          .where('state', '=', 'waiting')
          .where('account_id', '=', accountId)
          .orderBy('created_at_ms')
          .orderBy('event_id')
          .limit(count)
          .$asTuple('event_id', 'endpoint_id'),
      ),
    )
    .returning(['event_id', 'endpoint_id'])
    .execute();
  return dropped.map((row) => ({ eventId: row.event_id, endpointId: row.endpoint_id }));
}

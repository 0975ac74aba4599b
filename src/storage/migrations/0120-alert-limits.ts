import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    alert_budgets: AlertBudgetsTable;
  }
}

declare module './0090-alerts.ts' {
  interface AlertEndpointsTable {
    /** Null: the receiver has not proved yet that it wants messages, so it gets none. */
    confirmed_at_ms: number | null;
    /** The hash of the code that was sent last; null if none waits for its answer. */
    code_hash: string | null;
    code_expires_at_ms: number | null;
  }
  interface AlertDeliveriesTable {
    /** Empty for a delivery that had ended before this column was added. */
    account_id: string;
  }
}

/** What an account has used of the messages that its plan sends in an hour. */
export interface AlertBudgetsTable {
  account_id: string;
  /** The begin of the hour: its first message. */
  since_ms: number;
  sent: number;
  /** Events that were left out and that the owner has no report of yet. */
  left_out: number;
  /** A JSON list: the endpoints that these events were for. */
  endpoint_ids: string;
  /** 1: the owner got a report in this hour that events are left out. */
  is_told: number;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  const { schema } = trx;
  await schema
    .createTable('alert_budgets')
    .addColumn('account_id', 'text', (column) => column.primaryKey())
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .addColumn('sent', 'integer', (column) => column.notNull())
    .addColumn('left_out', 'integer', (column) => column.notNull())
    .addColumn('endpoint_ids', 'text', (column) => column.notNull())
    .addColumn('is_told', 'integer', (column) => column.notNull())
    .execute();

  await schema
    .alterTable('alert_deliveries')
    .addColumn('account_id', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await trx
    .updateTable('alert_deliveries')
    .set(({ selectFrom, fn, val }) => ({
      account_id: fn.coalesce(
        selectFrom('alert_events')
          .select('alert_events.account_id')
          .whereRef('alert_events.event_id', '=', 'alert_deliveries.event_id'),
        val(''),
      ),
    }))
    .where('state', '=', 'waiting')
    .execute();
  await schema
    .createIndex('alert_deliveries_turns')
    .on('alert_deliveries')
    .columns(['state', 'account_id', 'endpoint_id', 'next_attempt_ms'])
    .execute();

  for (const column of ['confirmed_at_ms', 'code_expires_at_ms'] as const)
    await schema.alterTable('alert_endpoints').addColumn(column, 'bigint').execute();
  await schema.alterTable('alert_endpoints').addColumn('code_hash', 'text').execute();
  // Mail goes to the verified address of the account, a Telegram chat was linked with a code, and who has accepted a
  // message before goes on getting them.
  await trx
    .updateTable('alert_endpoints')
    .set(({ ref }) => ({ confirmed_at_ms: ref('created_at_ms') }))
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('kind', 'in', ['email', 'telegram']),
        exists(
          selectFrom('alert_deliveries')
            .select('alert_deliveries.event_id')
            .whereRef('alert_deliveries.endpoint_id', '=', 'alert_endpoints.id')
            .where('alert_deliveries.state', '=', 'delivered'),
        ),
      ]),
    )
    .execute();

  // Paths of webhooks and topics of ntfy let anybody post or read who knows them.
  const described = await trx
    .selectFrom('alert_endpoints')
    .select(['id', 'description'])
    .where('kind', 'in', ['webhook', 'ntfy'])
    .execute();
  for (const { id, description } of described)
    await trx
      .updateTable('alert_endpoints')
      .set({ description: shortened(description) })
      .where('id', '=', id)
      .execute();
}

/** From `example.com/hook/secret` to `example.com, ending in cret`; of a short end, half is shown. */
function shortened(description: string): string {
  const slash = description.indexOf('/');
  if (slash === -1) return description;
  const rest = description.slice(slash + 1);
  const shown = Math.min(4, Math.floor(rest.length / 2));
  const host = description.slice(0, slash);
  return shown === 0 ? host : `${host}, ending in ${rest.slice(-shown)}`;
}

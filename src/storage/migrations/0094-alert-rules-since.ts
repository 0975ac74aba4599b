import type { MigrationContext } from '../migrate.ts';

declare module './0090-alerts.ts' {
  interface AlertRulesTable {
    /** When the rule got its present filters and condition, or was resumed. Snapshots of before do not concern it. */
    since_ms: number;
  }
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .alterTable('alert_rules')
    .addColumn('since_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await trx
    .updateTable('alert_rules')
    .set((row) => ({ since_ms: row.ref('created_at_ms') }))
    .execute();
}

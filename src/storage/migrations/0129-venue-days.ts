import type { MigrationContext } from '../migrate.ts';

/** The available minutes of each day, beside the minutes of the last 24 hours. */
export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .alterTable('venue_reports')
    .addColumn('days', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}

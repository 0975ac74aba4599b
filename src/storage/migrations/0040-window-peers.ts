import type { MigrationContext } from '../migrate.ts';

/** How processes that shared rate limits coordinated while Redis was unavailable. A later migration drops the table. */
export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('window_peers')
    .addColumn('process_id', 'text', (column) => column.primaryKey())
    .addColumn('standing', 'text', (column) => column.notNull())
    .addColumn('membership', 'text', (column) => column.notNull())
    .addColumn('beat', 'bigint', (column) => column.notNull())
    .addColumn('takes', 'text', (column) => column.notNull())
    .addColumn('written_at_ms', 'bigint', (column) => column.notNull())
    .execute();
}

import type { MigrationContext } from '../migrate.ts';

/** No foreign keys: a count is stored even if its key has been deleted. */
export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('slot_months')
    .addColumn('slot_id', 'text', (column) => column.notNull())
    .addColumn('month_start_ms', 'bigint', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('slot_months_key', ['month_start_ms', 'slot_id'])
    .execute();

  await trx.schema
    .createTable('key_usage')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('span', 'text', (column) => column.notNull())
    .addColumn('start_ms', 'bigint', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_usage_key', ['key_id', 'span', 'start_ms'])
    .execute();
}

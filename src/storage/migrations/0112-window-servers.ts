import type { MigrationContext } from '../migrate.ts';

/** The Redis servers over which rate limits were spread. A later migration drops the tables. */
export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('window_layout')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('servers', 'text', (column) => column.notNull())
    .addColumn('previous', 'text')
    .execute();
  for (const name of ['server', 'servers'])
    await trx.schema
      .alterTable('window_peers')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  await trx.schema
    .alterTable('window_peers')
    .addColumn('layout', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}

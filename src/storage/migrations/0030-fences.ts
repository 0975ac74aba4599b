import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    fences: FencesTable;
  }
}

/** The highest fencing number under which a holder of a lease has started to write. */
interface FencesTable {
  name: string;
  fence: number;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('fences')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('fence', 'bigint', (column) => column.notNull())
    .execute();
}

import type { ColumnType } from 'kysely';
import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface AccountsTable {
    /** The size in USD at which pages show pairs to the owner; null: at the best prices. */
    order_size_usd: ColumnType<number | null, number | null | undefined, number | null>;
  }
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema.alterTable('accounts').addColumn('order_size_usd', 'integer').execute();
}

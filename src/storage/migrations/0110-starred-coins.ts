import type { ColumnType } from 'kysely';
import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface AccountsTable {
    /** The coins that the owner has starred, separated by commas; null: none. */
    starred_coins: ColumnType<string | null, string | null | undefined, string | null>;
  }
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema.alterTable('accounts').addColumn('starred_coins', 'text').execute();
}

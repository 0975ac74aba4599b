import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface AccountsTable {
    /** The owner's own taker fees, as the parameter `fees` takes them; null: the usual ones. */
    taker_fees: string | null;
  }
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema.alterTable('accounts').addColumn('taker_fees', 'text').execute();
}

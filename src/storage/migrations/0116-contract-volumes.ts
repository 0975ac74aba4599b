import type { MigrationContext } from '../migrate.ts';

declare module './0015-settlements.ts' {
  interface SettlementContractsTable {
    /** Turnover of 24 hours in whole USDT when the row was last written; null: not known then. */
    volume_24h_usdt: number | null;
  }
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema.alterTable('settlement_contracts').addColumn('volume_24h_usdt', 'bigint').execute();
}

import type { MigrationContext } from '../migrate.ts';

declare module './0015-settlements.ts' {
  interface SettlementBlocksTable {
    /** When each print was learned (src/history/settlements/known-codec.ts); null: not known of any. */
    known?: Uint8Array | null;
  }
}

export async function up({ trx, bytes }: MigrationContext): Promise<void> {
  await trx.schema.alterTable('settlement_blocks').addColumn('known', bytes).execute();
}

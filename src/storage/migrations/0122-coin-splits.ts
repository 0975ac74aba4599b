import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    coin_splits: CoinSplitsTable;
  }
}

/** The tickers that are more than one coin: one row, which the process that computes snapshots replaces. */
interface CoinSplitsTable {
  id: number;
  saved_at_ms: number;
  /** JSON. */
  document: string;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('coin_splits')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('saved_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
}

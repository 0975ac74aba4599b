import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    price_gap_days: PriceGapDaysTable;
  }
}

/** The low and high of the price gap of each pair of contracts, one row per UTC day. */
interface PriceGapDaysTable {
  /** Days since 1970. */
  day: number;
  frame: Uint8Array;
}

export async function up({ trx, bytes }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('price_gap_days')
    .addColumn('day', 'integer', (column) => column.primaryKey())
    .addColumn('frame', bytes, (column) => column.notNull())
    .execute();
}

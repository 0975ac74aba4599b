import type { MigrationContext } from '../migrate.ts';
import type { DepthContractsTable } from './0012-depth-samples.ts';

declare module './0012-depth-samples.ts' {
  interface DepthContractsTable {
    /** In percent; null for the venue's usual fee. */
    taker_fee_pct: number | null;
  }
}

const NAMES = [
  'id',
  'exchange',
  'venue_symbol',
  'coin',
  'quote',
] as const satisfies (keyof DepthContractsTable)[];

/** The fee becomes part of a contract's name. SQLite cannot change a constraint, so the table is built anew. */
export async function up({ trx }: MigrationContext): Promise<void> {
  const rows = await trx.selectFrom('depth_contracts').select(NAMES).execute();
  await trx.schema.dropTable('depth_contracts').execute();
  await trx.schema
    .createTable('depth_contracts')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('venue_symbol', 'text', (column) => column.notNull())
    .addColumn('coin', 'text', (column) => column.notNull())
    .addColumn('quote', 'text', (column) => column.notNull())
    .addColumn('taker_fee_pct', 'double precision')
    .addUniqueConstraint('depth_contracts_names', [
      'exchange',
      'venue_symbol',
      'coin',
      'quote',
      'taker_fee_pct',
    ])
    .execute();
  for (const row of rows)
    await trx
      .insertInto('depth_contracts')
      .values({ ...row, taker_fee_pct: null })
      .execute();
}

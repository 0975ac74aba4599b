import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    depth_costs: DepthCostsTable;
  }
}

/** What orders of several sizes cost against the books of a venue, every five minutes. A row never changes. */
interface DepthCostsTable {
  exchange: string;
  /** Since 1970. */
  minute: number;
  /** Costs of the contracts by number (`depth_contracts`), see src/history/depth/cost-codec.ts. */
  block: Uint8Array;
}

export async function up({ trx, bytes }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('depth_costs')
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('minute', 'integer', (column) => column.notNull())
    .addColumn('block', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('depth_costs_key', ['exchange', 'minute'])
    .execute();
}

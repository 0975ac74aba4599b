import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    venue_sides: VenueSidesTable;
  }
}

/** What operators decided about the counts of venues. */
interface VenueSidesTable {
  exchange: string;
  /** `openInterest` or `volume`. */
  figure: string;
  /** `one side` or `both sides`. */
  counts: string;
  /** What the release said when it was decided; once a release says otherwise, the decision has ended. */
  release_said: string;
  set_at_ms: number;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('venue_sides')
    .addColumn('exchange', 'text', (column) => column.notNull())
    .addColumn('figure', 'text', (column) => column.notNull())
    .addColumn('counts', 'text', (column) => column.notNull())
    .addColumn('release_said', 'text', (column) => column.notNull())
    .addColumn('set_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('venue_sides_key', ['exchange', 'figure'])
    .execute();
}

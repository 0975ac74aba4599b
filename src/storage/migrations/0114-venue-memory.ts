import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    venue_memory: VenueMemoryTable;
  }
}

/** What was known of a venue when it was last saved, for the process that watches it after a restart. */
interface VenueMemoryTable {
  slug: string;
  saved_at_ms: number;
  /** Contract lists and newest values, packed. */
  knowledge: Uint8Array;
}

export async function up({ trx, bytes }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('venue_memory')
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('saved_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('knowledge', bytes, (column) => column.notNull())
    .execute();
}

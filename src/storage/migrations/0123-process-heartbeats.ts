import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    process_heartbeats: ProcessHeartbeatsTable;
  }
}

/** The processes that answer requests: each writes its row every few seconds. */
interface ProcessHeartbeatsTable {
  process_id: string;
  /** By the clock of the database. */
  seen_at_ms: number;
}

/** Redis, or a Redis Cluster, counts for all processes: what processes told each other about rate limits goes. */
export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('process_heartbeats')
    .addColumn('process_id', 'text', (column) => column.primaryKey())
    .addColumn('seen_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await trx.schema.dropTable('window_peers').execute();
  await trx.schema.dropTable('window_layout').execute();
}

import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    window_peers: WindowPeersTable;
  }
}

/** How processes that share rate limits coordinate while Redis is unavailable. */
export interface WindowPeersTable {
  process_id: string;
  /** Where the process counts: in Redis, against its local share (`apart`), or about to return to Redis. */
  standing: 'shared' | 'apart' | 'joining';
  /** The epoch of Redis and the processes that it last saw there. */
  membership: string;
  /** Increases with each write, which shows that the process is alive. */
  beat: number;
  /** The requests of the last minute before Redis became unavailable, as JSON. */
  takes: string;
  written_at_ms: number;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('window_peers')
    .addColumn('process_id', 'text', (column) => column.primaryKey())
    .addColumn('standing', 'text', (column) => column.notNull())
    .addColumn('membership', 'text', (column) => column.notNull())
    .addColumn('beat', 'bigint', (column) => column.notNull())
    .addColumn('takes', 'text', (column) => column.notNull())
    .addColumn('written_at_ms', 'bigint', (column) => column.notNull())
    .execute();
}

import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    window_peers: WindowPeersTable;
  }
}

/** What processes that share windows tell each other while Redis is away. */
export interface WindowPeersTable {
  process_id: string;
  /** Where it counts: in Redis, by its own share, or about to count in Redis again. */
  standing: 'shared' | 'apart' | 'joining';
  /** The Redis and the set of processes that it last knew. */
  membership: string;
  /** Raised at each writing: whoever sees it rise knows that the process lives. */
  beat: number;
  /** Requests of the last minute before it stood apart, as JSON. */
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

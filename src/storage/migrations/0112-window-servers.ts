import type { Generated } from 'kysely';
import type { MigrationContext } from '../migrate.ts';

declare module '../schema.ts' {
  interface Schema {
    window_layout: WindowLayoutTable;
  }
}

declare module './0040-window-peers.ts' {
  interface WindowPeersTable {
    /** The Redis server of this row; empty for the first one. */
    server: Generated<string>;
    /** JSON: the Redis servers on which the process can count. Empty in rows of a version that knew only one. */
    servers: Generated<string>;
    /** The version of the layout that the process counts by. */
    layout: Generated<number>;
  }
}

/** One row: the Redis servers over which the rate limits are spread. */
export interface WindowLayoutTable {
  id: number;
  /** Increases by one with each change. */
  version: number;
  /** JSON: names of servers. */
  servers: string;
  /** JSON: the servers of the version before, until nothing that was counted there matters any more; then null. */
  previous: string | null;
}

export async function up({ trx }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('window_layout')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('servers', 'text', (column) => column.notNull())
    .addColumn('previous', 'text')
    .execute();
  for (const name of ['server', 'servers'])
    await trx.schema
      .alterTable('window_peers')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  await trx.schema
    .alterTable('window_peers')
    .addColumn('layout', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}

import type { MigrationContext } from '../migrate.ts';

export async function up({ trx, bytes }: MigrationContext): Promise<void> {
  await trx.schema
    .createTable('snapshot_frames')
    .addColumn('series', 'text', (column) => column.notNull())
    .addColumn('as_of_ms', 'bigint', (column) => column.notNull())
    .addColumn('frame', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshot_frames_key', ['series', 'as_of_ms'])
    .execute();
}

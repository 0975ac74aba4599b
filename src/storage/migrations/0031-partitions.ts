import { sql } from 'kysely';
import type { MigrationContext } from '../migrate.ts';
import {
  DEPTH_PARTITIONS,
  makePartitions,
  type PartitionedTable,
  SETTLEMENT_PARTITIONS,
} from '../partitions.ts';

/** Partitions prints and depth samples by time on PostgreSQL. SQLite has no partitions and needs none. */
export async function up({ trx, kind }: MigrationContext): Promise<void> {
  if (kind !== 'postgres') return;
  await partition(trx, SETTLEMENT_PARTITIONS);
  await partition(trx, DEPTH_PARTITIONS);
}

/** Moves the rows into a partitioned table with the same name, columns and primary key. */
async function partition(trx: MigrationContext['trx'], spec: PartitionedTable): Promise<void> {
  const table = sql.id(spec.table);
  const unpartitioned = sql.id(`${spec.table}_unpartitioned`);
  await sql`alter table ${table} rename to ${unpartitioned}`.execute(trx);
  const columns = sql`like ${unpartitioned} including defaults including constraints including storage`;
  const primaryKey = await primaryKeyColumns(trx, `${spec.table}_unpartitioned`);
  await sql`create table ${table}
    (${columns}, primary key (${sql.join(primaryKey.map((column) => sql.id(column)))}))
    partition by range (${sql.id(spec.key)})`.execute(trx);
  const { rows } = await sql<{ start: number }>`
    select distinct (${sql.id(spec.key)} / ${sql.lit(spec.width)}) * ${sql.lit(spec.width)} as start
    from ${unpartitioned}`.execute(trx);
  await makePartitions(
    trx,
    spec,
    rows.map((row) => row.start),
  );
  await sql`insert into ${table} select * from ${unpartitioned}`.execute(trx);
  await sql`drop table ${unpartitioned}`.execute(trx);
}

async function primaryKeyColumns(trx: MigrationContext['trx'], table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_index
    join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    where indrelid = to_regclass(${table}) and indisprimary
    order by array_position(indkey::int[], attnum::int)`.execute(trx);
  return rows.map(({ name }) => name);
}

import { sql } from 'kysely';
import type { MigrationContext } from '../migrate.ts';
import {
  DEPTH_PARTITIONS,
  makePartitions,
  type PartitionedTable,
  SETTLEMENT_PARTITIONS,
} from '../partitions.ts';

/** On PostgreSQL, prints and depth samples are kept in ranges of time. SQLite has no partitions and needs none. */
export async function up({ trx, kind }: MigrationContext): Promise<void> {
  if (kind !== 'postgres') return;
  await divide(trx, SETTLEMENT_PARTITIONS);
  await divide(trx, DEPTH_PARTITIONS);
}

/** The rows move into a table of the same columns, indexes and name. */
async function divide(trx: MigrationContext['trx'], spec: PartitionedTable): Promise<void> {
  const table = sql.id(spec.table);
  const whole = sql.id(`${spec.table}_whole`);
  await sql`alter table ${table} rename to ${whole}`.execute(trx);
  const columns = sql`like ${whole} including defaults including constraints including storage`;
  const primaryKey = await primaryKeyColumns(trx, `${spec.table}_whole`);
  await sql`create table ${table}
    (${columns}, primary key (${sql.join(primaryKey.map((column) => sql.id(column)))}))
    partition by range (${sql.id(spec.key)})`.execute(trx);
  const { rows } = await sql<{ start: number }>`
    select distinct (${sql.id(spec.key)} / ${sql.lit(spec.width)}) * ${sql.lit(spec.width)} as start
    from ${whole}`.execute(trx);
  await makePartitions(
    trx,
    spec,
    rows.map((row) => row.start),
  );
  await sql`insert into ${table} select * from ${whole}`.execute(trx);
  await sql`drop table ${whole}`.execute(trx);
}

async function primaryKeyColumns(trx: MigrationContext['trx'], table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_index
    join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    where indrelid = to_regclass(${table}) and indisprimary
    order by array_position(indkey::int[], attnum::int)`.execute(trx);
  return rows.map(({ name }) => name);
}

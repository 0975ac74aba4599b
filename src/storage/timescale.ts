import { type Kysely, sql } from 'kysely';
import type { PartitionedTable } from './partitions.ts';
import type { Schema } from './schema.ts';

type Db = Kysely<Schema>;

/** Whether this database has the extension: that it could be installed on the server is not enough to use it. */
export async function hasTimescale(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'timescaledb'`.execute(db);
  return rows.length > 0;
}

/** Gives the table to TimescaleDB, which makes its ranges by itself. False when it refuses; nothing has changed then. */
export async function makeHypertable(trx: Db, { table, key, width }: PartitionedTable): Promise<boolean> {
  await sql`savepoint before_hypertable`.execute(trx);
  try {
    await sql`select create_hypertable(${table}::regclass, ${key}::name, chunk_time_interval => ${width}::bigint)`.execute(
      trx,
    );
    await sql`release savepoint before_hypertable`.execute(trx);
    return true;
  } catch {
    await sql`rollback to savepoint before_hypertable`.execute(trx);
    return false;
  }
}

/** False when the table is no hypertable. */
export async function dropChunksBefore(db: Db, { table }: PartitionedTable, key: number): Promise<boolean> {
  if (!(await hasTimescale(db))) return false;
  const { rows } = await sql`
    select 1 from timescaledb_information.hypertables where hypertable_name = ${table}`.execute(db);
  if (rows.length === 0) return false;
  await sql`select drop_chunks(${table}::regclass, older_than => ${key}::bigint)`.execute(db);
  return true;
}

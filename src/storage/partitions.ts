import { type Kysely, sql } from 'kysely';
import { errorCode } from '../base/connection-errors.ts';
import { DAY_MS, MINUTE_MS } from '../base/times.ts';
import { CONTRACTS_PER_SETTLEMENT_BLOCK, SETTLEMENT_BLOCK_DAYS } from './blocks.ts';
import type { Schema } from './schema.ts';

/** A table partitioned by ranges of its key on PostgreSQL. The key grows with time. */
export interface PartitionedTable {
  table: 'settlement_blocks' | 'depth_blocks';
  key: string;
  /** The number of keys in one partition. */
  width: number;
  /** The time of a key. A partition is named by the day on which it begins. */
  timeMsOf: (key: number) => number;
  /** Partitions do not inherit these from their parent. */
  storageParameters: string;
}

/** Eight blocks of 32 days: most queries read one or two partitions, and ten years have 15 of them. */
export const SETTLEMENT_PARTITIONS: PartitionedTable = {
  table: 'settlement_blocks',
  key: 'id',
  width: 8 * CONTRACTS_PER_SETTLEMENT_BLOCK,
  timeMsOf: (key) => (key / CONTRACTS_PER_SETTLEMENT_BLOCK) * SETTLEMENT_BLOCK_DAYS * DAY_MS,
  // A packed row that is not moved to TOAST is read with one access; the newest rows are rewritten every hour.
  storageParameters: 'toast_tuple_target = 8160, fillfactor = 85',
};

/** One day: samples are kept for days, and a day is removed by dropping its table instead of deleting rows. */
export const DEPTH_PARTITIONS: PartitionedTable = {
  table: 'depth_blocks',
  key: 'start_minute',
  width: DAY_MS / MINUTE_MS,
  timeMsOf: (key) => key * MINUTE_MS,
  storageParameters: '',
};

/** An arbitrary number, the same in every process: the advisory lock that keeps two from creating the same partition. */
const PARTITION_LOCK = 7_276_830;
/** A drop gives up after this long, because new readers wait behind a waiting drop. */
const DROP_WAIT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

type Db = Kysely<Schema>;

function startOf(spec: PartitionedTable, key: number): number {
  return Math.floor(key / spec.width) * spec.width;
}

export function partitionName(spec: PartitionedTable, startKey: number): string {
  const day = new Date(spec.timeMsOf(startKey)).toISOString().slice(0, 10);
  return `${spec.table}_${day.replaceAll('-', '_')}`;
}

/** Whether the table is partitioned. One that is not takes every key as it is. */
export async function isPartitioned(db: Db, { table }: PartitionedTable): Promise<boolean> {
  const { rows } = await sql<{ relkind: string }>`
    select relkind from pg_class where oid = to_regclass(${table})`.execute(db);
  return rows[0]?.relkind === 'p';
}

/** Creates the partitions of the keys, without blocking readers and writers of the table. */
export async function makePartitions(
  trx: Db,
  spec: PartitionedTable,
  keys: Iterable<number>,
): Promise<number[]> {
  const starts = [...new Set([...keys].map((key) => startOf(spec, key)))].sort((a, b) => a - b);
  await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(trx);
  for (const start of starts) {
    const name = partitionName(spec, start);
    const { rows } = await sql<{ exists: boolean }>`
      select to_regclass(${name}) is not null as "exists"`.execute(trx);
    if (rows[0]?.exists) continue;
    const child = sql.id(name);
    const parent = sql.id(spec.table);
    const options = spec.storageParameters === '' ? '' : ` with (${spec.storageParameters})`;
    // Created on its own and then attached, because "create table partition of" locks the whole table.
    await sql`create table ${child} (like ${parent} including all)${sql.raw(options)}`.execute(trx);
    await sql`alter table ${parent} attach partition ${child}
      for values from (${sql.lit(start)}) to (${sql.lit(start + spec.width)})`.execute(trx);
  }
  return starts;
}

/** The start keys of the existing partitions, oldest first. */
export async function partitionStarts(db: Db, spec: PartitionedTable): Promise<number[]> {
  const { rows } = await sql<{ bound: string }>`
    select pg_get_expr(child.relpartbound, child.oid) as bound
    from pg_inherits join pg_class child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = to_regclass(${spec.table})`.execute(db);
  return rows.map(({ bound }) => Number(/FROM \('?(-?\d+)'?\)/.exec(bound)?.[1])).sort((a, b) => a - b);
}

/** Caches which partitions exist, so that most writes need no query for them. */
export class PartitionKeeper {
  readonly #db: Db;
  readonly #spec: PartitionedTable;
  readonly #known = new Set<number>();
  readonly #isPostgres: boolean;
  #isPartitioned: boolean;

  constructor(storage: { kind: 'sqlite' | 'postgres'; db: Db }, spec: PartitionedTable) {
    this.#db = storage.db;
    this.#spec = spec;
    this.#isPostgres = storage.kind === 'postgres';
    this.#isPartitioned = this.#isPostgres;
  }

  /** Called before rows with these keys are written: creates missing partitions, and the next one ahead of time. */
  async cover(keys: Iterable<number>): Promise<void> {
    if (!this.#isPartitioned) return;
    const missing = [...keys].filter((key) => !this.#known.has(startOf(this.#spec, key)));
    if (missing.length === 0) return;
    if (!(await isPartitioned(this.#db, this.#spec))) {
      this.#isPartitioned = false;
      return;
    }
    const ahead = missing.map((key) => key + this.#spec.width);
    const made = await this.#db
      .transaction()
      .execute((trx) => makePartitions(trx, this.#spec, [...missing, ...ahead]));
    const wanted = new Set(missing.map((key) => startOf(this.#spec, key)));
    // The next partition is not cached, so that its first write creates the one after it.
    for (const start of made) if (wanted.has(start)) this.#known.add(start);
  }

  /** Drops partitions that end before the key. False if the table is not partitioned: the caller must delete rows. */
  async dropBefore(key: number): Promise<boolean> {
    if (!this.#isPostgres) return false;
    if (!(await isPartitioned(this.#db, this.#spec))) return false;
    for (const start of await partitionStarts(this.#db, this.#spec)) {
      if (start + this.#spec.width > key) break;
      if (!(await this.#drop(start))) break;
      this.#known.delete(start);
    }
    return true;
  }

  /** False if a reader, such as a backup, holds the partition: the next call drops it. */
  async #drop(start: number): Promise<boolean> {
    try {
      await this.#db.transaction().execute(async (trx) => {
        await sql`set local lock_timeout = ${sql.lit(DROP_WAIT_MS)}`.execute(trx);
        await sql`drop table if exists ${sql.id(partitionName(this.#spec, start))}`.execute(trx);
      });
      return true;
    } catch (error) {
      if (errorCode(error) === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }
}

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import pg from 'pg';
import { createLog } from '../../src/base/log.ts';
import { PartitionKeeper, SETTLEMENT_PARTITIONS } from '../../src/storage/partitions.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { SIZE } from '../size.ts';
import { contractIdOf, contractRow, packedBlocks, printsOf, ratePctAt, VENUES_PER_COIN } from './prints.ts';

const ROWS_PER_STATEMENT = 1000;
const RAW_ROWS_PER_STATEMENT = 100_000;

export interface RawPrints {
  /** Runs the query and returns its single text value: the answer. */
  answer(text: string): Promise<string>;
  /** Creates the index that a well-designed table would have. */
  index(): Promise<void>;
  /** One settlement hour: a row per contract. */
  insert(rows: readonly [number, number, number][]): Promise<void>;
  close(): Promise<void>;
}

export interface BenchStore {
  kind: Storage['kind'];
  storage: Storage;
  raw: RawPrints;
  prints: number;
  bytesPerPrint(): Promise<number>;
  close(): Promise<void>;
}

type BlocksOf = (coin: number, venue: number) => ReturnType<typeof packedBlocks>;

/** Stores the packed prints of the coins on all venues, in the encoding of the service. */
export async function packPrints(
  storage: Storage,
  coins: number,
  blocksOf: BlocksOf = packedBlocks,
): Promise<void> {
  const partitions = new PartitionKeeper(storage, SETTLEMENT_PARTITIONS);
  for (let coin = 0; coin < coins; coin++) {
    const venues = Array.from({ length: VENUES_PER_COIN }, (_, venue) => venue);
    const blocks = venues.flatMap((venue) => blocksOf(coin, venue));
    await partitions.cover(blocks.map(({ id }) => id));
    await storage.db
      .insertInto('settlement_contracts')
      .values(venues.map((venue) => contractRow(coin, venue)))
      .execute();
    await storage.db.transaction().execute(async (trx) => {
      for (let i = 0; i < blocks.length; i += ROWS_PER_STATEMENT)
        await trx
          .insertInto('settlement_blocks')
          .values(blocks.slice(i, i + ROWS_PER_STATEMENT))
          .execute();
    });
  }
}

/** Every coin gets the prints of the first one: packing a hundred million different ones takes an hour. */
export function sameForEveryCoin(): BlocksOf {
  const packed = Array.from({ length: VENUES_PER_COIN }, (_, venue) => packedBlocks(0, venue));
  return (coin, venue) => {
    const further = contractIdOf(coin, venue) - contractIdOf(0, venue);
    return (packed[venue] ?? []).map((block) => ({ ...block, id: block.id + further }));
  };
}

export async function buildStore(
  databaseUrl: string | null,
  folder: string,
  coins: number,
): Promise<BenchStore> {
  const sqliteFile = join(folder, `prints-${coins}.sqlite`);
  const storage = await openStorage({ databaseUrl, sqliteFile, log: createLog('silent') });
  const raw =
    databaseUrl === null ? rawSqlite(join(folder, `raw-${coins}.sqlite`)) : await rawPostgres(databaseUrl);
  // Packing takes most of the time of a smaller run.
  await packPrints(storage, coins, SIZE === 'full' ? packedBlocks : sameForEveryCoin());
  let prints = 0;
  // Raw prints are inserted in order of arrival: all contracts of an hour together.
  let rows: [number, number, number][] = [];
  const all = Array.from({ length: coins * VENUES_PER_COIN }, (_, i) => {
    const [coin, venue] = [Math.floor(i / VENUES_PER_COIN), i % VENUES_PER_COIN];
    return { id: contractIdOf(coin, venue), next: 0, prints: printsOf(0, venue).minutes, coin, venue };
  });
  const hours = all.find(({ venue }) => venue === 0)?.prints ?? [];
  for (const minute of hours) {
    for (const contract of all) {
      if (contract.prints[contract.next] !== minute) continue;
      contract.next++;
      rows.push([contract.id, minute * 60_000, ratePctAt(contract.id, minute * 60_000)]);
    }
    if (rows.length < RAW_ROWS_PER_STATEMENT) continue;
    await raw.insert(rows);
    prints += rows.length;
    rows = [];
  }
  await raw.insert(rows);
  prints += rows.length;
  if (storage.kind === 'postgres') await sql`vacuum analyze`.execute(storage.db);
  return {
    kind: storage.kind,
    storage,
    raw,
    prints,
    bytesPerPrint: async () => {
      if (storage.kind === 'sqlite') return statSync(sqliteFile).size / prints;
      const { rows: sizes } = await sql<{
        bytes: number;
      }>`select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('settlement_blocks')`.execute(
        storage.db,
      );
      return Number(sizes[0]?.bytes ?? 0) / prints;
    },
    close: async () => {
      await raw.close();
      await storage.close();
    },
  };
}

export function rawSqlite(file: string): RawPrints {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = normal');
  database.exec(
    'create table raw_prints (contract_id integer not null, settled_at_ms integer not null, rate_pct real not null)',
  );
  const insert = database.prepare('insert into raw_prints values (?, ?, ?)');
  return {
    answer: async (text) => String(Object.values(database.prepare(text).get() ?? {})[0]),
    index: async () => {
      database.exec('create unique index raw_prints_key on raw_prints (contract_id, settled_at_ms); analyze');
    },
    insert: async (rows) => {
      database.exec('begin');
      for (const [id, atMs, ratePct] of rows) insert.run(id, atMs, ratePct);
      database.exec('commit');
    },
    close: async () => database.close(),
  };
}

async function rawPostgres(url: string): Promise<RawPrints> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'create table raw_prints (contract_id integer not null, settled_at_ms bigint not null, rate_pct double precision not null)',
  );
  return {
    answer: async (text) => String(Object.values((await client.query(text)).rows[0] ?? {})[0]),
    index: async () => {
      await client.query('create unique index raw_prints_key on raw_prints (contract_id, settled_at_ms)');
      await client.query('vacuum analyze raw_prints');
    },
    insert: async (rows) => {
      await client.query(
        'insert into raw_prints select * from unnest($1::int[], $2::bigint[], $3::float8[])',
        [rows.map(([id]) => id), rows.map(([, atMs]) => atMs), rows.map(([, , ratePct]) => ratePct)],
      );
    },
    close: () => client.end(),
  };
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { ManualClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { SampleStore } from '../../src/history/samples/store.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { POSTGRES_QUERIES, REPLICA_QUERIES } from '../../src/history/settlements/reader.ts';
import { settlementBlockId } from '../../src/storage/blocks.ts';
import { loadMigrations } from '../../src/storage/migrate.ts';
import {
  DEPTH_PARTITIONS,
  PartitionKeeper,
  partitionName,
  partitionStarts,
  SETTLEMENT_PARTITIONS,
} from '../../src/storage/partitions.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { minute } from '../backtest/setting.ts';
import { BTC, keeping, minuteOf } from '../history/keeping.ts';
import { freshPostgres, openFor, silentLog, skipPostgres } from './databases.ts';

const DAY = 1440;
const NOON = minuteOf('2026-11-14T12:00:00Z');
const MIDNIGHT = minuteOf('2026-11-14T00:00:00Z');

/** The names of the partitions that a query would read. */
async function partitionsRead({ db }: Storage, text: string, parameters: unknown[]): Promise<string[]> {
  const explain = CompiledQuery.raw(`explain (costs off) ${text}`, parameters) as CompiledQuery<object>;
  const { rows } = await db.executeQuery(explain);
  const plan = rows.map((row) => Object.values(row)[0]).join('\n');
  return [...new Set(plan.match(/(settlement|depth)_blocks_\d{4}_\d\d_\d\d(?!_pkey)\b/g))].sort();
}

const names = async (storage: Storage) => ({
  prints: (await partitionStarts(storage.db, SETTLEMENT_PARTITIONS)).map((start) =>
    partitionName(SETTLEMENT_PARTITIONS, start),
  ),
  samples: (await partitionStarts(storage.db, DEPTH_PARTITIONS)).map((start) =>
    partitionName(DEPTH_PARTITIONS, start),
  ),
});

/** Later ones add columns that the writer of prints needs. */
const NEEDED = ['0116-contract-volumes', '0141-print-known-times'];
/** The migrations before partitions, and these. */
const before = async () =>
  (await loadMigrations()).filter(({ name }) => name < '0031' || NEEDED.includes(name));

async function heldMinutes(store: SampleStore): Promise<number[]> {
  const minutes: number[] = [];
  for (let block = await store.nextAfter(0); block; block = await store.nextAfter(block.startMinute))
    minutes.push(block.startMinute);
  return minutes;
}

describe('partitions on PostgreSQL', { skip: skipPostgres }, () => {
  test('the migration moves existing rows, which read the same', async (t) => {
    const options = await freshPostgres(t);
    const old = await openStorage({ ...options, migrations: await before() });
    const prints = Array.from({ length: 400 }, (_, i) => ({ minute: NOON - i * DAY, ratePct: i / 1000 }));
    const write = { names: BTC, prints, walked: null, onConflict: 'replace' } as const;
    const open = (storage: Storage, metrics = createMetrics()) =>
      SettlementKeeper.open({
        storage,
        clock: new ManualClock(NOON * 60_000),
        log: silentLog,
        metrics,
      });
    const oldKeeper = await open(old);
    await oldKeeper.submit(write);
    const samples = new SampleStore(old);
    await samples.open();
    for (const at of [MIDNIGHT - 1, MIDNIGHT, NOON]) await samples.add(minute(at, { 1: [99, 101] }));
    const blocksBefore = await old.db.selectFrom('settlement_blocks').selectAll().orderBy('id').execute();
    assert.deepEqual(await names(old), { prints: [], samples: [] });
    await oldKeeper.close();
    await old.close();

    const storage = await openFor(t, options);
    assert.deepEqual(await names(storage), {
      prints: [
        'settlement_blocks_2025_05_16',
        'settlement_blocks_2026_01_27',
        'settlement_blocks_2026_10_10',
      ],
      samples: ['depth_blocks_2026_11_13', 'depth_blocks_2026_11_14'],
    });
    const blocks = await storage.db.selectFrom('settlement_blocks').selectAll().orderBy('id').execute();
    assert.deepEqual(blocks, blocksBefore);
    const keeper = await open(storage);
    const contract = keeper.directory.find('Binance', 'BTCUSDT');
    assert.ok(contract);
    const read = await keeper.prints(contract, 0, NOON * 60_000);
    assert.deepEqual(
      read.minutes.map((at, i) => ({ minute: at, ratePct: read.ratesPct[i] })),
      prints.toReversed(),
    );
    await keeper.close();
    assert.deepEqual(await heldMinutes(new SampleStore(storage)), [MIDNIGHT - 1, MIDNIGHT, NOON]);
    const { rows } = await sql<{ options: string[] }>`select reloptions as options from pg_class
      where relname = 'settlement_blocks_2026_10_10'`.execute(storage.db);
    assert.deepEqual(rows[0]?.options, ['toast_tuple_target=8160', 'fillfactor=85']);
  });

  test('a query reads only the partitions that can have its rows', async (t) => {
    const { storage, keeper } = await keeping(t, freshPostgres);
    const years = Array.from({ length: 24 }, (_, i) => ({ minute: NOON - i * 32 * DAY, ratePct: 0.01 }));
    await keeper.submit({ names: BTC, prints: years, walked: null, onConflict: 'replace' });
    assert.ok((await names(storage)).prints.length >= 4);
    const block = Math.floor(NOON / (32 * DAY));
    const ids = [settlementBlockId(block, 1), settlementBlockId(block - 1, 1)];
    const wanted = [
      ...new Set(
        ids.map((id) => partitionName(SETTLEMENT_PARTITIONS, id - (id % SETTLEMENT_PARTITIONS.width))),
      ),
    ];
    for (const column of ['days', 'prints'] as const) {
      assert.deepEqual(await partitionsRead(storage, POSTGRES_QUERIES[column], [ids]), wanted.sort());
      assert.deepEqual(
        await partitionsRead(storage, REPLICA_QUERIES[column], [ids, [1], [1]]),
        wanted.sort(),
      );
    }
    const samples = new SampleStore(storage);
    await samples.open();
    for (let day = 0; day < 5; day++) await samples.add(minute(NOON + day * DAY, { 1: [99, 101] }));
    const { sql: text, parameters } = storage.db
      .selectFrom('depth_blocks')
      .selectAll()
      .where('start_minute', '>=', NOON + 3 * DAY)
      .where('start_minute', '<', NOON + 3 * DAY + 60)
      .compile();
    assert.deepEqual(await partitionsRead(storage, text, [...parameters]), ['depth_blocks_2026_11_17']);
  });

  test('the next partition exists before its time', async (t) => {
    const storage = await openFor(t, await freshPostgres(t));
    const samples = new SampleStore(storage);
    await samples.open();
    await samples.add(minute(NOON, { 1: [99, 101] }));
    assert.deepEqual((await names(storage)).samples, ['depth_blocks_2026_11_14', 'depth_blocks_2026_11_15']);
    await samples.add(minute(MIDNIGHT + DAY, { 1: [99, 101] }));
    assert.equal((await names(storage)).samples.at(-1), 'depth_blocks_2026_11_16');
  });

  test('processes that need the same partition at once create it once', async (t) => {
    const options = await freshPostgres(t);
    const storages = [await openFor(t, options), await openFor(t, options), await openFor(t, options)];
    await Promise.all(
      storages.map((storage) => new PartitionKeeper(storage, DEPTH_PARTITIONS).cover([NOON, NOON + DAY])),
    );
    assert.equal((await partitionStarts(storages[0]?.db ?? assert.fail(), DEPTH_PARTITIONS)).length, 3);
  });

  test('old samples are removed by dropping their day; a day that is being read is dropped the next time', async (t) => {
    const options = await freshPostgres(t);
    const storage = await openFor(t, options);
    const samples = new SampleStore(storage);
    await samples.open();
    for (let day = 0; day < 3; day++) await samples.add(minute(NOON + day * DAY, { 1: [99, 101] }));
    const reader = await openFor(t, options);
    await reader.db.transaction().execute(async (trx) => {
      await trx.selectFrom('depth_blocks').select('start_minute').execute();
      await samples.deleteBefore(MIDNIGHT + DAY + 90);
      assert.equal(
        (await names(storage)).samples[0],
        'depth_blocks_2026_11_14',
        'still there for the reader',
      );
    });
    await samples.deleteBefore(MIDNIGHT + DAY + 90);
    assert.equal((await names(storage)).samples[0], 'depth_blocks_2026_11_15');
    assert.deepEqual(await heldMinutes(samples), [NOON + DAY, NOON + 2 * DAY]);
    await samples.add(minute(NOON, { 1: [99, 101] }));
    assert.equal((await heldMinutes(samples))[0], NOON, 'a dropped day can be created again');
  });

  test('a table without partitions takes new rows, and its old rows are deleted one by one', async (t) => {
    const storage = await openFor(t, { ...(await freshPostgres(t)), migrations: await before() });
    const samples = new SampleStore(storage);
    await samples.open();
    for (let day = 0; day < 2; day++) await samples.add(minute(NOON + day * DAY, { 1: [99, 101] }));
    await samples.deleteBefore(NOON + DAY);
    assert.deepEqual(await names(storage), { prints: [], samples: [] });
    assert.deepEqual(await heldMinutes(samples), [NOON + DAY]);
  });
});

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { suite, test } from 'node:test';
import { BACKTEST_TABLES } from '../../src/engines/backtest/rows.ts';
import { lookBackMinutes } from '../../src/engines/backtest/rule.ts';
import {
  type BacktestHost,
  type BacktestReport,
  LocalBacktest,
} from '../../src/engines/backtest/running/host.ts';
import { BacktestRun, retentionMinutes } from '../../src/engines/backtest/running/run.ts';
import { BacktestThread } from '../../src/engines/backtest/running/thread.ts';
import { CheckpointStore } from '../../src/history/samples/checkpoints.ts';
import { SampleStore } from '../../src/history/samples/store.ts';
import { decodeTable } from '../../src/market/tables/table-codec.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { freshSqlite, onBothDatabases, openFor } from '../storage/databases.ts';
import { SHORT_RULE, START_MINUTE } from './setting.ts';
import { storeMarket } from './stored-market.ts';

const EXCHANGES = ['Alpha', 'Beta', 'Gamma'];
const BASIS = { rule: SHORT_RULE, takerFeesPct: { Alpha: 0.05, Beta: 0.04, Gamma: 0.06 } };
const START = START_MINUTE - (START_MINUTE % 60);
const DAY = 1440;

interface Opened {
  samples: SampleStore;
  checkpoints: CheckpointStore;
}

async function opened(storage: Storage): Promise<Opened> {
  const samples = new SampleStore(storage);
  await samples.open();
  return { samples, checkpoints: new CheckpointStore(storage) };
}

function runOn({ samples, checkpoints }: Opened, host: BacktestHost = new LocalBacktest(), basis = BASIS) {
  const damages: string[] = [];
  const shares: number[] = [];
  const run = new BacktestRun(host, {
    basis,
    samples,
    checkpoints,
    writer: 'test',
    onProgress: (share) => shares.push(share),
    onDamage: (_, damage) => damages.push(damage),
  });
  return { run, host, damages, shares };
}

/** Rows as sorted text, because their order depends on the engine's history. */
function rowsOf({ minute, sizes }: BacktestReport): unknown {
  return [
    minute,
    sizes.map(({ sizeUsd, rowCount, frame }) => {
      const table = decodeTable(frame, BACKTEST_TABLES[sizeUsd]);
      assert.equal(table?.rowCount, rowCount);
      return Array.from({ length: rowCount }, (_, row) => table?.rowJson(row)).sort();
    }),
  ];
}

/** Runs for some days as in the service: stores samples and deletes old ones. */
async function live(
  opened: Opened,
  days: number,
): Promise<{ run: BacktestRun; host: BacktestHost; last: number }> {
  const { run, host } = runOn(opened);
  await run.resume();
  let last = START - 1;
  for (let step = 0; step < days * 24; step++) {
    const from = last + 1;
    last += 60;
    await storeMarket(opened.samples, EXCHANGES, from, last);
    await run.catchUp({});
    await opened.samples.deleteBefore(run.minute - retentionMinutes(BASIS));
  }
  return { run, host, last };
}

suite('backtest on stored samples', () => {
  onBothDatabases((fresh) => {
    test('after a restart it resumes from the checkpoint and has the same rows', async (t) => {
      const stores = await opened(await openFor(t, await fresh(t)));
      const first = await live(stores, 1);
      await storeMarket(stores.samples, EXCHANGES, first.last + 1, first.last + 25);
      const second = runOn(stores);
      await second.run.resume();
      assert.ok(second.run.minute > START, 'not from scratch');
      await second.run.catchUp({});
      await first.run.catchUp({});
      assert.equal(second.run.minute, first.last + 25);
      assert.deepEqual(rowsOf(await second.host.report()), rowsOf(await first.host.report()));
    });
  });

  test('a rebuild from the samples still stored has the same rows, days after the first were deleted', async (t) => {
    const stores = await opened(await openFor(t, await freshSqlite(t)));
    const { host, last } = await live(stores, 6);
    const expected = rowsOf(await host.report());
    const span = await stores.samples.span();
    assert.ok((span?.firstMinute ?? 0) > START + DAY, 'old samples are deleted');
    const rebuilt = runOn(stores);
    await rebuilt.run.rebuild();
    const base = rebuilt.run.minute;
    assert.ok(base > 0 && base <= last - lookBackMinutes(SHORT_RULE), 'from a checkpoint before the window');
    await rebuilt.run.catchUp({});
    assert.deepEqual(rowsOf(await rebuilt.host.report()), expected);
    assert.ok(rebuilt.shares.length > 10 && rebuilt.shares.at(-1) === 1, 'progress is reported up to 1');
    assert.deepEqual(
      rebuilt.shares,
      rebuilt.shares.toSorted((a, b) => a - b),
    );
  });

  test('a worker thread has the same rows', async (t) => {
    const stores = await opened(await openFor(t, await freshSqlite(t)));
    const { host } = await live(stores, 1);
    const thread = new BacktestThread(tmpdir());
    t.after(() => thread.close());
    const { run } = runOn(stores, thread);
    await run.rebuild();
    await run.catchUp({});
    assert.deepEqual(rowsOf(await thread.report()), rowsOf(await host.report()));
  });

  test('a call that fails in the thread rejects alone; calls to an ended thread reject', async (t) => {
    const thread = new BacktestThread(tmpdir());
    t.after(() => thread.close());
    const early = assert.rejects(thread.report(), /begin\(\) has not been called/);
    const begun = thread.begin(BASIS, null, []);
    const outcome = thread.take({ block: Uint8Array.of(1), contracts: [], reportAt: [] });
    await early;
    assert.equal(await begun, null);
    assert.equal((await outcome).damage, 'depth sample block is damaged');
    await thread.close();
    await assert.rejects(thread.report(), /the backtest thread has ended/);
  });

  test('a checkpoint computed with other fees is not resumed', async (t) => {
    const stores = await opened(await openFor(t, await freshSqlite(t)));
    await live(stores, 1);
    const higherFees = { ...BASIS, takerFeesPct: { ...BASIS.takerFeesPct, Beta: 0.4 } };
    const { run, host } = runOn(stores, new LocalBacktest(), higherFees);
    await run.resume();
    assert.equal(run.minute, -1);
    await run.catchUp({});
    const [, sizes] = rowsOf(await host.report()) as [number, string[][]];
    const pure = runOn(stores, new LocalBacktest(), higherFees);
    await pure.host.begin(higherFees, null, stores.samples.contracts);
    await pure.run.rebuild();
    await pure.run.catchUp({});
    assert.deepEqual(sizes, (rowsOf(await pure.host.report()) as [number, string[][]])[1]);
  });

  test('contracts that are numbered while it starts are known', async (t) => {
    const stores = await opened(await openFor(t, await freshSqlite(t)));
    const { run, host } = runOn(stores);
    const begun = run.resume();
    await storeMarket(stores.samples, EXCHANGES, START, START + 1439);
    await begun;
    await run.catchUp({});
    const [, sizes] = rowsOf(await host.report()) as [number, string[][]];
    assert.ok((sizes[0]?.length ?? 0) > 10);
  });

  test('started before the first sample, progress is the share of the samples since then', async (t) => {
    const stores = await opened(await openFor(t, await freshSqlite(t)));
    const { run, shares } = runOn(stores);
    await run.resume();
    await storeMarket(stores.samples, EXCHANGES, START, START + 599);
    await run.catchUp({});
    assert.deepEqual(
      shares.map((share) => Math.round(share * 100)),
      [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    );
  });

  test('a damaged block is skipped and reported, the rest is computed', async (t) => {
    const storage = await openFor(t, await freshSqlite(t));
    const stores = await opened(storage);
    await storeMarket(stores.samples, EXCHANGES, START, START + 239);
    await storage.db
      .updateTable('depth_blocks')
      .set({ block: Uint8Array.of(1, 2, 3) })
      .where('start_minute', '=', START + 60)
      .execute();
    const { run, damages } = runOn(stores);
    await run.resume();
    await run.catchUp({});
    assert.equal(run.minute, START + 239);
    assert.deepEqual(damages, ['depth sample block is damaged']);
  });

  test('one checkpoint of each finished day is kept, and none older than the samples', async (t) => {
    const storage = await openFor(t, await freshSqlite(t));
    const stores = await opened(storage);
    const { last } = await live(stores, 6);
    const held = await storage.db
      .selectFrom('backtest_checkpoints')
      .select('minute')
      .orderBy('minute')
      .execute();
    const days = held.map(({ minute }) => Math.floor(minute / DAY));
    assert.equal(new Set(days).size, days.length, `one a day: ${days}`);
    assert.ok((held[0]?.minute ?? 0) >= last - retentionMinutes(BASIS));
    assert.ok(held.length >= 3);
  });
});

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { loadListings, savePublication } from '../../src/history/listings/store.ts';
import { allReports, saveReports } from '../../src/history/reports/store.ts';
import { SampleQueue } from '../../src/history/samples/queue.ts';
import { SampleStore } from '../../src/history/samples/store.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { storedFrames } from '../../src/market/frame-store.ts';
import { checkFence, FencedError } from '../../src/storage/fences.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { silentReport } from '../../src/venues/health.ts';
import { okx } from '../../src/venues/okx/venue.ts';
import { BTC, minuteOf } from '../history/keeping.ts';
import { silentLog as log, nextFence } from '../storage/databases.ts';
import { launchPostgres, type PostgresServer } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { missingServers } from './deployment.ts';

const skip = await missingServers();
const EMPTY_SAMPLE = {
  minute: 5,
  ids: new Uint32Array(0),
  prices: new Float32Array(0),
  volumesUsdt: new Float32Array(0),
};

suite('writing while PostgreSQL is unavailable', { skip }, () => {
  let postgres: PostgresServer;
  let storage: Storage;

  before(async () => {
    const launched = await launchPostgres();
    if (typeof launched === 'string') throw new Error(launched);
    postgres = launched;
    storage = await openStorage({ databaseUrl: await postgres.createDatabase(), sqliteFile: '', log });
  });
  after(async () => {
    await storage.close();
    await postgres.stop();
  });

  test('a settled print that was fetched during the outage is written afterwards', async () => {
    // The keeper reads the clock once for each attempt to write.
    let attempts = 0;
    const clock: Clock = {
      ...systemClock,
      nowMs: () => {
        attempts++;
        return systemClock.nowMs();
      },
    };
    const options = { storage, clock, log, metrics: createMetrics() };
    const keeper = await SettlementKeeper.open(options);
    await postgres.halt();
    attempts = 0;
    const prints = [{ minute: minuteOf('2026-11-14T08:00:00Z'), ratePct: 0.01 }];
    let isStored = false;
    const written = keeper
      .submit({ names: BTC, prints, walked: null, onConflict: 'replace' })
      .then((outcome) => {
        isStored = true;
        return outcome;
      });
    await until(() => attempts > 1, 'a second attempt to write');
    assert.equal(isStored, false, 'nothing is acknowledged that is not stored');
    await postgres.resume();
    assert.equal((await written).added.length, 1);
    const again = await SettlementKeeper.open(options);
    assert.equal(again.directory.find('Binance', 'BTCUSDT')?.printCount, 1);
    await Promise.all([keeper.close(), again.close()]);
  });

  test('a process that stops during the outage does not wait for PostgreSQL', async () => {
    const keeper = await SettlementKeeper.open({
      storage,
      clock: systemClock,
      log,
      metrics: createMetrics(),
    });
    await postgres.halt();
    const written = keeper.submit({ names: BTC, prints: [], walked: null, onConflict: 'replace' });
    const refused = assert.rejects(written);
    await keeper.close();
    await refused;
    await postgres.resume();
  });

  test('a write with a lower fencing number than that of another holder is refused', async () => {
    const former = await nextFence(storage, 'engine');
    const holder = await nextFence(storage, 'engine');
    assert.equal(holder.number, former.number + 1, 'the number grows by one with each holder');
    const frames = storedFrames(storage);
    const frame = { series: 'funding', asOfMs: 1000, frame: Uint8Array.of(1) };
    const times = () => frames.timesAfter(new Map([['funding', 0]]));
    await assert.rejects(frames.saveAll([frame], former), FencedError);
    assert.equal((await times()).size, 0);
    await frames.saveAll([frame], holder);
    assert.deepEqual((await times()).get('funding'), [1000]);
    const report = { report: silentReport(okx), minutes: '1', days: '' };
    await assert.rejects(saveReports(storage, [report], former), FencedError);
    assert.equal((await allReports(storage)).readable.size, 0);
    const samples = new SampleStore(storage);
    await samples.open();
    await assert.rejects(samples.add(EMPTY_SAMPLE, former), FencedError);
    assert.equal(await samples.span(), null);
    const publication = { span: { firstAsOfMs: 1, lastAsOfMs: 2 }, changes: [], parts: [], notices: [] };
    await assert.rejects(savePublication(storage, publication, former), FencedError);
    assert.equal((await loadListings(storage)).span, null);
    await savePublication(storage, publication, holder);
    assert.deepEqual((await loadListings(storage)).span, publication.span);
  });

  test('a new holder waits for a running write of the former', async () => {
    const order: string[] = [];
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let hasBegun: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const holder = await nextFence(storage, 'engine');
    const writing = storage.db.transaction().execute(async (trx) => {
      await checkFence(trx, holder);
      hasBegun();
      await finished;
      order.push('written');
    });
    await begun;
    const claimed = nextFence(storage, 'engine').then(() => order.push('claimed'));
    await until(async () => {
      const waiting = sql`select 1 from pg_locks where not granted`;
      return (await waiting.execute(storage.db)).rows.length > 0;
    }, 'the new holder waiting for the lock');
    finish();
    await Promise.all([writing, claimed]);
    assert.deepEqual(order, ['written', 'claimed']);
  });
});

suite('depth samples while the database is unavailable', () => {
  test('the oldest minutes are dropped and counted, the others stored in order', async () => {
    let isUnavailable = true;
    const stored: number[] = [];
    const dropped: number[] = [];
    const queue = new SampleQueue<string>({
      store: async (minute) => {
        if (isUnavailable) throw new Error('unavailable');
        stored.push(minute);
      },
      isTemporary: () => isUnavailable,
      onDropped: (minute) => dropped.push(minute),
    });
    for (let minute = 1; minute <= 300; minute++) assert.equal(await queue.add(minute, ''), false);
    assert.equal(queue.waiting, 240);
    assert.deepEqual(
      dropped,
      Array.from({ length: 60 }, (_, i) => i + 1),
    );
    isUnavailable = false;
    assert.equal(await queue.add(301, ''), true);
    assert.deepEqual(
      stored,
      Array.from({ length: 240 }, (_, i) => i + 62),
    );
    assert.deepEqual(dropped.at(-1), 61);
  });

  test('a minute that can never be stored does not delay the others', async () => {
    const stored: number[] = [];
    const queue = new SampleQueue<string>({
      store: async (minute) => {
        if (minute === 1) throw new Error('not this one');
        stored.push(minute);
      },
      isTemporary: () => false,
      onDropped: () => undefined,
    });
    await assert.rejects(queue.add(1, ''), /not this one/);
    assert.equal(await queue.add(2, ''), true);
    assert.deepEqual(stored, [2]);
  });
});

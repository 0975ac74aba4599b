import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { LocalBacktest } from '../../src/engines/backtest/running/host.ts';
import { decodeSamples, encodeSamples, SampleBlockError } from '../../src/history/samples/codec.ts';
import { MINUTES_PER_BLOCK, type MinuteSample } from '../../src/history/samples/model.ts';
import { SampleStore } from '../../src/history/samples/store.ts';
import { freshSqlite, onBothDatabases, openFor } from '../storage/databases.ts';
import { market, marketSeed } from './markets.ts';
import { minute, START_MINUTE } from './setting.ts';
import { storeMarket } from './stored-market.ts';

const HOUR_START = START_MINUTE - (START_MINUTE % MINUTES_PER_BLOCK);
const NAMES = [
  { exchange: 'Alpha', venueSymbol: 'BTCUSDT', coin: 'BTC', quote: 'USDT' },
  { exchange: 'Beta', venueSymbol: 'BTC-USD', coin: 'BTC', quote: 'USD' },
];

function withoutVolumes(samples: readonly MinuteSample[]) {
  return samples.map(({ volumesUsdt, ...sample }) => sample);
}

suite('sample blocks', () => {
  test('encoding and decoding is lossless', () => {
    fc.assert(
      fc.property(marketSeed, (seed) => {
        const { samples } = market(seed);
        assert.deepEqual(withoutVolumes(decodeSamples(encodeSamples(samples))), withoutVolumes(samples));
      }),
      { numRuns: 60 },
    );
  });

  test('encoding is lossless for tiny, huge, missing and jumping prices', () => {
    const price = fc.oneof(
      fc.constant(Number.NaN),
      fc.float({ min: Math.fround(1e-30), max: Math.fround(1e30), noNaN: true }),
    );
    const prices = fc.array(price, { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.constantFrom('1', '7', '4000000'), prices)), (minutes) => {
        const samples = minutes.map((one, i) => minute(HOUR_START + i * 3, one as Record<number, number[]>));
        assert.deepEqual(withoutVolumes(decodeSamples(encodeSamples(samples))), withoutVolumes(samples));
      }),
      { numRuns: 200 },
    );
  });

  test('a block that is truncated or has a changed byte is refused', () => {
    const block = encodeSamples([minute(HOUR_START, { 1: [99, 101], 2: [98, 100] })]);
    for (let length = 0; length < block.length; length++)
      assert.throws(() => decodeSamples(block.subarray(0, length)), SampleBlockError);
    for (let at = 0; at < block.length; at++) {
      const changed = Buffer.from(block);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => decodeSamples(changed), SampleBlockError);
    }
  });
});

suite('stored samples', () => {
  onBothDatabases((fresh) => {
    test('are read in order, and packing full hours does not change them', async (t) => {
      const store = new SampleStore(await openFor(t, await fresh(t)));
      await store.open();
      await storeMarket(store, ['Alpha', 'Beta'], HOUR_START - 30, HOUR_START + 150);
      const before = await readAll(store);
      assert.equal(before.length, 181);
      assert.deepEqual(await store.unpackedHours(HOUR_START + 150), [HOUR_START - 60]);
      const packer = new LocalBacktest();
      for (const hour of await store.unpackedHours(HOUR_START + 180)) {
        await store.replaceHour(hour, await packer.pack(await store.blocksOfHour(hour)));
      }
      assert.deepEqual(await store.unpackedHours(HOUR_START + 180), []);
      assert.deepEqual(await readAll(store), before);
      assert.deepEqual(await store.span(), { firstMinute: HOUR_START - 60, lastMinute: HOUR_START + 179 });
    });

    test('old ones are deleted in whole blocks, and none that is still needed', async (t) => {
      const storage = await openFor(t, await fresh(t));
      const store = new SampleStore(storage);
      await store.open();
      const dayStart = HOUR_START - (HOUR_START % 1440);
      await storeMarket(store, ['Alpha'], dayStart - 120, dayStart + 299);
      await store.deleteBefore(dayStart + 130);
      const left = await readAll(store);
      assert.ok((left[0]?.minute ?? 0) <= dayStart + 130);
      // PostgreSQL drops the previous day's partition and keeps that of the limit's day.
      assert.equal(left[0]?.minute, storage.kind === 'sqlite' ? dayStart + 120 : dayStart);
      await store.deleteBefore(dayStart + 30);
      assert.deepEqual(await readAll(store), left, 'nothing more to delete');
    });

    test('gaps are found', async (t) => {
      const store = new SampleStore(await openFor(t, await fresh(t)));
      await store.open();
      const missing = async (fromMinute: number, toMinute: number) =>
        (await store.missing(HOUR_START + fromMinute, HOUR_START + toMinute)).map((range) => [
          range.fromMinute - HOUR_START,
          range.toMinute - HOUR_START,
        ]);
      assert.deepEqual(await missing(0, 9), [[0, 9]]);
      await storeMarket(store, ['Alpha'], HOUR_START - 10, HOUR_START + 130);
      await storeMarket(store, ['Alpha'], HOUR_START + 180, HOUR_START + 239);
      assert.deepEqual(await missing(-5, 130), []);
      assert.deepEqual(await missing(-20, 200), [
        [-20, -11],
        [131, 179],
      ]);
      assert.deepEqual(await missing(150, 160), [[150, 160]]);
      assert.deepEqual(await missing(70, 300), [
        [131, 179],
        [240, 300],
      ]);
    });

    test('contracts keep their numbers after a restart, and two callers never number one twice', async (t) => {
      const options = await fresh(t);
      const store = new SampleStore(await openFor(t, options));
      await store.open();
      const [one, other] = await Promise.all([store.idsOf(NAMES), store.idsOf(NAMES.toReversed())]);
      assert.deepEqual(one, other.toReversed());
      const again = new SampleStore(await openFor(t, options));
      await again.open();
      assert.deepEqual(await again.idsOf(NAMES), one);
      assert.deepEqual(again.contracts, store.contracts);
    });

    test('a contract whose fee changes gets a new number, and keeps both after a restart', async (t) => {
      const options = await fresh(t);
      const store = new SampleStore(await openFor(t, options));
      await store.open();
      const [usual, other] = await store.idsOf(NAMES);
      const innovation = NAMES.map((name) => ({ ...name, takerFeePct: 0.11 }));
      assert.deepEqual(await store.idsOf(innovation), [3, 4]);
      const again = new SampleStore(await openFor(t, options));
      await again.open();
      assert.deepEqual(await again.idsOf(NAMES), [usual, other]);
      assert.deepEqual(await again.idsOf(innovation), [3, 4]);
      assert.deepEqual(
        again.contracts.map((contract) => contract.takerFeePct),
        [undefined, undefined, 0.11, 0.11],
      );
    });

    test('a minute that is already stored is not changed', async (t) => {
      const store = new SampleStore(await openFor(t, await fresh(t)));
      await store.open();
      await store.add(minute(HOUR_START, { 1: [99, 101] }));
      await store.add(minute(HOUR_START, { 1: [5, 6] }));
      assert.deepEqual(
        withoutVolumes(await readAll(store)),
        withoutVolumes([minute(HOUR_START, { 1: [99, 101] })]),
      );
    });
  });

  test('a failure to number a contract rejects one call, and the next call numbers it', async (t) => {
    const storage = await openFor(t, await freshSqlite(t));
    const store = new SampleStore(storage);
    await store.open();
    // Another process has used the number.
    await storage.db
      .insertInto('depth_contracts')
      .values({ id: 1, exchange: 'Gamma', venue_symbol: 'X', coin: 'X', quote: 'USDT', taker_fee_pct: null })
      .execute();
    await assert.rejects(store.idsOf(NAMES));
    await storage.db.deleteFrom('depth_contracts').execute();
    assert.deepEqual(await store.idsOf(NAMES), [1, 2]);
  });

  test('kill -9 while minutes are written and hours are packed: no partial block, no acknowledged minute lost', async (t) => {
    const options = await freshSqlite(t);
    const program = join(import.meta.dirname, 'write-and-die.ts');
    const child = spawn(process.execPath, [program, options.sqliteFile, String(HOUR_START)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.split('\n').length > 150) child.kill('SIGKILL');
    });
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL');
    const acknowledged = output.split('\n').slice(0, -1).map(Number);
    const store = new SampleStore(await openFor(t, options));
    await store.open();
    const held = new Set((await readAll(store)).map((sample) => sample.minute));
    for (const one of acknowledged) assert.ok(held.has(one), `minute ${one} was acknowledged`);
    assert.ok(acknowledged.length >= 150);
  });
});

/** All stored samples, decoded: a partial block would throw. */
async function readAll(store: SampleStore): Promise<MinuteSample[]> {
  const samples: MinuteSample[] = [];
  let read = 0;
  for (let stored = await store.nextAfter(read); stored; stored = await store.nextAfter(read)) {
    samples.push(...decodeSamples(stored.block));
    read = stored.startMinute + stored.minutes - 1;
  }
  return samples;
}

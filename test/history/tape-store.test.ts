import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { MINUTE_MS } from '../../src/base/times.ts';
import { TapePacker } from '../../src/history/tape/packer.ts';
import { DAY_MINUTES, TapeStore } from '../../src/history/tape/store.ts';
import { type TapeRow, TapeWriter } from '../../src/history/tape/writer.ts';
import { TAPE_DAY_PARTS, tapeDayId } from '../../src/storage/blocks.ts';
import { FencedError } from '../../src/storage/fences.ts';
import {
  freshPostgres,
  nextFence,
  onBothDatabases,
  openFor,
  silentLog,
  skipPostgres,
} from '../storage/databases.ts';

/** A midnight. */
const DAY = Math.floor(Date.UTC(2026, 10, 14) / MINUTE_MS);
const { NaN: UNKNOWN } = Number;
const BTC = { exchange: 'OKX', venueSymbol: 'BTC' };

function row(venueSymbol: string, ratePct: number, exchange = 'OKX'): TapeRow {
  return {
    names: { exchange, venueSymbol, symbol: `${venueSymbol}-USDT`, coin: venueSymbol },
    figures: {
      ...{ ratePct, intervalHours: 8, nextFundingAtMs: (DAY + 480) * MINUTE_MS, premiumPct: ratePct / 2 },
      ...{ markPrice: 100 + ratePct, openInterestUsdt: UNKNOWN, volume24hUsdt: 5000 },
    },
  };
}

suite('the stored tape', () => {
  onBothDatabases((fresh) => {
    const opened = async (t: TestContext) => {
      const storage = await openFor(t, await fresh(t));
      const log = silentLog;
      const writer = new TapeWriter(storage, log);
      const packer = new TapePacker(storage, log);
      const store = new TapeStore(storage, log);
      const rates = async (fromMinute: number, toMinute: number, contract = BTC) => [
        ...(await store.series(contract, fromMinute, toMinute)).column('ratePct'),
      ];
      const counts = async () => {
        const of = async (table: 'tape_blocks' | 'tape_days') =>
          (await storage.db.selectFrom(table).select('block').execute()).length;
        return [await of('tape_blocks'), (await of('tape_days')) / TAPE_DAY_PARTS];
      };
      /** Minute i of the day has the rate i / 1e4. */
      const write = async (fromMinute: number, toMinute: number) => {
        for (let minute = fromMinute; minute <= toMinute; minute++)
          await writer.save(minute, [row('BTC', (minute - DAY) / 1e4), row('ETH', 0.01, 'Bybit')], null);
      };
      return { storage, writer, packer, store, rates, counts, write };
    };

    test('a minute is read as it was written, and a contract that the tape does not have is a gap', async (t) => {
      const { writer, store, rates } = await opened(t);
      await writer.save(DAY, [row('BTC', 0.0123), row('BTC', -0.5, 'Bybit')], null);
      assert.deepEqual(await rates(DAY - 1, DAY + 1), [UNKNOWN, 0.0123, UNKNOWN]);
      assert.deepEqual(await rates(DAY, DAY, { exchange: 'Bybit', venueSymbol: 'BTC' }), [-0.5]);
      assert.deepEqual(await rates(DAY, DAY, { exchange: 'Bybit', venueSymbol: 'SOL' }), [UNKNOWN]);
      const series = await store.series(BTC, DAY, DAY);
      assert.deepEqual([...series.column('openInterestUsdt')], [UNKNOWN]);
      assert.deepEqual([...series.column('volume24hUsdt')], [5000]);
    });

    test('a minute that is stored stays as it is, also once it is packed', async (t) => {
      const { writer, packer, rates, counts } = await opened(t);
      await writer.save(DAY, [row('BTC', 0.01)], null);
      await writer.save(DAY, [row('BTC', 0.99)], null);
      assert.deepEqual(await rates(DAY, DAY), [0.01]);
      await packer.pack(DAY + 60, null);
      await writer.save(DAY, [row('BTC', 0.99)], null);
      assert.deepEqual(await rates(DAY, DAY), [0.01], 'packed into an hour');
      await packer.pack(DAY + DAY_MINUTES, null);
      await writer.save(DAY, [row('BTC', 0.99)], null);
      await writer.save(DAY + 1, [row('BTC', 0.02)], null);
      assert.deepEqual(await rates(DAY, DAY + 1), [0.01, 0.02], 'packed into a day');
      await packer.pack(DAY + 2 * DAY_MINUTES, null);
      assert.deepEqual(await rates(DAY, DAY + 1), [0.01, 0.02], 'packed into the same day again');
      assert.deepEqual(await counts(), [0, 1]);
    });

    test('packing changes no answer, and keeps one row per venue and hour, and some per contract and day', async (t) => {
      const { packer, store, counts, write } = await opened(t);
      // A gap within an hour, and one over midnight.
      await write(DAY + 50, DAY + 70);
      await write(DAY + 75, DAY + 130);
      await write(DAY + DAY_MINUTES + 3, DAY + DAY_MINUTES + 9);
      const read = async () => {
        const series = await store.series(BTC, DAY + 40, DAY + DAY_MINUTES + 20);
        return (['ratePct', 'nextFundingAtMs', 'premiumPct', 'markPrice'] as const).map((name) => [
          ...series.column(name),
        ]);
      };
      const before = await read();
      assert.equal(before[0]?.filter((rate) => !Number.isNaN(rate)).length, 21 + 56 + 7);
      assert.equal(before[3]?.[(50 - 40) / 5], 100 + 54 / 1e4, 'five minutes are what their last minute was');
      await packer.pack(DAY + 131, null);
      // Two venues: two hours each, eleven minutes of the third, seven of the next day.
      assert.deepEqual(await counts(), [2 * (2 + 11 + 7), 0]);
      assert.deepEqual(await read(), before);
      await packer.pack(DAY + DAY_MINUTES + 10, null);
      assert.deepEqual(await counts(), [2 * 7, 2]);
      assert.deepEqual(await read(), before);
      await packer.pack(DAY + DAY_MINUTES + 10, null);
      assert.deepEqual(await read(), before);
    });

    test('a day of all contracts, packed or not', async (t) => {
      const { packer, store, write } = await opened(t);
      await write(DAY + 10, DAY + 12);
      const day = async () => {
        const found = await Array.fromAsync(store.day(DAY / DAY_MINUTES));
        return found.map(({ contract, series }) => [
          contract.exchange,
          contract.symbol,
          [...series.column('ratePct').slice(9, 14)],
        ]);
      };
      const wanted = [
        ['Bybit', 'ETH-USDT', [UNKNOWN, 0.01, 0.01, 0.01, UNKNOWN]],
        ['OKX', 'BTC-USDT', [UNKNOWN, 0.001, 0.0011, 0.0012, UNKNOWN]],
      ];
      assert.deepEqual(await day(), wanted);
      await packer.pack(DAY + 2 * DAY_MINUTES, null);
      assert.deepEqual(await day(), wanted);
      assert.deepEqual(await Array.fromAsync(store.day(DAY / DAY_MINUTES + 1)), []);
    });

    test('a contract keeps its number when its coin or symbol changes', async (t) => {
      const { writer, store, rates } = await opened(t);
      await writer.save(DAY, [row('BTC', 0.01), row('QNT', 0.02)], null);
      const renamed = row('QNT', 0.03);
      await writer.save(
        DAY + 1,
        [{ ...renamed, names: { ...renamed.names, coin: 'QNT.STOCK' } }, row('SOL', 0.04)],
        null,
      );
      const contracts = await store.contracts();
      assert.deepEqual(
        contracts.map(({ id, venueSymbol, coin }) => [id, venueSymbol, coin]),
        [
          [1, 'BTC', 'BTC'],
          [2, 'QNT', 'QNT.STOCK'],
          [3, 'SOL', 'SOL'],
        ],
      );
      assert.deepEqual(await rates(DAY, DAY + 1, { exchange: 'OKX', venueSymbol: 'QNT' }), [0.02, 0.03]);
    });

    test('the newest minute, whether it is packed or not', async (t) => {
      const { writer, packer } = await opened(t);
      assert.equal(await writer.newestMinute(), null);
      await writer.save(DAY + 61, [row('BTC', 0.01)], null);
      assert.equal(await writer.newestMinute(), DAY + 61);
      await packer.pack(DAY + DAY_MINUTES, null);
      assert.equal(await writer.newestMinute(), DAY + DAY_MINUTES - 1);
    });

    test('old days are deleted, and minutes after now, which a wrong clock has dated', async (t) => {
      const { writer, packer, rates, write } = await opened(t);
      await write(DAY - 1, DAY + 2);
      await packer.pack(DAY + DAY_MINUTES, null);
      await write(DAY + DAY_MINUTES, DAY + DAY_MINUTES + 9);
      await writer.prune(DAY, DAY + DAY_MINUTES + 5, null);
      assert.deepEqual(await rates(DAY - 1, DAY + 1), [UNKNOWN, 0, 0.0001]);
      assert.deepEqual(await rates(DAY + DAY_MINUTES + 4, DAY + DAY_MINUTES + 7), [
        0.1444,
        0.1445,
        UNKNOWN,
        UNKNOWN,
      ]);
    });

    for (const [name, packedAt] of [
      ['minutes', DAY],
      ['an hour', DAY + 60],
      ['a day', DAY + DAY_MINUTES],
    ] as const)
      test(`everything from a minute on is deleted out of ${name}`, async (t) => {
        const { writer, packer, store, write } = await opened(t);
        await write(DAY + 20, DAY + 40);
        await packer.pack(packedAt, null);
        await writer.deleteFrom(DAY + 31, null);
        const series = await store.series(BTC, DAY + 19, DAY + 45);
        const wanted = Array.from({ length: 27 }, (_, i) => (i >= 1 && i <= 11 ? (19 + i) / 1e4 : UNKNOWN));
        assert.deepEqual([...series.column('ratePct')], wanted);
        const marks = [...series.column('markPrice')];
        assert.deepEqual(marks.slice(0, 3), [UNKNOWN, 100.0024, 100.0029]);
        assert.ok(marks.slice(4).every(Number.isNaN), 'no five minutes are of a deleted minute');
      });

    test('a damaged day is a gap, and the days beside it are read', async (t) => {
      const { storage, packer, rates, write } = await opened(t);
      await write(DAY + 5, DAY + 5);
      await write(DAY + DAY_MINUTES + 5, DAY + DAY_MINUTES + 5);
      await packer.pack(DAY + 2 * DAY_MINUTES, null);
      const first = tapeDayId(DAY / DAY_MINUTES, 1);
      await storage.db
        .updateTable('tape_days')
        .set({ block: Buffer.from('damaged') })
        .where('id', '=', first)
        .execute();
      const read = await rates(DAY, DAY + 2 * DAY_MINUTES);
      assert.deepEqual([read[5], read[DAY_MINUTES + 5]], [UNKNOWN, 0.1445]);
    });

    test('a damaged block is a gap, and the rest is packed all the same', async (t) => {
      const { storage, packer, rates, write } = await opened(t);
      await write(DAY, DAY + 3);
      await storage.db
        .updateTable('tape_blocks')
        .set({ block: Buffer.from('damaged') })
        .where('start_minute', '=', DAY + 1)
        .execute();
      const wanted = [0, UNKNOWN, 0.0002, 0.0003];
      assert.deepEqual(await rates(DAY, DAY + 3), wanted);
      await packer.pack(DAY + DAY_MINUTES, null);
      assert.deepEqual(await rates(DAY, DAY + 3), wanted);
    });
  });

  test('a process that another one has followed writes nothing any more', {
    skip: skipPostgres,
  }, async (t) => {
    const storage = await openFor(t, await freshPostgres(t));
    const [writer, packer] = [new TapeWriter(storage, silentLog), new TapePacker(storage, silentLog)];
    const former = await nextFence(storage, 'engine');
    await writer.save(DAY, [row('BTC', 0.01)], former);
    const owner = await nextFence(storage, 'engine');
    await assert.rejects(writer.save(DAY + 1, [row('BTC', 0.99)], former), FencedError);
    await assert.rejects(writer.save(DAY + 1, [row('NEW', 0.99)], former), FencedError);
    await assert.rejects(writer.prune(DAY + 5, DAY + 6, former), FencedError);
    await assert.rejects(writer.deleteFrom(DAY, former), FencedError);
    await assert.rejects(packer.pack(DAY + 60, former), FencedError);
    await new TapeWriter(storage, silentLog).save(DAY + 1, [row('BTC', 0.02)], owner);
    const store = new TapeStore(storage, silentLog);
    assert.deepEqual([...(await store.series(BTC, DAY, DAY + 2)).column('ratePct')], [0.01, 0.02, UNKNOWN]);
    assert.deepEqual(
      (await store.contracts()).map(({ venueSymbol }) => venueSymbol),
      ['BTC'],
    );
  });
});

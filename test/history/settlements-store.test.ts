import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createMetrics } from '../../src/base/metrics.ts';
import { roundPercent } from '../../src/base/numbers.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { knownTimes } from '../../src/history/settlements/dated-prints.ts';
import { daySums } from '../../src/history/settlements/days.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import type { OnConflict, Print } from '../../src/history/settlements/merge.ts';
import { intervalsOf } from '../../src/history/settlements/times.ts';
import { onBothDatabases, silentLog } from '../storage/databases.ts';
import { BTC, type Keeping, keeping, minuteOf, NOW_MS } from './keeping.ts';

const FROM = minuteOf('2026-08-01T00:00:00Z');

/** Prints whose interval changes every eleven days. */
function series(days: number, seed: number): Print[] {
  const prints: Print[] = [];
  let minute = FROM;
  for (let day = 0; day < days; day++) {
    const hours = [8, 8, 4, 1, 8, 2][Math.floor(day / 11 + seed) % 6] ?? 8;
    for (let hour = 0; hour < 24; hour += hours, minute += hours * 60)
      prints.push({ minute, ratePct: (((minute * 7919 + seed) % 40_001) - 20_000) / 1e6 });
  }
  return prints;
}

async function write({ keeper }: Keeping, prints: readonly Print[], onConflict: OnConflict = 'replace') {
  return await keeper.submit({ names: BTC, prints, walked: null, onConflict });
}

async function everything({ keeper }: Keeping) {
  const contract = keeper.directory.find('Binance', 'BTCUSDT');
  assert.ok(contract);
  const prints = await keeper.reader.prints(contract.id, 0, 2 ** 31);
  const [days = []] = await keeper.reader.days([contract.id], 0, 40_000);
  return { contract, prints, days };
}

suite('settlement store', () => {
  onBothDatabases((fresh) => {
    test('prints and day sums do not depend on the order and batches in which prints arrive', async (t) => {
      const all = series(100, 1);
      const minutes = all.map((print) => print.minute);
      const rates = all.map((print) => print.ratePct);
      const intervals = intervalsOf(minutes).minutes;
      const wanted = daySums(minutes, rates, intervals, 0, minutes.length);
      const shuffles = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), {
        numRuns: 2,
        seed: 5,
      });
      const halves = [all.slice(300), all.slice(0, 300)].flat();
      for (const order of [all, all.toReversed(), halves, ...shuffles]) {
        const kept = await keeping(t, fresh);
        for (let i = 0; i < order.length; i += 97) await write(kept, order.slice(i, i + 97));
        const { prints, days, contract } = await everything(kept);
        assert.deepEqual(prints.minutes, minutes);
        assert.deepEqual(prints.ratesPct, rates);
        assert.deepEqual([...prints.intervalMinutes], [...intervals]);
        assert.deepEqual(days, wanted);
        assert.equal(contract.printCount, all.length);
        assert.equal(contract.heldSinceMs, FROM * MINUTE_MS);
        assert.equal(contract.lastPrintMs, (minutes.at(-1) ?? 0) * MINUTE_MS);
        assert.deepEqual(await kept.keeper.gaps.due(Number.MAX_SAFE_INTEGER), [], 'no gap is left');
      }
    });

    test('writing the same prints again changes nothing', async (t) => {
      const kept = await keeping(t, fresh);
      const prints = series(10, 2);
      await write(kept, prints);
      const before = await everything(kept);
      const again = await write(kept, [...prints, ...prints.slice(3, 5)]);
      assert.deepEqual([again.added, again.corrections], [[], []]);
      const after = await everything(kept);
      assert.deepEqual(after.prints, before.prints);
      assert.equal(after.contract.printCount, prints.length);
    });

    test('a corrected rate replaces the old one, is counted, and the old one is stored', async (t) => {
      const kept = await keeping(t, fresh);
      const prints = series(3, 1);
      await write(kept, prints);
      const [first] = prints;
      assert.ok(first);
      const { corrections } = await write(kept, [{ minute: first.minute, ratePct: 0.5 }]);
      assert.deepEqual(corrections, [{ minute: first.minute, oldRatePct: first.ratePct, newRatePct: 0.5 }]);
      const { prints: held, days } = await everything(kept);
      assert.equal(held.ratesPct[0], 0.5);
      const dayRates = prints.filter((print) => print.minute < FROM + 1440).map((print) => print.ratePct);
      const wanted = dayRates.slice(1).reduce((sum, rate) => sum + rate, 0.5);
      assert.equal(roundPercent(days[0]?.sumPct ?? 0), roundPercent(wanted), 'the day is up to date');
      const rows = await kept.storage.db.selectFrom('settlement_corrections').selectAll().execute();
      assert.equal(rows.length, 1);
      assert.equal(rows[0]?.old_rate_pct, first.ratePct);
      const counted = await kept.metrics.settlementsCorrected.get();
      assert.equal(counted.values[0]?.value, 1);
    });

    test('when a print was learned is stored with it, and neither a correction nor a later neighbour changes it', async (t) => {
      const kept = await keeping(t, fresh);
      const prints = series(40, 1);
      const known = async () =>
        await knownTimes(kept.storage, (await everything(kept)).contract.id, FROM, FROM + 60 * 1440);
      const [first, second, third, ...others] = prints;
      assert.ok(first && second && third);
      await write(kept, [first, third]);
      kept.clock.advanceMs(HOUR_MS + 500);
      await write(kept, [second, ...others]);
      kept.clock.advanceMs(HOUR_MS);
      await write(kept, [{ minute: first.minute, ratePct: 0.5 }, third]);
      const [early, late] = [NOW_MS / 1000, NOW_MS / 1000 + 3601];
      const wanted = new Map(prints.map(({ minute }) => [minute, late]));
      wanted.set(first.minute, early).set(third.minute, early);
      assert.deepEqual([...(await known())].sort(), [...wanted].sort());
      // As a version without these times has stored them.
      await kept.storage.db.updateTable('settlement_blocks').set({ known: null }).execute();
      assert.deepEqual(await known(), new Map());
      await write(kept, [{ minute: FROM + 1, ratePct: 0.1, knownSeconds: 77 }]);
      await write(kept, [{ minute: FROM + 1, ratePct: 0.2 }]);
      assert.deepEqual([...(await known())], [[FROM + 1, 77]]);
    });

    test('a differing rate from a file does not replace the stored one', async (t) => {
      const kept = await keeping(t, fresh);
      const prints = series(3, 1);
      await write(kept, prints);
      await write(kept, [{ minute: FROM, ratePct: 0.5 }], 'keep');
      assert.equal((await everything(kept)).prints.ratesPct[0], prints[0]?.ratePct);
    });

    test('a gap is queued, and deleted once it is filled', async (t) => {
      const kept = await keeping(t, fresh);
      const prints = series(8, 1);
      const missing = prints.slice(9, 15);
      await write(
        kept,
        prints.filter((print) => !missing.includes(print)),
      );
      const [gap, ...others] = await kept.keeper.gaps.due(Number.MAX_SAFE_INTEGER);
      assert.ok(gap);
      assert.deepEqual(others, []);
      assert.deepEqual([gap.afterMinute, gap.beforeMinute], [prints[8]?.minute, prints[15]?.minute]);
      assert.deepEqual(await kept.keeper.gaps.due(NOW_MS), [], 'the first retry is a minute later');
      await write(kept, missing.slice(0, 3));
      const [narrower] = await kept.keeper.gaps.due(Number.MAX_SAFE_INTEGER);
      assert.deepEqual(
        [narrower?.afterMinute, narrower?.beforeMinute],
        [prints[11]?.minute, prints[15]?.minute],
      );
      await write(kept, missing);
      assert.deepEqual(await kept.keeper.gaps.due(Number.MAX_SAFE_INTEGER), []);
    });

    test('a gap that the venue cannot fill is retried with backoff, seven times in all', async (t) => {
      const kept = await keeping(t, fresh);
      await write(
        kept,
        series(8, 1).filter((_, i) => i < 5 || i > 9),
      );
      const waits: number[] = [];
      for (let nowMs = NOW_MS + HOUR_MS; waits.length < 20; ) {
        const [gap] = await kept.keeper.gaps.due(nowMs);
        if (!gap) break;
        await kept.keeper.gaps.countTry(gap, nowMs);
        const { next_try_at_ms: next } = await kept.storage.db
          .selectFrom('settlement_gaps')
          .select('next_try_at_ms')
          .executeTakeFirstOrThrow();
        if (next === null) break;
        waits.push((next - nowMs) / MINUTE_MS);
        nowMs = next;
      }
      assert.deepEqual(waits, [10, 40, 160, 640, 2560, 10_240]);
      assert.deepEqual(await kept.keeper.gaps.due(Number.MAX_SAFE_INTEGER), []);
      assert.deepEqual(
        [...(await kept.keeper.gaps.countByExchange())],
        [['Binance', 1]],
        'it is still counted',
      );
    });

    test('several writes of a contract in one transaction: the directory has the state after the last', async (t) => {
      const kept = await keeping(t, fresh);
      const prints = series(40, 3);
      const submits = [0, 1, 2].map((part) =>
        kept.keeper.submit({
          names: BTC,
          prints: prints.filter((_, i) => i % 3 === part),
          walked: null,
          onConflict: 'replace',
        }),
      );
      await Promise.all(submits);
      const { contract } = await everything(kept);
      assert.equal(contract.printCount, prints.length);
    });

    test('two concurrent writers lose no prints', async (t) => {
      const kept = await keeping(t, fresh);
      const other = await SettlementKeeper.open({
        storage: kept.storage,
        clock: kept.clock,
        log: silentLog,
        metrics: createMetrics(),
      });
      t.after(() => other.close());
      const prints = series(40, 3);
      const of = (remainder: number) => prints.filter((_, i) => i % 2 === remainder);
      const parts = [kept.keeper, other].flatMap((keeper, remainder) =>
        [0, 1, 2].map((part) =>
          keeper.submit({
            names: BTC,
            prints: of(remainder).filter((_, i) => i % 3 === part),
            walked: null,
            onConflict: 'replace',
          }),
        ),
      );
      await Promise.all(parts);
      await kept.keeper.refresh();
      const { prints: held, contract } = await everything(kept);
      assert.deepEqual(
        held.minutes,
        prints.map((print) => print.minute),
      );
      assert.equal(contract.printCount, prints.length);
    });

    test('refresh loads the writes of another process, including sums and the newest print', async (t) => {
      const kept = await keeping(t, fresh);
      const other = await SettlementKeeper.open({
        storage: kept.storage,
        clock: kept.clock,
        log: silentLog,
        metrics: createMetrics(),
      });
      t.after(() => other.close());
      const prints = Array.from({ length: 24 * 8 }, (_, i) => ({
        minute: NOW_MS / MINUTE_MS - 30 - i * 60,
        ratePct: 0.001,
      }));
      await other.submit({ names: BTC, prints, walked: null, onConflict: 'replace' });
      const { changes } = kept.keeper;
      await kept.keeper.refresh();
      assert.ok(kept.keeper.changes > changes);
      assert.equal(kept.keeper.directory.find('Binance', 'BTCUSDT')?.printCount, prints.length);
      const settled = kept.keeper.sums.at(NOW_MS).get('Binance/BTCUSDT');
      assert.equal(settled?.sum7dPct, 0.168);
      assert.deepEqual(settled?.last, { ratePct: 0.001, settledAtMs: NOW_MS - 30 * MINUTE_MS });
    });

    test('only overlapping ranges are merged into the walked range', async (t) => {
      const kept = await keeping(t, fresh);
      const walk = async (fromDay: number, toDay: number) => {
        const walked = { fromMs: NOW_MS + fromDay * DAY_MS, toMs: NOW_MS + toDay * DAY_MS };
        const { contract } = await kept.keeper.submit({
          names: BTC,
          prints: [],
          walked,
          onConflict: 'replace',
        });
        return [contract.walkedFromMs, contract.walkedToMs].map((ms) => ((ms ?? 0) - NOW_MS) / DAY_MS);
      };
      assert.deepEqual(await walk(-10, 0), [-10, 0]);
      assert.deepEqual(await walk(-20, -10), [-20, 0]);
      assert.deepEqual(await walk(-60, -40), [-20, 0], 'a separate range would hide the gap between them');
      assert.deepEqual(await walk(-1, 2), [-20, 2]);
    });

    test('contracts, sums and the newest print are the same after a restart', async (t) => {
      const kept = await keeping(t, fresh);
      const hourly = Array.from({ length: 24 * 31 }, (_, i) => ({
        minute: NOW_MS / MINUTE_MS - 30 - i * 60,
        ratePct: ((i % 9) - 4) / 1000,
      }));
      await write(kept, hourly);
      const again = await SettlementKeeper.open({ ...kept, log: silentLog });
      t.after(() => again.close());
      assert.deepEqual(again.directory.all(), kept.keeper.directory.all());
      assert.deepEqual(again.sums.at(NOW_MS), kept.keeper.sums.at(NOW_MS));
      const settled = again.sums.at(NOW_MS).get('Binance/BTCUSDT');
      assert.equal(typeof settled?.sum30dPct, 'number');
      assert.deepEqual(settled?.last, { ratePct: -0.004, settledAtMs: NOW_MS - 30 * MINUTE_MS });
    });

    test('a contract whose coin is corrected keeps its history', async (t) => {
      const kept = await keeping(t, fresh);
      await write(kept, series(3, 1));
      await kept.keeper.updateNames([{ ...BTC, coin: 'XBT', symbol: 'XBT-USDT' }]);
      assert.deepEqual(kept.keeper.directory.ofCoin('BTC'), []);
      assert.deepEqual(
        kept.keeper.directory.ofCoin('XBT').map(({ symbol, printCount }) => [symbol, printCount]),
        [['XBT-USDT', series(3, 1).length]],
      );
    });
  });
});

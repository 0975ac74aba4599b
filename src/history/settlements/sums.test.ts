import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { roundPercent } from '../../base/numbers.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { SettlementSums } from './sums.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);
const hourly = (count: number, ratePct = 0.001) =>
  Array.from({ length: count }, (_, i) => ({
    minute: Math.floor(NOW_MS / HOUR_MS) * 60 - i * 60,
    ratePct,
  })).toReversed();

suite('rolling sums', () => {
  test('updating print by print gives the same sums as recomputing', () => {
    const rate = fc.integer({ min: -50_000, max: 50_000 }).map((units) => units / 1e6);
    const gap = fc.constantFrom(1, 1, 1, 4, 8);
    const run = fc.array(fc.tuple(gap, rate), { minLength: 300, maxLength: 900 });
    fc.assert(
      fc.property(run, fc.integer({ min: 1, max: 13 }), (steps, hop) => {
        let minute = Date.UTC(2026, 6, 1) / MINUTE_MS;
        const prints = steps.map(([hours, ratePct]) => {
          minute += hours * 60;
          return { minute, ratePct };
        });
        const moving = new SettlementSums();
        for (const [i, print] of prints.entries()) {
          moving.put('x', [print]);
          if (i % hop !== 0) continue;
          const asOfMs = print.minute * MINUTE_MS + 90_000;
          const recomputed = new SettlementSums();
          recomputed.put('x', prints.slice(0, i + 1));
          assert.deepEqual(moving.at(asOfMs).get('x'), recomputed.at(asOfMs).get('x'));
          const { sum30dPct = null, coveredUntilMs = null } = moving.at(asOfMs).get('x') ?? {};
          if (sum30dPct === null || coveredUntilMs === null) continue;
          const inside = prints.filter(
            (one) =>
              one.minute * MINUTE_MS > coveredUntilMs - 30 * DAY_MS &&
              one.minute * MINUTE_MS <= coveredUntilMs,
          );
          assert.equal(sum30dPct, roundPercent(inside.reduce((sum, one) => sum + one.ratePct, 0)));
        }
      }),
      { numRuns: 20 },
    );
  });

  test('prints in any order, twice and corrected, give the sums of a plain recomputation', () => {
    const rate = fc.oneof(
      fc.integer({ min: -50_000, max: 50_000 }).map((units) => units / 1e6),
      fc.integer({ min: -999_999, max: 999_999 }).map((units) => units / 1e11),
    );
    const hours = fc.integer({ min: 0, max: 100 * 24 });
    const puts = fc.array(fc.array(fc.tuple(hours, rate), { minLength: 1, maxLength: 40 }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(puts, (batches) => {
        const sums = new SettlementSums();
        const held = new Map<number, number>();
        const startMinute = Date.UTC(2026, 6, 1) / MINUTE_MS;
        for (const batch of batches) {
          const prints = batch.map(([hour, ratePct]) => ({ minute: startMinute + hour * 60, ratePct }));
          sums.put('x', prints);
          for (const { minute, ratePct } of prints) held.set(minute, ratePct);
          const asOfMs = Math.max(...held.keys()) * MINUTE_MS + 30_000;
          const plain = new SettlementSums();
          plain.put(
            'x',
            [...held].map(([minute, ratePct]) => ({ minute, ratePct })).sort((a, b) => a.minute - b.minute),
          );
          const [found, wanted] = [sums.at(asOfMs).get('x'), plain.at(asOfMs).get('x')];
          assert.deepEqual(found, wanted);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('the sums of 1 and 90 days have their own windows', () => {
    const sums = new SettlementSums();
    sums.put('x', hourly(24 * 95));
    assert.deepEqual(
      [sums.at(NOW_MS).get('x')?.sum1dPct, sums.at(NOW_MS).get('x')?.sum90dPct],
      [0.024, roundPercent(24 * 90 * 0.001)],
    );
  });

  test('the window excludes a print at its start and includes one at its end', () => {
    const sums = new SettlementSums();
    const atMs = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;
    sums.put('x', hourly(24 * 9));
    assert.equal(sums.at(atMs).get('x')?.sum7dPct, 0.168);
  });

  test('just under 95 % coverage gives no sum, 95 % gives one', () => {
    const hours = 7 * 24;
    const enough = Math.ceil(hours * 0.95);
    for (const [count, wanted] of [
      [enough, roundPercent(enough * 0.001)],
      [enough - 1, null],
    ] as const) {
      const sums = new SettlementSums();
      sums.put('x', hourly(count));
      assert.equal(sums.at(NOW_MS).get('x')?.sum7dPct, wanted, `${count} of ${hours} hours`);
    }
  });

  test('a gap in the middle counts as not covered', () => {
    const sums = new SettlementSums();
    sums.put(
      'x',
      hourly(24 * 8).filter((_, i) => i < 100 || i > 110),
    );
    const { sum7dPct, sum30dPct } = sums.at(NOW_MS).get('x') ?? {};
    assert.deepEqual([sum7dPct, sum30dPct], [null, null]);
  });

  test('until the print of a settlement is held, the window ends with the one before, and is whole', () => {
    const sums = new SettlementSums();
    sums.put('x', hourly(24 * 31));
    const lastMs = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;
    for (const lateMs of [0, 59 * MINUTE_MS, 61 * MINUTE_MS, 6 * HOUR_MS]) {
      const { sum7dPct, sum30dPct, coveredUntilMs } = sums.at(lastMs + lateMs).get('x') ?? {};
      assert.deepEqual([sum7dPct, sum30dPct, coveredUntilMs], [0.168, 0.72, lastMs], `${lateMs} ms later`);
    }
    sums.put('x', [{ minute: lastMs / MINUTE_MS + 60, ratePct: 0.002 }]);
    const next = sums.at(lastMs + 61 * MINUTE_MS).get('x');
    assert.deepEqual([next?.sum7dPct, next?.coveredUntilMs], [0.169, lastMs + HOUR_MS]);
  });

  test('a print that is missing among the last ones moves the end of the windows before it, until it comes', () => {
    const sums = new SettlementSums();
    const all = hourly(24 * 31);
    const missing = all.at(-4) ?? assert.fail();
    sums.put(
      'x',
      all.filter((print) => print !== missing),
    );
    const found = sums.at(NOW_MS).get('x');
    assert.deepEqual([found?.sum7dPct, found?.coveredUntilMs], [0.168, (missing.minute - 60) * MINUTE_MS]);
    assert.equal(found?.last.settledAtMs, Math.floor(NOW_MS / HOUR_MS) * HOUR_MS);
    sums.put('x', [missing]);
    assert.equal(sums.at(NOW_MS).get('x')?.coveredUntilMs, Math.floor(NOW_MS / HOUR_MS) * HOUR_MS);
  });

  test('a print that has been missing for more than a day counts as not covered', () => {
    const sums = new SettlementSums();
    sums.put(
      'x',
      hourly(24 * 31).filter((_, i) => i !== 24 * 29),
    );
    const found = sums.at(NOW_MS).get('x');
    assert.deepEqual(
      [found?.sum7dPct, found?.coveredUntilMs],
      [0.167, Math.floor(NOW_MS / HOUR_MS) * HOUR_MS],
    );
  });

  test('without any sum there is no end of the windows', () => {
    const sums = new SettlementSums();
    sums.put('x', hourly(5));
    assert.equal(sums.at(NOW_MS).get('x')?.coveredUntilMs, null);
  });

  test('the sum becomes null when no new prints arrive', () => {
    const sums = new SettlementSums();
    sums.put('x', hourly(24 * 31));
    assert.equal(sums.at(NOW_MS).get('x')?.sum30dPct, 0.72);
    assert.equal(sums.at(NOW_MS + 9 * HOUR_MS).get('x')?.sum7dPct, null);
    assert.equal(sums.at(NOW_MS + 2 * DAY_MS).get('x')?.sum30dPct, null);
  });

  test('after the clock is set back the earlier sums are the same', () => {
    const sums = new SettlementSums();
    sums.put('x', hourly(24 * 31));
    const before = sums.at(NOW_MS - DAY_MS);
    sums.at(NOW_MS);
    assert.deepEqual(sums.at(NOW_MS - DAY_MS), before);
  });
});

suite('the newest print', () => {
  const HOUR_MINUTES = 60;
  const lastHour = Math.floor(NOW_MS / HOUR_MS) * HOUR_MINUTES;

  test('is the last that had settled by then, and none before the first', () => {
    const sums = new SettlementSums();
    sums.put('x', [
      { minute: lastHour, ratePct: 0.02 },
      { minute: lastHour - HOUR_MINUTES, ratePct: 0.01 },
    ]);
    const lastAt = (minute: number, pastMs = 0) => sums.at(minute * MINUTE_MS + pastMs).get('x')?.last;
    assert.deepEqual(lastAt(lastHour), { ratePct: 0.02, settledAtMs: lastHour * MINUTE_MS });
    assert.deepEqual(
      lastAt(lastHour, -1),
      { ratePct: 0.01, settledAtMs: (lastHour - HOUR_MINUTES) * MINUTE_MS },
      'a print of the future is not shown, even if it is stored',
    );
    assert.equal(lastAt(lastHour - HOUR_MINUTES, -1), undefined);
  });

  test('has the rate exactly as it is stored, however many decimals the venue publishes', () => {
    const sums = new SettlementSums();
    sums.put('x', [{ minute: lastHour, ratePct: 0.0012345678901234567 }]);
    assert.equal(sums.at(NOW_MS).get('x')?.last.ratePct, 0.0012345678901234567);
  });

  test('a correction of it counts, and an older print that is stored later does not', () => {
    const sums = new SettlementSums();
    sums.put('x', [{ minute: lastHour, ratePct: 0.02 }]);
    sums.put('x', [{ minute: lastHour, ratePct: 0.03 }]);
    sums.put('x', [{ minute: lastHour - HOUR_MINUTES, ratePct: 0.01 }]);
    assert.equal(sums.at(NOW_MS).get('x')?.last.ratePct, 0.03);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { decodeDays, decodePrints, encodeDays, encodePrints } from './codec.ts';
import { type DaySum, daySums } from './days.ts';
import { BLOCK_MINUTES, intervalsOf, noPrints, settlementMinute } from './times.ts';

const HOUR = 60;
const stepped = (startHour: number, hours: readonly number[]) => {
  const minutes = [startHour * HOUR];
  for (const step of hours) minutes.push((minutes.at(-1) ?? 0) + step * HOUR);
  return minutes;
};
const hoursOf = (minutes: number[]) => [...intervalsOf(minutes).minutes].map((interval) => interval / HOUR);

suite('packed blocks', () => {
  test('encoding prints is lossless for all kinds of rates', () => {
    const decimal = fc.integer({ min: -4_000_000, max: 4_000_000 }).map((units) => units / 1e6);
    const fine = fc.integer({ min: -400_000_000, max: 400_000_000 }).map((units) => units / 1e10);
    const any = fc.double({ noNaN: true, noDefaultInfinity: true, min: -96, max: 96 });
    const print = fc.tuple(fc.integer({ min: 0, max: BLOCK_MINUTES - 1 }), fc.oneof(decimal, fine, any));
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 900 }), fc.array(print, { maxLength: 800 }), (block, list) => {
        const start = block * BLOCK_MINUTES;
        const sorted = [...new Map(list)].sort(([a], [b]) => a - b);
        const prints = {
          minutes: sorted.map(([minute]) => start + minute),
          ratesPct: sorted.map(([, rate]) => (rate === 0 ? 0 : rate)),
        };
        const back = noPrints();
        decodePrints(encodePrints(prints, start), start, back);
        assert.deepEqual(back, prints);
      }),
    );
  });

  test('hourly prints of eight decimals take about four bytes', () => {
    const minutes = Array.from({ length: 768 }, (_, i) => i * HOUR);
    const ratesPct = minutes.map((_, i) => (((i * 7919) % 20_000) - 10_000) / 1e6);
    assert.ok(encodePrints({ minutes, ratesPct }, 0).length < 768 * 4.2);
  });

  test('encoding day sums is lossless', () => {
    const days: DaySum[] = [
      { day: 640, sumPct: 0.03, coveredMinutes: 1440 },
      { day: 641, sumPct: -0.1 / 3, coveredMinutes: 480 },
      { day: 671, sumPct: 0, coveredMinutes: 0 },
    ];
    const back: DaySum[] = [];
    decodeDays(encodeDays(days, 640), 640, back);
    assert.deepEqual(back, days);
  });

  test('a block of an unknown format is refused', () => {
    assert.throws(() => decodePrints(new Uint8Array([9, 1, 1]), 0, noPrints()), /unknown format 9/);
  });
});

suite('the settlement minute', () => {
  const eightMs = Date.UTC(2026, 10, 1, 8);
  for (const [offMs, what] of [
    [0, 'on time'],
    [11, 'eleven milliseconds late'],
    [-3, 'three milliseconds early'],
    [21_000, '21 s late'],
    [45_000, '45 s late, which is nearer to the next minute'],
    [-58_000, '58 s early'],
  ] as const) {
    test(`a print stamped ${what} belongs to 08:00`, () => {
      assert.equal(settlementMinute(eightMs + offMs), eightMs / 60_000);
    });
  }

  test('a print off the full hour keeps its own minute', () => {
    assert.equal(settlementMinute(eightMs + 15 * 60_000 + 400), eightMs / 60_000 + 15);
  });
});

suite('intervals', () => {
  for (const [what, gaps, hours] of [
    ['eight hours', [8, 8, 8], [8, 8, 8, 8]],
    ['from 8 h to 1 h', [8, 8, 1, 1], [8, 8, 8, 1, 1]],
    ['from 1 h to 4 h to 8 h', [1, 1, 4, 4, 8, 8], [1, 1, 1, 4, 4, 8, 8]],
    ['a short first interval after a change', [8, 8, 3, 4, 4], [8, 8, 8, 3, 4, 4]],
    ['a missing print among eight-hour ones', [8, 16, 8], [8, 8, 8, 8]],
    ['seven missing prints among hourly ones', [1, 1, 8, 1], [1, 1, 1, 1, 1]],
    ['two missing days', [4, 48, 4], [4, 4, 4, 4]],
    ['a day-long interval', [24, 24], [24, 24, 24]],
    ['a longer interval that has just begun', [1, 1, 4], [1, 1, 1, 4]],
  ] as const) {
    test(`${what}: each print has its interval in hours`, () => {
      // The last case ends on the grid of its last interval.
      const total = gaps.reduce((sum: number, gap) => sum + gap, 0);
      assert.deepEqual(hoursOf(stepped(24_000 - total, gaps)), hours);
    });
  }

  test('a single print has no known interval', () => {
    assert.deepEqual(hoursOf([4800]), [0]);
  });

  test('a longer distance that is not a valid interval is a gap, also before the last print', () => {
    const { holesBefore } = intervalsOf(stepped(0, [8, 8, 16]));
    assert.deepEqual(holesBefore, [3]);
  });
});

suite('day sums', () => {
  test('a day sum has the prints of the UTC day from 00:00 on, and the minutes that they cover', () => {
    const minutes = stepped(24_000 - 8, [8, 8, 8, 8]);
    const ratesPct = [9, 0.01, 0.02, -0.005, 0.1];
    assert.deepEqual(daySums(minutes, ratesPct, intervalsOf(minutes).minutes, 1, minutes.length), [
      { day: 1000, sumPct: 0.025, coveredMinutes: 1440 },
      { day: 1001, sumPct: 0.1, coveredMinutes: 480 },
    ]);
  });
});

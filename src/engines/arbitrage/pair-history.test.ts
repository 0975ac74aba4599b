import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { legHours, type SettledPrints, STORED_HOURS } from './hours.ts';
import { type PairHistory, pairHistory } from './pair-history.ts';

const LAST_HOUR = Math.floor(Date.UTC(2026, 10, 14, 17) / 3_600_000);
const WINDOW_HOURS = 720;

/** Prints of an interval that may change, up to the last settlement before the end, some of them missing. */
interface Making {
  intervalHours: number;
  laterIntervalHours: number;
  changesAtHour: number;
  offGridHours: number;
  missing: readonly number[];
  ratesPct: readonly number[];
}

function printsOf(making: Making): SettledPrints {
  const minutes: number[] = [];
  const intervalMinutes: number[] = [];
  let hour = LAST_HOUR - STORED_HOURS - 30 + making.offGridHours;
  for (let i = 0; ; i++) {
    const interval =
      hour < LAST_HOUR - making.changesAtHour ? making.intervalHours : making.laterIntervalHours;
    hour += interval;
    if (hour > LAST_HOUR + 1) break;
    if (making.missing.includes(i % 97)) continue;
    minutes.push(hour * 60);
    intervalMinutes.push(interval * 60);
  }
  const { ratesPct } = making;
  return {
    minutes,
    intervalMinutes,
    ratesPct: minutes.map((_, i) => ratesPct[i % ratesPct.length] ?? 0),
  };
}

/** The figures hour by hour, from the definitions in docs/arbitrage.md. */
function expected(a: SettledPrints, b: SettledPrints): PairHistory | null {
  const [hoursA, hoursB] = [byHour(a), byHour(b)];
  const gain = (hour: number) => (hoursB.get(hour) ?? Number.NaN) - (hoursA.get(hour) ?? Number.NaN);
  const gains: number[] = [];
  for (let hour = LAST_HOUR - WINDOW_HOURS + 1; hour <= LAST_HOUR; hour++)
    if (!Number.isNaN(gain(hour))) gains.push(gain(hour));
  if (gains.length < WINDOW_HOURS * 0.95) return null;
  let [total, peak, low, fall, rise] = [0, 0, 0, 0, 0];
  for (const one of gains) {
    total += one;
    peak = Math.max(peak, total);
    low = Math.min(low, total);
    fall = Math.max(fall, peak - total);
    rise = Math.max(rise, total - low);
  }
  const today = Math.floor((LAST_HOUR + 1) / 24);
  const days: number[] = [];
  for (let day = today - 30; day < today; day++) {
    const sum = (hours: Map<number, number>) => {
      const known = Array.from({ length: 24 }, (_, i) => hours.get(day * 24 + i)).filter(
        (one) => one !== undefined,
      );
      return known.length < 24 * 0.95 ? Number.NaN : known.reduce((all, one) => all + one, 0);
    };
    const pct = sum(hoursB) - sum(hoursA);
    if (!Number.isNaN(pct)) days.push(pct);
  }
  return {
    positivePct: (gains.filter((one) => one > 1e-6).length / gains.length) * 100,
    negativePct: (gains.filter((one) => one < -1e-6).length / gains.length) * 100,
    worstDayPct: days.length === 0 ? Number.NaN : Math.min(...days),
    bestDayPct: days.length === 0 ? Number.NaN : Math.max(...days),
    maxDrawdownPct: fall,
    maxRisePct: rise,
    meanAbsolutePct: gains.reduce((sum, one) => sum + Math.abs(one), 0) / gains.length,
  };
}

function byHour({ minutes, ratesPct, intervalMinutes }: SettledPrints): Map<number, number> {
  const hours = new Map<number, number>();
  for (let i = 0; i < minutes.length; i++) {
    const interval = (intervalMinutes[i] ?? 0) / 60;
    for (let back = 1; back <= interval; back++)
      hours.set((minutes[i] ?? 0) / 60 - back, (ratesPct[i] ?? 0) / interval);
  }
  return hours;
}

const interval = fc.constantFrom(1, 2, 4, 8, 24);
const making = (missing: fc.Arbitrary<number[]>, rate: fc.Arbitrary<number>): fc.Arbitrary<Making> =>
  fc.record({
    intervalHours: interval,
    laterIntervalHours: interval,
    changesAtHour: fc.integer({ min: -10, max: 800 }),
    offGridHours: fc.integer({ min: 0, max: 23 }),
    missing,
    ratesPct: fc.array(rate, { minLength: 1, maxLength: 50 }),
  });
const rate = fc.integer({ min: -20_000, max: 20_000 }).map((steps) => steps / 1e4);
const noGap: fc.Arbitrary<number[]> = fc.constant([]);
const someGaps = fc.array(fc.integer({ min: 0, max: 96 }), { maxLength: 2 });

function assertSame(a: Making, b: Making): void {
  const [printsA, printsB] = [printsOf(a), printsOf(b)];
  const found = pairHistory(legHours(printsA, LAST_HOUR), legHours(printsB, LAST_HOUR), LAST_HOUR);
  const wanted = expected(printsA, printsB);
  if (!wanted) {
    assert.ok(Number.isNaN(found.positivePct));
    return;
  }
  for (const [name, value] of Object.entries(wanted)) {
    const shown = found[name as keyof PairHistory];
    // Hours are kept in single precision, and shares may differ by one hour at the threshold of zero.
    const tolerance = name.endsWith('tivePct') ? 0.15 : 2e-4 * Math.max(1, Math.abs(value));
    const isNear = Number.isNaN(value) ? Number.isNaN(shown) : Math.abs(shown - value) <= tolerance;
    assert.ok(isNear, `${name}: ${shown} instead of ${value}`);
  }
}

suite('30-day figures of a pair', () => {
  test('equal the definitions, with mixed and changing intervals, on and off the grid', () => {
    fc.assert(fc.property(making(noGap, rate), making(noGap, rate), assertSame), { numRuns: 60 });
  });

  test('equal the definitions where prints are missing', () => {
    fc.assert(fc.property(making(someGaps, rate), making(someGaps, rate), assertSame), { numRuns: 60 });
  });

  test('equal the definitions for a carry too large for the fast way', () => {
    const large = fc.integer({ min: 500, max: 900 }).map((pct) => pct);
    fc.assert(fc.property(making(noGap, large), making(noGap, rate), assertSame), { numRuns: 10 });
  });

  test('equal rates of different intervals earn in no hour', () => {
    const same = { changesAtHour: 0, offGridHours: 0, missing: [] };
    const eight = printsOf({ ...same, intervalHours: 8, laterIntervalHours: 8, ratesPct: [0.01] });
    const one = printsOf({ ...same, intervalHours: 1, laterIntervalHours: 1, ratesPct: [0.00125] });
    const { positivePct, negativePct, maxDrawdownPct } = pairHistory(
      legHours(eight, LAST_HOUR),
      legHours(one, LAST_HOUR),
      LAST_HOUR,
    );
    assert.deepEqual([positivePct, negativePct], [0, 0]);
    assert.ok(maxDrawdownPct < 1e-5);
  });

  test('a contract without prints has none', () => {
    const none = legHours({ minutes: [], ratesPct: [], intervalMinutes: [] }, LAST_HOUR);
    assert.ok(Number.isNaN(pairHistory(none, none, LAST_HOUR).positivePct));
  });
});

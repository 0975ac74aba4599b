import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type LegHours, legHours, STORED_HOURS } from './hours.ts';
import { type TimesAboveFee, timesAboveFee as timesOf, UNKNOWN_TIMES } from './times-above-fee.ts';

const LAST_HOUR = Math.floor(Date.UTC(2026, 10, 14, 15) / 3_600_000);
const WINDOW_HOURS = 720;
/** 1/720 of it is 0.001 % an hour. */
const FEE_PCT = 0.72;

const timesAboveFee = (a: LegHours, b: LegHours, feePct: number) => timesOf(a, b, feePct, LAST_HOUR);

/** Hourly prints of the last hours; null: no print. */
function legOf(ratesPct: readonly (number | null)[]): LegHours {
  const first = LAST_HOUR + 1 - ratesPct.length;
  const prints = ratesPct.flatMap((ratePct, i) => (ratePct === null ? [] : [{ ratePct, hour: first + i }]));
  return legHours(
    {
      minutes: prints.map(({ hour }) => (hour + 1) * 60),
      ratesPct: prints.map(({ ratePct }) => ratePct),
      intervalMinutes: prints.map(() => 60),
    },
    LAST_HOUR,
  );
}
const flat = legOf(new Array(STORED_HOURS).fill(0));

/** Stretches of hours with the carry of each, up to the last hour; before them the pair earned nothing. */
function carryOf(...stretches: (readonly [hours: number, pct: number | null])[]): LegHours {
  const rates = stretches.flatMap(([hours, pct]) => new Array<number | null>(hours).fill(pct));
  return legOf([...new Array(STORED_HOURS - rates.length).fill(0), ...rates]);
}
const above = (hours: number) => [hours, 0.002] as const;
const under = (hours: number) => [hours, 0.0005] as const;
const against = (hours: number) => [hours, -0.002] as const;
const missing = (hours: number) => [hours, null] as const;

suite('how long a carry stayed above the fee', () => {
  test('an odd number of times: the middle length', () => {
    const short = carryOf(above(5), under(9), above(14), under(2), above(40), under(1));
    assert.deepEqual(timesAboveFee(flat, short, FEE_PCT), {
      medianHours: 14,
      medianHoursReversed: Number.NaN,
      times: 3,
      timesReversed: 0,
      nowHours: 0,
    });
  });

  test('an even number of times: half-way between the two in the middle', () => {
    const short = carryOf(above(5), under(9), above(14), under(2), above(40), under(3), above(7), under(1));
    const { medianHours, times } = timesAboveFee(flat, short, FEE_PCT);
    assert.deepEqual([medianHours, times], [10.5, 4]);
  });

  test('two times have no median', () => {
    const { medianHours, times } = timesAboveFee(
      flat,
      carryOf(above(5), under(9), above(14), under(2)),
      FEE_PCT,
    );
    assert.deepEqual([medianHours, times], [Number.NaN, 2]);
  });

  test('the time that has not ended is not among them, and its length so far is known', () => {
    const short = carryOf(above(3), under(1), above(3), under(1), above(3), under(1), above(200));
    const { medianHours, times, nowHours } = timesAboveFee(flat, short, FEE_PCT);
    assert.deepEqual([medianHours, times, nowHours], [3, 3, 200]);
  });

  test('a time that began before the window is not counted', () => {
    const short = carryOf(above(24 + 100), under(4), above(10), under(612 - 6));
    assert.equal(timesAboveFee(flat, short, FEE_PCT).times, 1);
  });

  test('a carry that never fell under the fee has lasted the whole window', () => {
    const { times, nowHours } = timesAboveFee(flat, carryOf(above(STORED_HOURS)), FEE_PCT);
    assert.deepEqual([times, nowHours], [0, WINDOW_HOURS]);
  });

  test('times next to missing hours are not counted', () => {
    const short = carryOf(above(5), missing(1), above(6), under(3), above(7), under(1), missing(1), above(8));
    const { times, nowHours } = timesAboveFee(flat, short, FEE_PCT);
    assert.deepEqual([times, nowHours], [1, 8]);
  });

  test('each direction has its own times, and one may follow the other at once', () => {
    const swing = [above(4), against(2)];
    const short = carryOf(...swing, ...swing, ...swing, ...swing, under(1));
    assert.deepEqual(timesAboveFee(flat, short, FEE_PCT), {
      medianHours: 4,
      medianHoursReversed: 2,
      times: 4,
      timesReversed: 4,
      nowHours: 0,
    });
    assert.equal(timesAboveFee(flat, carryOf(above(4), against(9)), FEE_PCT).nowHours, -9);
  });

  test('a higher fee leaves fewer times, and a fee of zero needs an hour that earns', () => {
    const short = carryOf(above(4), under(6), above(4), [1, 0], above(9), [2, 0], under(20), [1, 0]);
    const timesAt = (feePct: number) => timesAboveFee(flat, short, feePct).times;
    assert.deepEqual([timesAt(2), timesAt(FEE_PCT), timesAt(0)], [0, 3, 3]);
    assert.equal(timesAboveFee(flat, flat, 0).times, 0);
  });

  test('a print of eight hours is above the fee in all of them or in none', () => {
    const minutes = Array.from({ length: 93 }, (_, i) => (LAST_HOUR + 1 - 8 * (92 - i)) * 60);
    const ratesPct = minutes.map((_, i) => (i % 4 === 0 ? 0.016 : 0.004));
    const short = legHours({ minutes, ratesPct, intervalMinutes: minutes.map(() => 480) }, LAST_HOUR);
    const { medianHours } = timesAboveFee(flat, short, FEE_PCT);
    assert.equal(medianHours, 8);
  });

  test('unknown under 95 % of 720 hours: 684 are enough', () => {
    const known = (hours: number) => timesAboveFee(flat, legOf(new Array(hours).fill(0)), FEE_PCT);
    assert.deepEqual(known(683), UNKNOWN_TIMES);
    assert.equal(known(684).times, 0);
  });

  test('equals a plain recomputation of any two contracts, in both directions', () => {
    // No difference of two rates is 0.001, the limit.
    const stretch = fc.tuple(
      fc.integer({ min: 1, max: 24 }),
      fc.constantFrom(0.0041, 0.0033, 0.0016, 0.0002, 0, -0.0002, -0.0015, -0.0032),
    );
    const hours = fc.array(stretch, { minLength: 40, maxLength: 60 });
    const gaps = fc.array(fc.integer({ min: 0, max: STORED_HOURS - 1 }), { maxLength: 25 });
    // Rates that change only at multiples of 4 or 8 hours are read in such steps.
    const settlesEvery = fc.constantFrom(1, 4, 8);
    fc.assert(
      fc.property(hours, hours, settlesEvery, gaps, (stretchesA, stretchesB, everyHours, holes) => {
        const spread = (stretches: readonly (readonly [number, number])[]) =>
          stretches
            .flatMap(([count, pct]) => new Array<number | null>(count * everyHours).fill(pct))
            .slice(-STORED_HOURS);
        const [ratesA, ratesB] = [spread(stretchesA), spread(stretchesB)];
        if (everyHours === 1) for (const hole of holes) if (hole < ratesA.length) ratesA[hole] = null;
        const length = Math.min(ratesA.length, ratesB.length, WINDOW_HOURS);
        const carries = Array.from({ length }, (_, i) => {
          const [a, b] = [ratesA.at(i - length) ?? null, ratesB.at(i - length) ?? null];
          return a === null || b === null ? null : b - a;
        });
        const [legA, legB] = [legOf(ratesA), legOf(ratesB)];
        assert.deepEqual(timesAboveFee(legA, legB, FEE_PCT), plainTimes(carries));
        const turned = plainTimes(carries.map((pct) => (pct === null ? null : -pct)));
        assert.deepEqual(timesAboveFee(legB, legA, FEE_PCT), turned);
      }),
      { numRuns: 100 },
    );
  });
});

/** From the definition, by cutting a text with a letter for each hour: above, reversed, neither or unknown. */
function plainTimes(carries: readonly (number | null)[]): TimesAboveFee {
  if (carries.filter((pct) => pct !== null).length < 684) return UNKNOWN_TIMES;
  const letters = carries
    .map((pct) => (pct === null ? '?' : pct > 0.001 ? 'a' : pct < -0.001 ? 'r' : 'n'))
    .join('')
    .replace(/\?+$/, '');
  const lengthsOf = (pattern: RegExp) => [...letters.matchAll(pattern)].map(([found]) => found.length);
  const median = (lengths: number[]) => {
    const sorted = lengths.toSorted((a, b) => a - b);
    const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
    return sorted.length < 3 ? Number.NaN : middle.reduce((sum, one) => sum + one, 0) / middle.length;
  };
  const ahead = lengthsOf(/(?<=[rn])a+(?=[rn])/g);
  const back = lengthsOf(/(?<=[an])r+(?=[an])/g);
  const [aheadNow, backNow] = [/a*$/.exec(letters)?.[0].length ?? 0, /r*$/.exec(letters)?.[0].length ?? 0];
  return {
    medianHours: median(ahead),
    medianHoursReversed: median(back),
    times: ahead.length,
    timesReversed: back.length,
    nowHours: aheadNow - backNow,
  };
}

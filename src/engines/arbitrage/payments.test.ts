import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../base/times.ts';
import { breakEvenHours, type LegSchedule, paymentsWithin } from './payments.ts';

const AS_OF_MS = Date.UTC(2026, 10, 15, 12, 30);
const at = (hour: number) => Date.UTC(2026, 10, 15, hour);
const leg = (ratePct: number, intervalHours: number, nextAtMs = Number.NaN): LegSchedule => ({
  ratePct,
  intervalHours,
  nextAtMs,
});
const NOTHING = leg(0, 8, at(16));

suite('break-even along the settlements', () => {
  test('a payment that covers the cost is not there before it settles', () => {
    assert.equal(breakEvenHours(0.01, NOTHING, leg(0.5, 8, at(16)), AS_OF_MS), 3.5);
    assert.equal(breakEvenHours(0.5, NOTHING, leg(0.5, 8, at(16)), AS_OF_MS), 3.5, 'exactly the cost');
    assert.equal(breakEvenHours(0.50001, NOTHING, leg(0.5, 8, at(16)), AS_OF_MS), 11.5, 'a trifle more');
  });

  test('without costs it is at once, whatever the carry', () => {
    assert.equal(breakEvenHours(0, NOTHING, leg(0.01, 8, at(16)), AS_OF_MS), 0);
    assert.equal(breakEvenHours(-0.1, NOTHING, NOTHING, AS_OF_MS), 0);
  });

  test('without a carry costs are never paid back', () => {
    assert.ok(Number.isNaN(breakEvenHours(0.2, NOTHING, NOTHING, AS_OF_MS)));
  });

  test('over 365 days counts as never', () => {
    const short = leg(0.001, 24, at(24));
    assert.equal(breakEvenHours(0.364, NOTHING, short, AS_OF_MS), 11.5 + 363 * 24);
    assert.equal(breakEvenHours(0.365, NOTHING, short, AS_OF_MS), 11.5 + 364 * 24);
    assert.ok(Number.isNaN(breakEvenHours(0.366, NOTHING, short, AS_OF_MS)));
  });

  test('settlements of the same time count together', () => {
    assert.equal(breakEvenHours(0.1, leg(0.15, 8, at(16)), leg(0.2, 8, at(16)), AS_OF_MS), 11.5);
  });

  test('a short leg that is paid before the long one pays covers the cost in between', () => {
    assert.equal(breakEvenHours(0.1, leg(0.15, 8, at(20)), leg(0.2, 8, at(16)), AS_OF_MS), 3.5);
  });

  test('a leg without a next settlement counts at the end of each whole interval', () => {
    assert.equal(breakEvenHours(0.03, NOTHING, leg(0.01, 8), AS_OF_MS), 24);
    assert.equal(breakEvenHours(0.03, NOTHING, leg(0.01, 8, AS_OF_MS - HOUR_MS), AS_OF_MS), 24);
  });

  test('a settlement further away than the interval is waited for', () => {
    assert.equal(breakEvenHours(0.02, NOTHING, leg(0.01, 1, at(16)), AS_OF_MS), 4.5);
    assert.equal(breakEvenHours(0.3, NOTHING, leg(0.01, 1, at(16)), AS_OF_MS), 3.5 + 29);
  });

  test('equals a plain walk through the settlements, at all intervals', () => {
    const intervals = [1, 2, 3, 4, 6, 8, 12, 24];
    let random = 7;
    const next = () => {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
      return random / 2 ** 31;
    };
    let reached = 0;
    for (let i = 0; i < 300; i++) {
      const any = (): LegSchedule => {
        const intervalHours = intervals[Math.floor(next() * intervals.length)] ?? 8;
        const minutes = 1 + Math.floor(next() * intervalHours * 60);
        const nextAtMs = next() < 0.1 ? Number.NaN : AS_OF_MS + minutes * 60_000;
        return { ratePct: Math.round((next() - 0.4) * 1000) / 10_000, intervalHours, nextAtMs };
      };
      const [long, short] = [any(), any()];
      const costPct = Math.round(next() * 4000) / 1000;
      const hours = breakEvenHours(costPct, long, short, AS_OF_MS);
      const expected = plainWalk(costPct, long, short);
      assert.ok(Object.is(hours, expected), JSON.stringify({ costPct, long, short, hours, expected }));
      if (hours > 0) reached++;
    }
    assert.ok(reached > 80, `${reached} broke even`);
  });
});

/** Every settlement of a year, one after the other. */
function plainWalk(costPct: number, long: LegSchedule, short: LegSchedule): number {
  if (costPct <= 0) return 0;
  const paid = new Map<number, number>();
  for (const [sign, { ratePct, intervalHours, nextAtMs }] of [
    [1, short],
    [-1, long],
  ] as const) {
    const first = Number.isNaN(nextAtMs) ? AS_OF_MS + intervalHours * HOUR_MS : nextAtMs;
    for (let timeMs = first; timeMs <= AS_OF_MS + 365 * DAY_MS; timeMs += intervalHours * HOUR_MS)
      paid.set(timeMs, (paid.get(timeMs) ?? 0) + sign * ratePct);
  }
  let total = 0;
  for (const [timeMs, pct] of [...paid].sort((a, b) => a[0] - b[0])) {
    total += pct;
    if (total >= costPct - 1e-9) return Math.round(((timeMs - AS_OF_MS) / HOUR_MS) * 1e4) / 1e4;
  }
  return Number.NaN;
}

suite('payments of the coming hours', () => {
  test('both legs in order of time, with the sum after each', () => {
    const payments = paymentsWithin(6, leg(0.005, 8, at(16)), leg(0.0025, 1, at(13)), AS_OF_MS);
    assert.deepEqual(
      payments.map(({ atMs, leg: side, pct, totalPct }) => [
        new Date(atMs).getUTCHours(),
        side,
        pct,
        totalPct,
      ]),
      [
        [13, 'short', 0.0025, 0.0025],
        [14, 'short', 0.0025, 0.005],
        [15, 'short', 0.0025, 0.0075],
        [16, 'short', 0.0025, 0.01],
        [16, 'long', -0.005, 0.005],
        [17, 'short', 0.0025, 0.0075],
        [18, 'short', 0.0025, 0.01],
      ],
    );
  });

  test('the first that reaches the cost is the break-even', () => {
    const [long, short] = [leg(-0.03, 4, at(15)), leg(0.02, 8, at(16))];
    const hours = breakEvenHours(0.1, long, short, AS_OF_MS);
    const covering = paymentsWithin(24, long, short, AS_OF_MS).find(({ totalPct }) => totalPct >= 0.1);
    assert.equal(covering && (covering.atMs - AS_OF_MS) / HOUR_MS, hours);
  });
});

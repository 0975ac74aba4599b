import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PairMinute, PairView } from '../../../../engines/backtest/pair-view.ts';
import { profitBins } from './pair-cycles.ts';
import { nowPart } from './pair-data.ts';
import { thinned } from './pair-line.ts';

const MINUTE_MS = 60_000;

function minute(at: number, change: Partial<PairMinute> = {}): PairMinute {
  const prices = { buyA: 100.01, sellA: 99.99, buyB: 100.03, sellB: 100.01 };
  const unknown = { usualExitAPct: null, usualExitBPct: null };
  return { minute: at, ...prices, ...unknown, ...change };
}

function view(recent: PairMinute[]): PairView {
  return { fromMinute: 0, spreadsPct: new Float32Array(), cycles: [], recent };
}

suite('where a cycle opens', () => {
  const exits = { usualExitAPct: -0.04, usualExitBPct: -0.02 };

  test('at the mark, entry and usual exit leave exactly the least profit after fees', () => {
    const { now, marks } = nowPart(view([minute(9, exits)]), 9, 0.19);
    assert.ok(now && marks);
    const [midA, midB] = [100, 100.02];
    const midSpread = ((midB - midA) / midA) * 100;
    const entryA = ((100.01 - 100.01) / 100.01) * 100;
    const entryB = ((99.99 - 100.03) / 100.03) * 100;
    // A spread of mid prices that is higher by x makes the entry higher by x.
    const entryAtMark = entryA + (marks.long_a_short_b - midSpread);
    assert.ok(Math.abs(entryAtMark - 0.04 - 0.19 - 0.05) < 1e-4, String(entryAtMark));
    const otherAtMark = entryB + (midSpread - marks.short_a_long_b);
    assert.ok(Math.abs(otherAtMark - 0.02 - 0.19 - 0.05) < 1e-4, String(otherAtMark));
  });

  test('readers of delayed data get neither newer prices nor newer exits', () => {
    const recent = [minute(20, { ...exits, buyA: 7 }), minute(5, { buyA: 100.02 }), minute(0, exits)];
    const { now, marks } = nowPart(view(recent), 5, 0.19);
    assert.equal(now?.minute, 5);
    assert.equal(now?.buyA, 100.02);
    assert.ok(marks, 'from the exits of an older minute');
    assert.deepEqual(nowPart(view([minute(20, exits)]), 5, 0.19), { now: null, marks: null });
  });

  test('without a price of the size or without exits there are no marks', () => {
    assert.equal(nowPart(view([minute(9, { ...exits, sellB: null })]), 9, 0.19).marks, null);
    assert.equal(nowPart(view([minute(9)]), 9, 0.19).marks, null);
    assert.deepEqual(nowPart(null, 9, 0.19), { now: null, marks: null });
  });
});

suite('parts of the page of a pair', () => {
  test('profits are counted in at most twelve steps, and zero is an edge', () => {
    const { stepPct, bins } = profitBins([-0.245, 0.039, 0.06, 0.061, 0.1, 0.251]);
    assert.equal(stepPct, 0.05);
    assert.equal(bins[0]?.fromPct, -0.25);
    assert.equal(bins.at(-1)?.fromPct, 0.25);
    assert.ok(bins.length <= 12);
    assert.deepEqual(
      bins.filter(({ count }) => count > 0).map(({ fromPct, count }) => [fromPct, count]),
      [
        [-0.25, 1],
        [0, 1],
        [0.05, 2],
        [0.1, 1],
        [0.25, 1],
      ],
    );
  });

  test('one profit is one bar', () => assert.equal(profitBins([0.12]).bins.length, 1));

  test('a thinned line keeps its peaks, its gaps and its last minute', () => {
    const spreads = new Float32Array(10_080).fill(0.1);
    spreads[5000] = 3;
    spreads[5001] = -2;
    spreads.fill(Number.NaN, 7000, 7200);
    spreads[10_079] = 0.25;
    const points = thinned(spreads, 0);
    assert.ok(points.length < 700, `${points.length} points`);
    const values = points.map(([, value]) => value);
    assert.ok(values.includes(3) && values.includes(-2) && values.includes(null));
    assert.deepEqual(points.at(-1), [10_079 * MINUTE_MS, 0.25]);
    const times = points.map(([atMs]) => atMs);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Depth } from '../../venues/observations.ts';
import { curveOf } from './book-curve.ts';
import { fillPrice } from './fill-price.ts';
import { BANDS_BP, MAX_POINTS } from './side-curve.ts';

type Levels = Depth['bids'];

const powerOfTen = (from: number, to: number) =>
  fc.double({ min: from, max: to, noNaN: true }).map((exponent) => 10 ** exponent);
/** Each level: its distance from the one before, as a share of the mid, and its value in quote units. */
const side = fc.array(fc.tuple(powerOfTen(-7, -2.5), powerOfTen(0, 5.5)), { minLength: 1, maxLength: 120 });
const book = fc.record({ mid: powerOfTen(-6, 5), bids: side, asks: side });
const SIZES = [100, 1_000, 5_000, 20_000, 75_000, 250_000];
const value = powerOfTen(2, Math.log10(250_000));

/** Real books are within 30 % of the mid. */
function levelsOf(steps: readonly (readonly [number, number])[], mid: number, sign: 1 | -1): Levels {
  let distance = 0;
  const levels: Levels = [];
  for (const [step, worth] of steps) {
    distance += step;
    if (distance > 0.3) break;
    const price = mid * (1 + sign * distance);
    levels.push([price, worth / price]);
  }
  return levels;
}

function* sidesOf(given: { mid: number; bids: [number, number][]; asks: [number, number][] }) {
  const [bids, asks] = [levelsOf(given.bids, given.mid, -1), levelsOf(given.asks, given.mid, 1)];
  const curve = curveOf({ bids, asks });
  assert.ok(curve);
  yield { curve: curve.bids, levels: bids, mid: curve.mid, isBuy: false };
  yield { curve: curve.asks, levels: asks, mid: curve.mid, isBuy: true };
}

suite('curves of random books', () => {
  test('a cost is within 2 % of itself, or 0.1 basis points, of the exact fill', () => {
    fc.assert(
      fc.property(book, fc.array(value, { minLength: 5, maxLength: 20 }), (given, values) => {
        for (const { curve, levels, mid, isBuy } of sidesOf(given))
          for (const each of values) {
            const pct = curve.costPct(each);
            const price = fillPrice(levels, each, isBuy);
            // A point is stored in single precision, so the last one may be that much after the last level.
            if (price === null) assert.ok(Number.isNaN(pct) || each < curve.receivedValue * (1 + 1e-6));
            else if (!Number.isNaN(pct)) {
              const exactPct = Math.abs(price / mid - 1) * 100;
              const off = Math.abs(pct - exactPct);
              assert.ok(off <= 0.02 * exactPct || off <= 0.001, `${pct} for ${each}, not ${exactPct}`);
            } else
              assert.ok(curve.points.length === 2 * MAX_POINTS || each > curve.receivedValue * (1 - 1e-6));
          }
      }),
      { numRuns: 1000 },
    );
  });

  test('the cost never falls as the size grows', () => {
    fc.assert(
      fc.property(book, fc.array(value, { minLength: 2, maxLength: 30 }), (given, values) => {
        const growing = values.toSorted((a, b) => a - b);
        for (const { curve } of sidesOf(given)) {
          const known = growing.map((each) => curve.costPct(each)).filter((pct) => !Number.isNaN(pct));
          for (const [i, pct] of known.entries())
            assert.ok(pct >= (known[i - 1] ?? 0) * (1 - 1e-5) - 1e-7, `${known}`);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a band has exactly the levels within it, and is unknown where the levels end before', () => {
    fc.assert(
      fc.property(book, (given) => {
        for (const { curve, levels, mid } of sidesOf(given))
          for (const bp of BANDS_BP) {
            const limit = (bp + 1e-6) / 10_000;
            const isWithin = ([price]: Levels[number]) => Math.abs(price - mid) / mid <= limit;
            const expected = levels.every(isWithin)
              ? Number.NaN
              : levels.filter(isWithin).reduce((sum, [price, size]) => sum + price * size, 0);
            const got = curve.valueWithin(bp);
            assert.ok(Object.is(got, expected) || Math.abs(got - expected) <= 1e-9 * expected, `${bp} bp`);
          }
      }),
      { numRuns: 500 },
    );
  });

  test('a book of garbage has no curve, or one without absurd figures', () => {
    const garbage = fc.oneof(
      { weight: 5, arbitrary: powerOfTen(-4, 4) },
      fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY, 5e-324, 1e-30, 1e12, 1e39, 1.7e308),
    );
    const levels = fc.array(fc.tuple(garbage, garbage), { minLength: 1, maxLength: 8 });
    const ordered = fc.tuple(levels, fc.boolean()).map(([given, isOrdered]) => ({
      falling: isOrdered ? given.toSorted((a, b) => b[0] - a[0]) : given,
      rising: isOrdered ? given.toSorted((a, b) => a[0] - b[0]) : given,
    }));
    let curves = 0;
    fc.assert(
      fc.property(ordered, ordered, fc.constantFrom(1, 1e-5), (below, above, factor) => {
        const bids = below.falling.map(([price, size]): Levels[number] => [price * factor, size]);
        const curve = curveOf({ bids, asks: above.rising });
        if (!curve) return;
        curves++;
        assert.ok(curve.mid > 0 && Number.isFinite(curve.mid) && Number.isFinite(curve.spreadPct));
        for (const side of [curve.bids, curve.asks]) {
          assert.ok(Number.isFinite(side.receivedValue) && Number.isFinite(side.reachBp));
          for (const bp of BANDS_BP) assert.ok(!(side.valueWithin(bp) < 0 || side.valueWithin(bp) > 1e15));
          const known = SIZES.map((size) => side.costPct(size)).filter((pct) => !Number.isNaN(pct));
          for (const [i, pct] of known.entries())
            assert.ok(pct >= (known[i - 1] ?? 0) * (1 - 1e-5) && pct <= 900.01, `${known}`);
        }
      }),
      { numRuns: 20_000 },
    );
    assert.ok(curves > 500, `${curves}`);
  });
});

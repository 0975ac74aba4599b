import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  COST_SIZES_USD,
  COSTS,
  type ContractCosts,
  costPctAt,
  decodeCosts,
  decodeSteps,
  encodeCosts,
  pctOf,
  sizePlace,
} from './cost-codec.ts';

const SIZES = COST_SIZES_USD.length;
const costs = (buy: readonly number[], sell: readonly number[]) => Float64Array.from([...buy, ...sell]);
const { NaN: UNKNOWN } = Number;

suite('stored costs', () => {
  test('a cost is at most 1 % off, unknown ones stay unknown, and contracts keep their numbers', () => {
    const stored: ContractCosts[] = [
      {
        id: 900,
        costsPct: costs([0.00021, 0.01, 0.2, 1.5, 12, 300], [0.5, 0.5, 0.5, UNKNOWN, UNKNOWN, UNKNOWN]),
      },
      { id: 7, costsPct: costs(Array(SIZES).fill(UNKNOWN), [0.001, 0.002, 0.003, 0.004, 0.005, 0.006]) },
    ];
    const read = decodeCosts(encodeCosts(stored));
    assert.deepEqual(
      read.map(({ id }) => id),
      [7, 900],
    );
    for (const { id, costsPct } of stored) {
      const found = read.find((one) => one.id === id);
      for (let i = 0; i < COSTS; i++) {
        const [got, wanted] = [found?.costsPct[i] as number, costsPct[i] as number];
        if (Number.isNaN(wanted)) assert.ok(Number.isNaN(got), `${i} of ${id}`);
        else assert.ok(Math.abs(got / wanted - 1) <= 0.01, `${got}, not ${wanted}`);
      }
    }
  });

  test('a cost below 0.02 basis points is stored as 0.02', () => {
    const [read] = decodeCosts(encodeCosts([{ id: 1, costsPct: new Float64Array(COSTS) }]));
    assert.equal(read?.costsPct[0], 0.0002);
  });

  test('single contracts of a block are those of the whole block', () => {
    const block = encodeCosts(
      [5, 9, 14].map((id) => ({ id, costsPct: new Float64Array(COSTS).fill(id / 100) })),
    );
    const all = decodeCosts(block);
    assert.deepEqual(decodeCosts(block, new Set([9])), [all[1]]);
    assert.deepEqual(decodeCosts(block, new Set([14, 5])), [all[0], all[2]]);
    assert.deepEqual(decodeCosts(block, new Set([6])), []);
  });

  test('the steps of a block are those of its costs', () => {
    const block = encodeCosts(
      [5, 9, 70_000].map((id, i) => ({
        id,
        costsPct: costs([0.1, 0.2, 3, 4, UNKNOWN, UNKNOWN], [i, 1, 2, 3, 4, 5]),
      })),
    );
    const { ids, steps } = decodeSteps(block);
    assert.deepEqual(
      [...ids].map((id, row) => ({
        id,
        costsPct: Float64Array.from(steps.subarray(row * COSTS, (row + 1) * COSTS), pctOf),
      })),
      decodeCosts(block),
    );
  });

  test('a damaged block has no contract: that time is a gap, and others are read', () => {
    const block = encodeCosts([5, 9].map((id) => ({ id, costsPct: new Float64Array(COSTS).fill(id / 100) })));
    const flipped = Buffer.from(block);
    for (let at = 0; at < block.length; at++) {
      flipped[at] = (block[at] as number) ^ 1;
      const [read, all] = [decodeCosts(flipped), decodeCosts(block)];
      // One bit of the head of a zstd frame is not used.
      assert.ok(read.length === 0 || isDeepStrictEqual(read, all), `byte ${at}`);
      flipped[at] = block[at] as number;
    }
    for (const bytes of [new Uint8Array(0), Buffer.from('junk'), block.slice(0, -5)]) {
      assert.deepEqual(decodeCosts(bytes), []);
      assert.equal(decodeSteps(bytes).ids.length, 0);
    }
  });

  test('no contract at all', () => {
    assert.deepEqual(decodeCosts(encodeCosts([])), []);
  });

  test('five minutes of 9,000 contracts take at most 86 kB, so a day takes at most 25 MB', () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    };
    // Liquidity differs by contract; the cost grows with a power of the size, unevenly on both sides, until the levels end.
    let bytes = 0;
    for (let venue = 0; venue < 45; venue++) {
      const contracts = Array.from({ length: 200 }, (_, i): ContractCosts => {
        const half = 0.001 * 300 ** random();
        const depthUsd = 1_000 * 3_000 ** random();
        const power = 0.6 + 0.5 * random();
        const side = () =>
          COST_SIZES_USD.map((size) => half * (1 + (size / depthUsd) ** power * (0.5 + random())));
        const rising = (values: number[]) => values.map((_, k) => Math.max(...values.slice(0, k + 1)));
        const known = (values: number[]) => rising(values).map((pct) => (pct > 3 ? UNKNOWN : pct));
        return { id: venue * 200 + i + 1, costsPct: costs(known(side()), known(side())) };
      });
      bytes += encodeCosts(contracts).length;
    }
    assert.ok(bytes * 288 <= 25e6, `${(bytes * 288) / 1e6} MB a day`);
  });
});

suite('cost of a size between stored ones', () => {
  const read = costs([0.01, 0.01, 0.02, 0.04, UNKNOWN, UNKNOWN], [0.02, 0.02, 0.03, 0.05, 0.2, 0.9]);

  test('is that of a stored size, or between its neighbours in the ratio of the logarithms', () => {
    assert.equal(costPctAt(read, sizePlace(20_000), true), 0.04);
    assert.equal(costPctAt(read, sizePlace(20_000), false), 0.05);
    assert.equal(costPctAt(read, sizePlace(100), true), 0.01);
    // Half way from 5,000 to 20,000 in logarithms is 10,000.
    assert.ok(Math.abs(costPctAt(read, sizePlace(10_000), true) - Math.sqrt(0.02 * 0.04)) < 1e-12);
  });

  test('is unknown above the largest known size, never extrapolated', () => {
    assert.ok(Number.isNaN(costPctAt(read, sizePlace(20_001), true)));
    assert.ok(Number.isNaN(costPctAt(read, sizePlace(250_001), false)));
  });
});

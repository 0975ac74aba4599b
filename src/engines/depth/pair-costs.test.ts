import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { MINUTE_MS } from '../../base/times.ts';
import { COST_SIZES_USD, COSTS } from '../../history/depth/cost-codec.ts';
import type { CostFigures } from '../../history/depth/figures.ts';
import { type BookCurve, curveOf } from '../../market/depth/book-curve.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import type { Cell, Table } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import type { Depth } from '../../venues/observations.ts';
import { coinRatesTable, withSize as ratesAtSize } from '../forecast/coin-rates.ts';
import { SHIPPED } from '../forecast/models.ts';
import { FUNDING_TABLE } from '../funding/table.ts';
import { depthRows } from './order-costs.ts';
import { type PairCosts, pairCosts } from './pair-costs.ts';
import { FILLS } from './size-columns.ts';
import { DEFAULT_SIZE_USD, depthTable, withSize } from './table.ts';

const AS_OF_MS = Date.UTC(2026, 10, 18, 12);
type Book = Pick<Depth, 'bids' | 'asks'>;

/** The example of docs/depth.md: buying for 20,000 costs 0.148 %, selling 0.084 %. */
const LONG: Book = {
  bids: [
    [99.98, 50],
    [99.9, 200],
  ],
  asks: [
    [100.02, 30],
    [100.08, 100],
    [100.3, 500],
  ],
};
/** One wide level on each side of 200: buying costs 0.05 %, selling 0.1 %. */
const SHORT: Book = { bids: [[199.8, 500]], asks: [[200.1, 500]] };

interface Made {
  book: Book;
  contract?: Partial<FrozenContract>;
  ageMs?: number;
  day?: CostFigures;
}

function tableOf(contracts: Readonly<Record<string, Made>>, rates = new Map<string, number>()): Table {
  const market: FrozenMarket = {
    ...{ asOfMs: AS_OF_MS, states: [], identities: new Map() },
    contracts: Object.entries(contracts).map(([name, { contract }]) => ({
      ...{ key: `Fake/${name}`, exchange: 'Fake', venueSymbol: name, symbol: `${name}-USDT`, coin: name },
      ...{ multiplier: 1, quote: 'USDT', isInverse: false, assetClass: 'crypto', isPriceOutlier: false },
      ...{ ratePct: 0.01, rateAtMs: AS_OF_MS, intervalHours: 8, nextFundingAtMs: null, volume24hUsdt: 1e6 },
      ...{
        takerFeePct: 0.05,
        maxLeverage: null,
        markPrice: null,
        indexPrice: null,
        openInterestUsdt: null,
        session: null,
      },
      ...contract,
    })),
    curves: new Map(
      Object.entries(contracts).flatMap(([name, { book, ageMs = 0 }]) => {
        const curve = curveOf(book);
        return curve ? [[`Fake/${name}`, { curve, atMs: AS_OF_MS - ageMs, periodMs: MINUTE_MS }]] : [];
      }),
    ),
  };
  return depthTable(market, rates, ({ venueSymbol }) => contracts[venueSymbol]?.day);
}

/** One sample for each factor: what the book costs, times the factor. */
function dayOf(book: Book, factors: readonly number[]): CostFigures {
  const { asks, bids } = curveOf(book) as BookCurve;
  const sorted = factors.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const factor = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
    const costsPct = new Float64Array(COSTS);
    for (const [i, sizeUsd] of COST_SIZES_USD.entries()) {
      costsPct[i] = factor * asks.costPct(sizeUsd);
      costsPct[COST_SIZES_USD.length + i] = factor * bids.costPct(sizeUsd);
    }
    return costsPct;
  };
  return { medianPct: at(0.5), worstPct: at(0.95) };
}

function costsOf(table: Table | null, sizeUsd: number, bought = 'LONG', sold = 'SHORT') {
  const [long = -1, short = -1] = table ? depthRows(table, [`Fake/${bought}`, `Fake/${sold}`]) : [];
  const costs = pairCosts(table, sizeUsd, { bought: () => long, sold: () => short }, AS_OF_MS);
  const read = (name: keyof PairCosts) => {
    const value = costs[name](0);
    return Number.isNaN(value) ? null : Math.round(value * 1e5) / 1e5;
  };
  return {
    entry: read('entryPct'),
    exit: read('exitPct'),
    worst: read('exitWorstPct'),
    fills: FILLS[costs.fills(0) - 1],
    age: read('bookAgeSeconds'),
  };
}

const DAY = [1, 1, 1, ...Array<number>(16).fill(2), 5];
const BOTH = {
  LONG: { book: LONG, ageMs: 42_000, day: dayOf(LONG, DAY) },
  SHORT: { book: SHORT, ageMs: 90_000, day: dayOf(SHORT, [1, 1, 3, 3, 3]) },
};

suite('what a pair costs at a size', () => {
  test('opening buys one leg and sells the other now; closing is the median of the day the other way', () => {
    // Buying for 20,000 at 100.148 and selling at 199.8; closing sells at 99.9160 and buys at 200.1 of a mid of 199.95.
    const { entry, exit, worst, fills, age } = costsOf(tableOf(BOTH), 20_000);
    const buyLong = (20_000 / (3_000.6 / 100.02 + 10_008 / 100.08 + 6_991.4 / 100.3) / 100 - 1) * 100;
    const sellShort = (1 - 199.8 / 199.95) * 100;
    assert.ok(Math.abs((entry ?? 0) - (buyLong + sellShort)) < 0.001, `${entry}`);
    const sellLong = (1 - 20_000 / (4_999 / 99.98 + 15_001 / 99.9) / 100) * 100;
    const buyShort = (200.1 / 199.95 - 1) * 100;
    // Medians are twice and three times the cost of the book, within 2 % of the curve and the steps.
    assert.ok(Math.abs((exit ?? 0) - (2 * sellLong + 3 * buyShort)) < 0.03 * (exit ?? 0), `${exit}`);
    assert.ok(Math.abs((worst ?? 0) - (2 * sellLong + 3 * buyShort)) < 0.03 * (worst ?? 0), `${worst}`);
    assert.deepEqual([fills, age], ['full', 90]);
  });

  test('the other direction costs otherwise: buying and selling are told apart', () => {
    const table = tableOf(BOTH);
    const [one, other] = [costsOf(table, 20_000), costsOf(table, 20_000, 'SHORT', 'LONG')];
    // Selling the first book costs less than buying it, buying the second as much as selling it.
    assert.ok(Math.abs((one.entry ?? 0) - 0.223) < 0.002, `${one.entry}`);
    assert.ok(Math.abs((other.entry ?? 0) - (0.0796 + 0.075)) < 0.002, `${other.entry}`);
  });

  test('the worst 5 % count, and one sample in twenty is not among them', () => {
    const day = dayOf(SHORT, [...Array<number>(18).fill(1), 4, 9]);
    const { exit, worst } = costsOf(
      tableOf({ LONG: { book: SHORT, day }, SHORT: { book: SHORT, day } }),
      1_000,
    );
    assert.ok(Math.abs((exit ?? 0) - 0.15) < 0.01, `${exit}`);
    assert.ok(Math.abs((worst ?? 0) - 0.6) < 0.02, `${worst}`);
  });

  test('partial: a side that opening or closing needs is too thin, and every cost is null', () => {
    // The bids of the first book hold 24,979 USD: enough to buy it, not to close.
    assert.deepEqual(costsOf(tableOf(BOTH), 25_000), {
      ...{ entry: null, exit: null, worst: null },
      ...{ fills: 'partial', age: 90 },
    });
    assert.equal(costsOf(tableOf(BOTH), 24_900).fills, 'full');
  });

  test('unknown: one leg has no book', () => {
    const table = tableOf({ LONG: BOTH.LONG });
    assert.deepEqual(costsOf(table, 100), {
      ...{ entry: null, exit: null, worst: null },
      ...{ fills: 'unknown', age: null },
    });
    // The worse of the two counts.
    assert.equal(costsOf(table, 250_000).fills, 'unknown');
  });

  test('unknown: no depth table yet', () => {
    assert.deepEqual(costsOf(null, 100), {
      ...{ entry: null, exit: null, worst: null },
      ...{ fills: 'unknown', age: null },
    });
  });

  const broken: Record<string, Book> = {
    'one-sided': { bids: [], asks: LONG.asks },
    crossed: { bids: [[100.5, 10]], asks: [[100, 10]] },
    empty: { bids: [], asks: [] },
  };
  for (const [what, book] of Object.entries(broken))
    test(`unknown: the book of one leg is ${what}`, () => {
      const table = tableOf({ ...BOTH, LONG: { book } });
      assert.deepEqual([costsOf(table, 100).fills, costsOf(table, 100).entry], ['unknown', null]);
    });

  test('unknown: an inverse contract has no book in USD', () => {
    const table = tableOf({ ...BOTH, LONG: { book: LONG, contract: { isInverse: true, quote: 'USD' } } });
    assert.equal(costsOf(table, 100).fills, 'unknown');
  });

  test('a leg without samples of the day has an entry, and no exit', () => {
    const { entry, exit, worst, fills } = costsOf(
      tableOf({ LONG: { book: SHORT }, SHORT: BOTH.SHORT }),
      1_000,
    );
    assert.deepEqual([entry, exit, worst, fills], [0.15004, null, null, 'full']);
  });

  test('an exit at a size between two stored ones, where the day did not fill the larger one, grows as the book now', () => {
    // 60,000 USD on each side, at two levels: the stored sizes 75,000 and 250,000 are not filled.
    const thin: Book = {
      bids: [
        [99.95, 300],
        [99.85, 300],
      ],
      asks: [
        [100.05, 300],
        [100.15, 300],
      ],
    };
    const table = tableOf({ LONG: { book: thin, day: dayOf(thin, [3]) }, SHORT: BOTH.SHORT });
    const { sellAt, buyAt } = {
      sellAt: (usd: number) => (1 - usd / (29_985 / 99.95 + (usd - 29_985) / 99.85) / 100) * 100,
      buyAt: (200.1 / 199.95 - 1) * 100,
    };
    for (const sizeUsd of [40_000, 50_000, 59_000]) {
      const { exit, worst, fills } = costsOf(table, sizeUsd);
      assert.equal(fills, 'full');
      // The day cost three times the book now, at every size.
      const exact = 3 * sellAt(sizeUsd) + 3 * buyAt;
      assert.ok(Math.abs((exit ?? 0) - exact) < 0.03 * exact, `${sizeUsd}: ${exit} for ${exact}`);
      assert.equal(worst, exit);
    }
    // Of a stored size that the day did not fill nothing is known.
    const deep: Book = { bids: [[99.95, 3_000]], asks: [[100.05, 3_000]] };
    const grown = tableOf({
      LONG: { book: deep, day: dayOf(thin, [3]) },
      SHORT: { book: deep, day: dayOf(thin, [3]) },
    });
    assert.deepEqual([costsOf(grown, 75_000).fills, costsOf(grown, 75_000).exit], ['full', null]);
    assert.deepEqual([costsOf(grown, 80_000).fills, costsOf(grown, 80_000).exit], ['full', null]);
  });

  test('the costs of /depth add up to those of the pair, to its last digit', () => {
    for (const sizeUsd of [100, 1_234, 20_000, 24_900]) {
      const table = tableOf(BOTH);
      const [long = -1, short = -1] = depthRows(table, ['Fake/LONG', 'Fake/SHORT']);
      const costs = pairCosts(table, sizeUsd, { bought: () => long, sold: () => short }, AS_OF_MS);
      const rows = sizeUsd === DEFAULT_SIZE_USD ? table : withSize(table, sizeUsd);
      const at = (name: string, row: number) => rows.cell(name)(row);
      const added = (bought: string, sold: string) =>
        Math.round((at(bought, long) + at(sold, short)) * 1e6) / 1e6;
      assert.equal(added('buy_cost_pct', 'sell_cost_pct'), costs.entryPct(0));
      assert.equal(added('sell_cost_24h_median_pct', 'buy_cost_24h_median_pct'), costs.exitPct(0));
      assert.equal(added('sell_cost_24h_worst_pct', 'buy_cost_24h_worst_pct'), costs.exitWorstPct(0));
    }
  });

  test('a position on one contract: a rate above zero is received by a short, and one of zero is priced as a long', () => {
    const depth = tableOf({ LONG: BOTH.LONG });
    const entryAt = (ratePct: number) => {
      const builder = new TableBuilder(FUNDING_TABLE);
      const row = FUNDING_TABLE.columns.map(({ name, type, nullable }): [string, Cell] => [
        name,
        nullable ? null : type === 'text' ? 'x' : 0,
      ]);
      const own = { exchange: 'Fake', venue_symbol: 'LONG', rate_pct: ratePct };
      builder.add({ ...Object.fromEntries(row), ...own });
      const rates = coinRatesTable(builder.build(), SHIPPED);
      return ratesAtSize(rates, 20_000, depth, AS_OF_MS).cell('entry_cost_pct')(0);
    };
    const [positive, zero, negative] = [entryAt(0.01), entryAt(0), entryAt(-0.01)];
    assert.equal(zero, negative);
    // Selling costs 0.080 % and buying 0.148 %, within 2 %.
    assert.ok(Math.abs(positive - 0.08) < 0.002 && Math.abs(zero - 0.148) < 0.003, `${positive} ${zero}`);
  });

  test('a multiplier changes no cost', () => {
    // 1000PEPE: prices and sizes of the book are those of the contract.
    const table = tableOf({ ...BOTH, LONG: { ...BOTH.LONG, contract: { multiplier: 1000 } } });
    assert.deepEqual(costsOf(table, 20_000), costsOf(tableOf(BOTH), 20_000));
  });

  test('a book in a stablecoin of 0.5 USD fills half the size', () => {
    const made = { ...BOTH, SHORT: { ...BOTH.SHORT, contract: { quote: 'USDE' } } };
    const table = tableOf(made, new Map([['USDE', 0.5]]));
    // 99,900 in quote units are 49,950 USD.
    const wide = { LONG: { book: SHORT, day: BOTH.SHORT.day }, SHORT: made.SHORT };
    assert.equal(costsOf(tableOf(wide, new Map([['USDE', 0.5]])), 49_900).fills, 'full');
    assert.equal(costsOf(tableOf(wide, new Map([['USDE', 0.5]])), 50_100).fills, 'partial');
    assert.deepEqual(costsOf(table, 20_000), costsOf(tableOf(BOTH), 20_000));
  });

  test('no cost falls as the size grows, and a size that does not fill is followed by none that does', () => {
    const level = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 400 }));
    const side = fc.array(level, { minLength: 1, maxLength: 30 });
    const bookOf = (bids: [number, number][], asks: [number, number][]): Book => {
      const placed = (sign: number, levels: [number, number][]) => {
        let price = 100;
        return levels.map(([step, size]): [number, number] => {
          price += (sign * step) / 100;
          return [price, size];
        });
      };
      return { bids: placed(-1, bids), asks: placed(1, asks) };
    };
    const sizes = fc.uniqueArray(fc.integer({ min: 100, max: 250_000 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(side, side, side, side, sizes, (a, b, c, d, unsorted) => {
        const [long, short] = [bookOf(a, b), bookOf(c, d)];
        const table = tableOf({
          LONG: { book: long, day: dayOf(long, [1, 2]) },
          SHORT: { book: short, day: dayOf(short, [1, 2]) },
        });
        let before = { entry: 0, exit: 0, worst: 0, fills: 'full' };
        for (const sizeUsd of unsorted.toSorted((x, y) => x - y)) {
          const { entry, exit, worst, fills } = costsOf(table, sizeUsd);
          if (before.fills !== 'full') assert.equal(fills, before.fills);
          if (fills !== 'full') assert.deepEqual([entry, exit, worst], [null, null, null]);
          // Stored steps and rounding to three digits may lower a sum by a hundredth of a basis point.
          for (const [now, then] of [
            [entry, before.entry],
            [exit, before.exit],
            [worst, before.worst],
          ])
            assert.ok(now === null || (now ?? 0) >= (then ?? 0) - 1e-4, `${sizeUsd}: ${now} < ${then}`);
          before = {
            ...{ entry: entry ?? before.entry, exit: exit ?? before.exit, worst: worst ?? before.worst },
            fills: fills ?? 'unknown',
          };
        }
      }),
      { numRuns: 60 },
    );
  });
});

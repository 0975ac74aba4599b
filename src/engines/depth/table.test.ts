import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MINUTE_MS } from '../../base/times.ts';
import { COSTS } from '../../history/depth/cost-codec.ts';
import type { CostFigures } from '../../history/depth/figures.ts';
import { curveOf } from '../../market/depth/book-curve.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import type { Depth } from '../../venues/observations.ts';
import { storedCurves } from './stored-curves.ts';
import { depthTable, withSize } from './table.ts';

const AS_OF_MS = Date.UTC(2026, 10, 14, 9);

const CONTRACT: FrozenContract = {
  key: 'Fake/X',
  exchange: 'Fake',
  venueSymbol: 'X',
  symbol: 'X-USDT',
  coin: 'X',
  multiplier: 1,
  quote: 'USDT',
  isInverse: false,
  assetClass: 'crypto',
  isPriceOutlier: false,
  ratePct: 0.01,
  rateAtMs: AS_OF_MS,
  intervalHours: 8,
  nextFundingAtMs: null,
  volume24hUsdt: 1e6,
  takerFeePct: 0.05,
  maxLeverage: null,
  markPrice: null,
  indexPrice: null,
  openInterestUsdt: null,
  session: null,
};
/** The example of docs/depth.md. */
const BOOK: Pick<Depth, 'bids' | 'asks'> = {
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

function rowsOf(
  contract: Partial<FrozenContract>,
  book = BOOK,
  rates = new Map<string, number>(),
  { day, sizeUsd }: { day?: CostFigures; sizeUsd?: number } = {},
) {
  const curve = curveOf(book);
  const dated = curve && { curve, atMs: AS_OF_MS - 42_300, periodMs: 5 * MINUTE_MS };
  const one = { ...CONTRACT, ...contract };
  const market: FrozenMarket = {
    asOfMs: AS_OF_MS,
    states: [],
    identities: new Map(),
    contracts: [one],
    curves: new Map(dated ? [[one.key, dated]] : []),
  };
  const table = depthTable(market, rates, () => day);
  const shown = sizeUsd === undefined ? table : withSize(table, sizeUsd);
  return Array.from(
    { length: table.rowCount },
    (_, row) => JSON.parse(shown.rowJson(row)) as Record<string, unknown>,
  );
}

suite('the curves of a stored table', () => {
  const made = (rates: ReadonlyMap<string, number>, stored = curveOf(BOOK)) => {
    const dated = stored && { curve: stored, atMs: AS_OF_MS - 42_300, periodMs: 5 * MINUTE_MS };
    const market: FrozenMarket = {
      ...{ asOfMs: AS_OF_MS, states: [], identities: new Map() },
      contracts: [{ ...CONTRACT, quote: 'USDE' }],
      curves: new Map(dated ? [[CONTRACT.key, dated]] : []),
    };
    return depthTable(market, rates, () => undefined);
  };

  test('are in quote units again, and give the same row', () => {
    const rates = new Map([['USDE', 0.5]]);
    const table = made(rates);
    const stored = storedCurves(table).get(CONTRACT.key);
    assert.deepEqual([stored?.atMs, stored?.periodMs], [AS_OF_MS - 42_300, 5 * MINUTE_MS]);
    assert.equal(stored?.curve.asks.receivedValue, 63_158.6);
    assert.equal(stored?.curve.bids.valueWithin(5), 4_999);
    assert.ok(Number.isNaN(stored?.curve.bids.valueWithin(10)));
    assert.equal(made(rates, stored?.curve).rowJson(0), table.rowJson(0));
  });

  test('of a frame without the price of the quote are left out', () => {
    assert.equal(storedCurves(made(new Map([['USDE', Number.NaN]]))).size, 0);
  });
});

suite('a row of /depth', () => {
  test('the example of the documentation', () => {
    assert.deepEqual(rowsOf({}), [
      {
        exchange: 'Fake',
        symbol: 'X-USDT',
        venue_symbol: 'X',
        coin: 'X',
        asset_class: 'crypto',
        mid_price: 100,
        bid_ask_spread_pct: 0.04,
        bid_1bp_usd: 0,
        bid_2bp_usd: 4_999,
        bid_5bp_usd: 4_999,
        bid_10bp_usd: null,
        bid_25bp_usd: null,
        bid_50bp_usd: null,
        bid_received_usd: 24_979,
        bid_reach_bp: 10,
        ask_1bp_usd: 0,
        ask_2bp_usd: 3_000.6,
        ask_5bp_usd: 3_000.6,
        ask_10bp_usd: 13_008.6,
        ask_25bp_usd: 13_008.6,
        ask_50bp_usd: null,
        ask_received_usd: 63_158.6,
        ask_reach_bp: 30,
        buy_cost_pct: 0.14777539,
        sell_cost_pct: 0.080016,
        buy_cost_24h_median_pct: null,
        buy_cost_24h_worst_pct: null,
        sell_cost_24h_median_pct: null,
        sell_cost_24h_worst_pct: null,
        volume_24h_usdt: 1_000_000,
        book_at: '2026-11-14T08:59:17.700Z',
        book_age_seconds: 42.3,
        period_seconds: 300,
      },
    ]);
  });

  test('a stablecoin quote is converted to USDT, the mid price is not', () => {
    const [row] = rowsOf({ quote: 'USDC', symbol: 'X-USDC' }, BOOK, new Map([['USDC', 0.999]]));
    assert.equal(row?.ask_2bp_usd, 2_997.6);
    assert.equal(row?.bid_received_usd, 24_954.02);
    assert.equal(row?.mid_price, 100);
  });

  test('size_usd is in USD: a contract in another stablecoin takes as many of its units as they are worth', () => {
    // At half a dollar, 20,000 USD are 40,000 of the quote: 3,000.60 at 100.02, 10,008 at 100.08 and 26,991.40 at 100.30.
    const [row] = rowsOf({ quote: 'USDC', symbol: 'X-USDC' }, BOOK, new Map([['USDC', 0.5]]));
    const coins = 30 + 100 + 26_991.4 / 100.3;
    assert.ok(Math.abs(Number(row?.buy_cost_pct) - (40_000 / coins - 100)) < 1e-4, `${row?.buy_cost_pct}`);
    assert.equal(row?.sell_cost_pct, null, 'the bids hold 12,489.50 USD');
  });

  test('1000PEPE: the mid price is of a thousand coins, and no figure in USD is changed by the multiplier', () => {
    const pepe = { ...CONTRACT, symbol: '1000PEPE-USDT', coin: 'PEPE', multiplier: 1000 };
    const book: typeof BOOK = {
      bids: [[0.009799, 2_000_000]],
      asks: [
        [0.009801, 1_000_000],
        [0.009811, 5_000_000],
      ],
    };
    const [row] = rowsOf(pepe, book);
    assert.deepEqual([row?.mid_price, row?.ask_2bp_usd, row?.bid_received_usd], [0.0098, 9_801, 19_598]);
    // 9,801 at 0.009801 and 10,199 at 0.009811.
    const thousands = 1_000_000 + 10_199 / 0.009811;
    assert.ok(Math.abs(Number(row?.buy_cost_pct) - (20_000 / thousands / 0.0098 - 1) * 100) < 1e-5);
    assert.equal(row?.sell_cost_pct, null);
  });

  test('buying and selling are not the same: each order walks its own side', () => {
    const [row] = rowsOf({}, { bids: [[99.9, 1_000]], asks: [[100.3, 1_000]] });
    // The mid is 100.1.
    assert.deepEqual([row?.buy_cost_pct, row?.sell_cost_pct], [0.1998002, 0.1998002]);
    const [uneven] = rowsOf({}, { ...BOOK, bids: [[99.98, 1_000]] });
    assert.deepEqual([uneven?.buy_cost_pct, uneven?.sell_cost_pct], [0.14777539, 0.02]);
  });

  test('costs of another size, now and through the last day', () => {
    const rising = (first: number) =>
      Float64Array.from({ length: COSTS }, (_, cost) => first * (1 + (cost % 6)));
    const day: CostFigures = { medianPct: rising(0.01), worstPct: rising(0.02) };
    const [usual] = rowsOf({}, BOOK, new Map(), { day });
    assert.deepEqual([usual?.buy_cost_24h_median_pct, usual?.sell_cost_24h_worst_pct], [0.04, 0.08]);
    const [small] = rowsOf({}, BOOK, new Map(), { day, sizeUsd: 1_000 });
    assert.deepEqual([small?.buy_cost_pct, small?.sell_cost_pct], [0.02, 0.02]);
    assert.deepEqual([small?.buy_cost_24h_median_pct, small?.sell_cost_24h_worst_pct], [0.02, 0.04]);
    const [large] = rowsOf({}, BOOK, new Map(), { day, sizeUsd: 100_000 });
    assert.deepEqual([large?.buy_cost_pct, large?.sell_cost_pct], [null, null], 'more than the levels hold');
  });

  const none: Record<string, [Partial<FrozenContract>, typeof BOOK]> = {
    'an inverse contract': [{ isInverse: true, quote: 'USD' }, BOOK],
    'a contract quoted in BTC': [{ quote: 'BTC' }, BOOK],
    'an empty book': [{}, { bids: [], asks: [] }],
    'a book without bids': [{}, { ...BOOK, bids: [] }],
    'a book without asks': [{}, { ...BOOK, asks: [] }],
    'a crossed book': [{}, { ...BOOK, bids: [[101, 1]] }],
  };
  for (const [name, [contract, book]] of Object.entries(none))
    test(`${name} has no row`, () => assert.deepEqual(rowsOf(contract, book), []));
});

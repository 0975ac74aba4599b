import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MINUTE_MS } from '../../base/times.ts';
import { COSTS } from '../../history/depth/cost-codec.ts';
import type { CostFigures } from '../../history/depth/figures.ts';
import { curveOf } from '../../market/depth/book-curve.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import type { Depth } from '../../venues/observations.ts';
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

  test('a multiplier changes no figure in USD', () => {
    const [row] = rowsOf({ symbol: '1000X-USDT', multiplier: 1000 });
    assert.deepEqual([row?.mid_price, row?.ask_10bp_usd], [100, 13_008.6]);
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

  test('an inverse contract, another quote and a contract without a valid book have none', () => {
    assert.deepEqual(rowsOf({ isInverse: true, quote: 'USD' }), []);
    assert.deepEqual(rowsOf({ quote: 'BTC' }), []);
    assert.deepEqual(rowsOf({}, { ...BOOK, bids: [] }), []);
    assert.deepEqual(rowsOf({}, { ...BOOK, bids: [[101, 1]] }), []);
  });
});

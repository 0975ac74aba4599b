import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MadeMarket, type MadeQuote } from '../../../test/support/made-market.ts';
import { rowsFromLegs } from './rows.ts';
import { SpreadTableBuilder } from './table-builder.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);

const printOf = (builder: SpreadTableBuilder, { market, freezer }: MadeMarket, atMs: number) =>
  rowsFromLegs(builder.build(market.states(), freezer.identities, atMs).legs, atMs);

/** One print of a market in which every quote is new, unless it has an age. */
function printed(quotes: (MadeQuote & { agoMs?: number })[], prints = 1): Record<string, unknown>[] {
  const made = new MadeMarket();
  const builder = new SpreadTableBuilder();
  for (const quote of quotes) made.hear([quote], NOW_MS - (quote.agoMs ?? 1000));
  made.freezer.freeze(NOW_MS);
  let table = printOf(builder, made, NOW_MS);
  for (let i = 1; i < prints; i++) table = printOf(builder, made, NOW_MS + i);
  return Array.from({ length: table.rowCount }, (_, row) => JSON.parse(table.rowJson(row)));
}

const A: MadeQuote = { exchange: 'Binance', base: 'BTC', bid: 100, ask: 100.1 };
const B: MadeQuote = { exchange: 'OKX', base: 'BTC', bid: 101, ask: 101.1 };
const pick = (row: Record<string, unknown> | undefined, ...names: string[]) =>
  names.map((name) => row?.[name]);

suite('a row of /spreads', () => {
  test('has both directions and the better one, from the prices that would be paid', () => {
    const [row] = printed([A, B]);
    assert.equal(row?.long_a_short_b_pct, 0.8991009); // (101 - 100.1) / 100.1
    assert.equal(row?.short_a_long_b_pct, -1.08803165); // (100 - 101.1) / 101.1
    assert.equal(row?.spread_pct, 0.8991009);
    assert.equal(row?.direction, 'long_a_short_b');
    assert.deepEqual(pick(row, 'symbol', 'coin', 'exchange_a', 'exchange_b'), [
      'BTC-USDT',
      'BTC',
      'Binance',
      'OKX',
    ]);
    assert.deepEqual(pick(row, 'bid_a', 'ask_a', 'bid_b', 'ask_b'), [100, 100.1, 101, 101.1]);
  });

  test('has the other direction when A is more expensive', () => {
    const [row] = printed([
      { ...A, bid: 101, ask: 101.1 },
      { ...B, bid: 100, ask: 100.1 },
    ]);
    assert.deepEqual(pick(row, 'direction', 'spread_pct'), ['short_a_long_b', 0.8991009]);
  });

  test('venues are in the order of character codes, one row per pair', () => {
    const rows = printed([B, A, { ...A, exchange: 'dYdX', quote: 'USD' }]);
    assert.deepEqual(
      rows.map((row) => `${row.exchange_a} ${row.exchange_b}`),
      ['Binance OKX', 'Binance dYdX', 'OKX dYdX'],
    );
  });

  test('1000PEPE against PEPE: prices are per coin', () => {
    const [row] = printed([
      { exchange: 'Binance', base: '1000PEPE', bid: 0.0117, ask: 0.01171 },
      { exchange: 'OKX', base: 'PEPE', bid: 0.0000119, ask: 0.00001191 },
    ]);
    assert.deepEqual(pick(row, 'symbol', 'bid_a', 'ask_a'), ['PEPE-USDT', 0.0000117, 0.00001171]);
    assert.equal(row?.spread_pct, 1.62254483); // (0.0000119 - 0.00001171) / 0.00001171
    assert.equal(row?.short_a_long_b_pct, -1.76322418); // (0.0000117 - 0.00001191) / 0.00001191
  });

  test('a USDC leg against a USDT leg is converted with the rate of venues that quote both', () => {
    const rows = printed([
      // One USDC is worth 0.999 USDT by Bybit's two BTC contracts.
      { exchange: 'Bybit', base: 'BTC', bid: 99.85, ask: 99.95 },
      { exchange: 'Bybit', base: 'BTC', quote: 'USDC', bid: 99.95, ask: 100.05 },
      { exchange: 'Hyperliquid', base: 'ETH', quote: 'USDC', bid: 1000, ask: 1001 },
      { exchange: 'Binance', base: 'ETH', bid: 1000, ask: 1001 },
    ]);
    const row = rows.find(({ coin }) => coin === 'ETH');
    assert.deepEqual(pick(row, 'symbol', 'bid_a', 'ask_a', 'bid_b', 'ask_b'), [
      'ETH-USD',
      1000,
      1001,
      999,
      999.999,
    ]);
    assert.equal(row?.direction, 'short_a_long_b');
    assert.equal(row?.spread_pct, 0.0001); // (1000 - 999.999) / 999.999
  });

  test('without a known rate stablecoins are converted one to one', () => {
    const [row] = printed([A, { ...B, quote: 'USDC' }]);
    assert.deepEqual(pick(row, 'symbol', 'bid_b'), ['BTC-USD', 101]);
  });

  test('legs in the same quote are preferred, even when others would give a larger spread', () => {
    const [row, ...others] = printed([
      { ...A, quote: 'USDC' },
      { ...A, bid: 90, ask: 90.1 },
      { ...B, quote: 'USDC' },
    ]);
    assert.deepEqual(others, [], 'one row per pair and coin');
    assert.equal(row?.symbol, 'BTC-USDC');
  });

  test('without a usable leg in the same quote the next best is taken', () => {
    const [row] = printed([{ ...A, quote: 'USDC', agoMs: 121_000 }, A, { ...B, quote: 'USDC' }]);
    assert.equal(row?.symbol, 'BTC-USD');
  });

  test('two coins under one ticker: the outlier has no row', () => {
    const rows = printed([
      { exchange: 'Binance', base: 'NEIRO', bid: 1, ask: 1.001 },
      { exchange: 'Gate', base: 'NEIRO', bid: 1.002, ask: 1.003 },
      { exchange: 'OKX', base: 'NEIRO', bid: 48, ask: 48.1 },
      { exchange: 'Bybit', base: 'NEIRO', bid: 1.001, ask: 1.002 },
    ]);
    assert.deepEqual(
      rows.map((row) => `${row.exchange_a} ${row.exchange_b}`),
      ['Binance Bybit', 'Binance Gate', 'Bybit Gate'],
    );
  });

  test('two legs that are each near the median but far from each other have no row', () => {
    const rows = printed([
      { exchange: 'Binance', base: 'X', bid: 80, ask: 80.1 },
      { exchange: 'Gate', base: 'X', bid: 100, ask: 100.1 },
      { exchange: 'OKX', base: 'X', bid: 110, ask: 110.1 },
    ]);
    assert.deepEqual(
      rows.map((row) => `${row.exchange_a} ${row.exchange_b}`),
      ['Binance Gate', 'Gate OKX'],
    );
  });

  test('inverse contracts and quotes outside the dollar family have no row', () => {
    assert.deepEqual(printed([A, { ...B, quote: 'USD', isInverse: true }]), []);
    assert.deepEqual(printed([A, { ...B, quote: 'EUR' }]), []);
  });

  for (const [name, top] of Object.entries({
    crossed: { bid: 102, ask: 101 },
    'zero bid': { bid: 0, ask: 101 },
    'zero ask': { bid: 0, ask: 0 },
    negative: { bid: -1, ask: 101 },
    'not a number': { bid: Number.NaN, ask: 101 },
    infinite: { bid: 101, ask: Number.POSITIVE_INFINITY },
  })) {
    test(`a ${name} quote has no row, the others keep theirs`, () => {
      const rows = printed([A, { ...B, ...top }, { ...B, exchange: 'Gate' }]);
      assert.deepEqual(
        rows.map((row) => row.exchange_b),
        ['Gate'],
      );
    });
  }

  test('a halted contract has no row', () => {
    assert.deepEqual(printed([A, { ...B, status: 'halted' }]), []);
  });

  test('a quote of 120 s ago is used, an older one is not', () => {
    assert.equal(printed([A, { ...B, agoMs: 120_000 }]).length, 1);
    assert.deepEqual(printed([A, { ...B, agoMs: 120_001 }]), []);
  });

  test('updated_at is the older receive time', () => {
    const [row] = printed([
      { ...A, agoMs: 2000 },
      { ...B, agoMs: 9000 },
    ]);
    assert.equal(row?.updated_at, '2026-11-14T09:29:51Z');
  });

  test('funding of both legs, null where unknown', () => {
    const nextFundingAtMs = Date.UTC(2026, 10, 14, 16);
    const [row] = printed([
      { ...A, ratePct: 0.0125, intervalHours: 8, nextFundingAtMs },
      { ...B, ratePct: null },
    ]);
    assert.deepEqual(pick(row, 'funding_rate_a_pct', 'funding_interval_hours_a', 'next_funding_at_a'), [
      0.0125,
      8,
      '2026-11-14T16:00:00Z',
    ]);
    assert.deepEqual(pick(row, 'funding_rate_b_pct', 'funding_interval_hours_b', 'next_funding_at_b'), [
      null,
      null,
      null,
    ]);
  });
});

suite('strength', () => {
  const strength = (quotes: (MadeQuote & { agoMs?: number })[], prints = 3) =>
    printed(quotes, prints)[0]?.strength;

  test('is 5 when all conditions are met', () => {
    assert.equal(strength([A, B]), 5);
  });

  for (const [name, quotes] of Object.entries<(MadeQuote & { agoMs?: number })[]>({
    'the spread does not cover the round-trip taker fees': [A, { ...B, bid: 100.2, ask: 100.3 }],
    'one volume is below 1,000,000': [A, { ...B, volume24hUsdt: 999_999.99 }],
    'one leg is 15 s old': [A, { ...B, agoMs: 15_000 }],
    'the ask to be bought holds less than 500 USD': [{ ...A, askSize: 4.99 }, B],
    'the bid to be sold to holds less than 500 USD': [A, { ...B, bidSize: 4.9 }],
    'a size is unknown': [A, { ...B, bidSize: null }],
  })) {
    test(`is 4 when ${name}`, () => {
      assert.equal(strength(quotes), 4);
    });
  }

  test('depends on the sides that would be traded, not on the other two', () => {
    assert.equal(
      strength([
        { ...A, bidSize: 0.1 },
        { ...B, askSize: null },
      ]),
      5,
    );
  });

  test('a volume of exactly 1,000,000 and a size of exactly 500 USD are enough', () => {
    assert.equal(strength([{ ...A, volume24hUsdt: 1e6, ask: 100, bid: 99, askSize: 5 }, B]), 5);
  });

  test('a spread of exactly the fees is enough, a slightly smaller one is not', () => {
    // Binance and OKX: 2 x (0.05 + 0.05) = 0.2 %.
    const exact = { ...A, bid: 99.9, ask: 100 };
    assert.equal(strength([exact, { ...B, bid: 100.2, ask: 100.3 }]), 5);
    assert.equal(strength([exact, { ...B, bid: 100.1999, ask: 100.3 }]), 4);
  });

  test('the direction counts from the third print on, and the count restarts when it changes', () => {
    const made = new MadeMarket();
    const builder = new SpreadTableBuilder();
    const next = (quotes: MadeQuote[], atMs: number) => {
      made.hear(quotes, atMs);
      made.freezer.freeze(atMs);
      return JSON.parse(printOf(builder, made, atMs).rowJson(0)).strength;
    };
    const swapped = [
      { ...A, bid: 101, ask: 101.1 },
      { ...B, bid: 100, ask: 100.1 },
    ];
    assert.deepEqual(
      [[A, B], [A, B], [A, B], swapped, [A, B], [A, B], [A, B]].map((quotes, i) =>
        next(quotes, NOW_MS + i * 5000),
      ),
      [4, 4, 5, 4, 4, 4, 5],
    );
  });

  test('the count restarts when the row was missing in between', () => {
    const made = new MadeMarket();
    const builder = new SpreadTableBuilder();
    const next = (quotes: MadeQuote[], atMs: number) => {
      made.hear(quotes, atMs);
      made.freezer.freeze(atMs);
      const rows = printOf(builder, made, atMs);
      return rows.rowCount === 0 ? null : JSON.parse(rows.rowJson(0)).strength;
    };
    const crossed = [A, { ...B, ask: 99 }];
    assert.deepEqual(
      [[A, B], [A, B], [A, B], crossed, [A, B]].map((quotes, i) => next(quotes, NOW_MS + i * 5000)),
      [4, 4, 5, null, 4],
    );
  });
});

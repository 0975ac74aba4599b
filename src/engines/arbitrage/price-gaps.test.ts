import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { madeLegs } from '../../../test/operations/made-arbitrage.ts';
import { decodeTable, encodeTable } from '../../market/tables/table-codec.ts';
import { PairMaker } from './pairs.ts';
import {
  type GapRange,
  GapRanges,
  PRICE_GAPS_TABLE,
  PriceGapBook,
  priceGapPct,
  reversedGapPct,
} from './price-gaps.ts';

const AS_OF_MS = Date.UTC(2026, 10, 15, 12);
const DAY = Math.floor(AS_OF_MS / 86_400_000);
const include = (ranges: GapRanges, a: string, b: string, { lowPct, highPct, fromMs }: GapRange) =>
  ranges.widen(ranges.codeOf(a), ranges.codeOf(b), lowPct, highPct, fromMs);
const gap = (lowPct: number, highPct = lowPct, fromMs = AS_OF_MS) => ({ lowPct, highPct, fromMs });

suite('price gaps of pairs', () => {
  test('the worked example of docs/arbitrage.md', () => {
    assert.equal(Number(priceGapPct(100.015, 99.995).toFixed(8)), -0.019997);
    assert.equal(Number(priceGapPct(99.995, 100.015).toFixed(8)), 0.020001);
    assert.equal(Number(reversedGapPct(priceGapPct(100.015, 99.995)).toFixed(8)), 0.020001);
  });

  test('a range grows to both sides, and is seen from either leg', () => {
    const ranges = new GapRanges();
    include(ranges, 'Binance/BTCUSDT', 'OKX/BTC', gap(0.1));
    include(ranges, 'Binance/BTCUSDT', 'OKX/BTC', gap(0.3, 0.3, AS_OF_MS + 60_000));
    include(ranges, 'OKX/BTC', 'Binance/BTCUSDT', gap(0.2, 0.2, AS_OF_MS + 120_000));
    const seen = ranges.rangeOf('Binance/BTCUSDT', 'OKX/BTC');
    assert.deepEqual(seen, gap(reversedGapPct(0.2), 0.3));
    const reversed = ranges.rangeOf('OKX/BTC', 'Binance/BTCUSDT');
    assert.equal(reversed?.lowPct.toFixed(10), reversedGapPct(0.3).toFixed(10));
    assert.equal(reversed?.highPct.toFixed(10), '0.2000000000');
    assert.equal(ranges.rangeOf('Binance/BTCUSDT', 'OKX/ETH'), null);
    assert.equal(ranges.size, 1);
  });

  test('a stored day has the same ranges', () => {
    const ranges = new GapRanges();
    include(ranges, 'A/x', 'B/x', gap(-1, 2));
    include(ranges, 'B/y', 'A/y', gap(-3, 4));
    const table = decodeTable(encodeTable(ranges.table()), PRICE_GAPS_TABLE);
    assert.ok(table);
    const read = new GapRanges();
    read.includeTable(table);
    for (const [a, b] of [
      ['A/x', 'B/x'],
      ['B/y', 'A/y'],
    ] as const)
      assert.deepEqual(read.rangeOf(a, b), ranges.rangeOf(a, b));
  });

  test('a price that is too old makes no gap: it would be of another time', () => {
    const legs = madeLegs({ coins: ['BTC'], exchanges: ['A', 'B', 'C'], asOfMs: AS_OF_MS });
    const pairs = new PairMaker().pairsOf(legs);
    const received = legs.numbers('received_at');
    const ages = Array.from(received, (atMs) => AS_OF_MS - atMs);
    const oldest = Math.max(...ages);
    const all = new PriceGapBook(DAY);
    all.observe(legs, pairs, AS_OF_MS, oldest);
    assert.equal(all.today.size, 3);
    const recent = new PriceGapBook(DAY);
    recent.observe(legs, pairs, AS_OF_MS, oldest - 1);
    assert.equal(recent.today.size, 1, 'the pair without the oldest leg');
  });

  test('the days before and today are one range', () => {
    const book = new PriceGapBook(DAY);
    include(book.earlier, 'A/x', 'B/x', gap(-1, 0.5, AS_OF_MS - 86_400_000));
    include(book.today, 'A/x', 'B/x', gap(0.4, 0.7));
    assert.deepEqual(book.rangeOf('A/x', 'B/x'), gap(-1, 0.7, AS_OF_MS - 86_400_000));
    assert.deepEqual(book.rangeOf('B/x', 'A/x')?.fromMs, AS_OF_MS - 86_400_000);
  });
});

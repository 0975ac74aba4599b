import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasSentCalls, sentCalls } from '../../../test/support/as-sent.ts';
import { hasRecordings, recordedReplies } from '../../../test/support/recordings.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Depth } from '../../venues/observations.ts';
import { VENUES } from '../../venues/registry.ts';
import { curveOf } from './book-curve.ts';
import { fillPrice } from './fill-price.ts';
import { MAX_POINTS, type SideCurve } from './side-curve.ts';

type Book = Pick<Depth, 'bids' | 'asks'>;
type Levels = Book['bids'];

const DEAR_PCT = 5;
const SIZES = [100, 1_000, 5_000, 20_000, 75_000, 250_000];
/** Where a venue checks the name of the contract. */
const SYMBOLS: Readonly<Record<string, string>> = {
  hyperliquid: 'BTC',
  pacifica: 'BTC',
  grvt: 'BTC_USDT_Perp',
  cryptocom: 'BTC_USD',
};
/** Neither a recording nor the documentation of these venues has a reply of the call for a book; ApeX's books come with its tops. */
const WITHOUT_BOOK = [
  'apex',
  'arcus',
  'btse',
  'coinbaseintl',
  'edgex',
  'mexc',
  'ondo',
  'orangex',
  'orderly',
  'phemex',
  'pionex',
  'sodex',
  'standx',
  'toobit',
  'tradexyz',
];

/** The book in a reply as the venue's reader gives it; null if it is another reply. */
async function readBook(slug: string, payload: unknown, contractSize = 1): Promise<Book | null> {
  const contract = { ...fakeContract(SYMBOLS[slug] ?? 'BTCUSDT'), contractSize };
  const venue = VENUES.find((one) => one.slug === slug);
  const reply = { payload, receivedAtMs: 0, ageMs: 0, receivedBytes: 0 };
  const context = { send: async () => reply, contracts: new Map([[contract.venueSymbol, contract]]) };
  const book = await venue?.depth?.(contract, context).catch(() => null);
  return book && book.bids.length + book.asks.length > 0 ? book : null;
}

/** Compares costs of all sizes with the exact fill: of the book as it is, and of one in which the sizes reach its last level. */
function compare(book: Book, name: string): number {
  let compared = 0;
  const whole = (levels: Levels) => levels.reduce((sum, [price, size]) => sum + price * size, 0);
  const scaled = (levels: Levels): Levels =>
    levels.map(([price, size]) => [price, (size * 260_000) / whole(levels)]);
  for (const { bids, asks } of [book, { bids: scaled(book.bids), asks: scaled(book.asks) }]) {
    const curve = curveOf({ bids, asks });
    assert.ok(curve, name);
    compared +=
      compareSide(curve.bids, bids, curve.mid, false) + compareSide(curve.asks, asks, curve.mid, true);
  }
  return compared;
}

function compareSide(curve: SideCurve, levels: Levels, mid: number, isBuy: boolean): number {
  let [compared, before] = [0, 0];
  for (const size of SIZES) {
    const exact = fillPrice(levels, size, isBuy);
    const pct = curve.costPct(size);
    if (exact === null) assert.ok(Number.isNaN(pct), `${size} is more than the levels hold`);
    else {
      const exactPct = Math.abs(exact / mid - 1) * 100;
      // A curve may need more points than it has, where an order costs so much.
      if (Number.isNaN(pct) && curve.points.length === 2 * MAX_POINTS && exactPct > DEAR_PCT) continue;
      const off = Math.abs(pct - exactPct);
      assert.ok(off <= 0.02 * exactPct || off <= 0.001, `${pct}, not ${exactPct}, for ${size}`);
      assert.ok(pct >= before * (1 - 1e-6), 'a larger order costs no less');
      before = pct;
      compared++;
    }
  }
  return compared;
}

suite('books as venues sent them', () => {
  test('a cost of every sample in the fixtures is within 2 % of itself, or 0.1 bp, of the exact fill', async (t) => {
    const without: string[] = [];
    let [books, compared] = [0, 0];
    const withBooks = VENUES.filter(({ slug, facts }) => facts.noBook === undefined && hasSentCalls(slug));
    for (const { slug } of withBooks) {
      const before = books;
      for (const [call, { reply }] of Object.entries(sentCalls(slug))) {
        const book = await readBook(slug, reply);
        if (!book) continue;
        compared += compare(book, `${slug} ${call}`);
        books++;
      }
      if (books === before) without.push(slug);
    }
    t.diagnostic(`${books} books, ${compared} costs`);
    assert.deepEqual(without.sort(), WITHOUT_BOOK.toSorted());
    assert.ok(compared > 500, `${compared}`);
  });

  test('the same of every book in the recordings', { skip: !hasRecordings && 'no recordings' }, (t) => {
    let [books, compared] = [0, 0];
    for (const { name, payload } of recordedReplies())
      for (const book of booksIn(payload)) {
        // An update of a book has sizes of zero, or one side only.
        if (!curveOf(book)) continue;
        compared += compare(book, name);
        books++;
      }
    t.diagnostic(`${books} books, ${compared} costs`);
    assert.ok(books >= 50, `${books}`);
    assert.ok(compared > 700, `${compared}`);
  });

  test('Kraken, 2025-07-11: three levels a side, by hand', async () => {
    const { mid, bids, asks } = await curveOfSent('kraken', 'orderbook');
    assert.equal(mid, 105_925);
    // The first ask holds 31,785: 25 above the mid.
    isCost(asks.costPct(20_000), 0.0236);
    // 0.3 at 105,950 and 43,215 at 106,000: 0.70768868 coins, at 105,978.79 on average.
    isCost(asks.costPct(75_000), 0.05078);
    // 0.5 at 105,900 and 22,050 at 105,850: 0.70831365 coins, at 105,885.29 on average.
    isCost(bids.costPct(75_000), 0.03749);
    assert.ok(Number.isNaN(asks.costPct(250_000)), 'the asks hold 222,640');
    assert.ok(bids.costPct(250_000) > 0.05, 'the bids hold 264,610');
  });

  test('Paradex, 2024-06-14: a wide spread costs both sides', async () => {
    const { bids, asks } = await curveOfSent('paradex', 'orderbook');
    // Best bid and ask are 416.6 from the mid of 67,226.6; the first ask holds 252,579.71.
    isCost(asks.costPct(250_000), 0.6197);
    isCost(bids.costPct(5_000), 0.6197);
    // 5,211.18 at 66,810, the rest at 66,762.2.
    isCost(bids.costPct(20_000), 0.6722);
  });

  test('BingX, 2023-12-16: a price of 0.00001, sizes in coins', async () => {
    const { asks } = await curveOfSent('bingx', 'depth');
    // 6,777.67 at 0.000009856 and 3,222.33 at 0.000009857, against 0.000009855.
    isCost(asks.costPct(10_000), 0.013416);
  });

  test('OKX, 2024-01-30: contracts of 0.01 BTC', async () => {
    const { asks } = await curveOfSent('okx', 'books', 0.01);
    assert.ok(Math.abs(asks.receivedValue - 12_824_775.944) < 0.001);
    // 0.05 of 43,466.35.
    isCost(asks.costPct(250_000), 0.000115);
  });
});

async function curveOfSent(slug: string, call: string, contractSize = 1) {
  const book = await readBook(slug, sentCalls(slug)[call]?.reply, contractSize);
  assert.ok(book);
  const curve = curveOf(book);
  assert.ok(curve);
  return curve;
}

function isCost(pct: number, expectedPct: number): void {
  const off = Math.abs(pct - expectedPct);
  assert.ok(off <= 0.02 * expectedPct || off <= 0.001, `${pct}, not ${expectedPct}`);
}

/** Names that venues give the two sides, the price and the size. */
const SIDES = [
  ['bids', 'asks'],
  ['b', 'a'],
] as const;
const PRICES = ['price', 'px', 'p'];
const AMOUNTS = ['size', 'sz', 'qty', 'quantity', 'amount', 'remaining_base_amount', 's'];

/** Every two-sided book anywhere in a reply or message. */
function* booksIn(value: unknown): Generator<Book> {
  if (typeof value !== 'object' || value === null) return;
  const row = value as Record<string, unknown>;
  for (const [bid, ask] of SIDES) yield* bookOf(row[bid], row[ask]);
  if (Array.isArray(row.levels)) yield* bookOf(row.levels[0], row.levels[1]);
  for (const inner of Object.values(row)) yield* booksIn(inner);
}

/** Some venues list levels from the worst. */
function* bookOf(bids: unknown, asks: unknown): Generator<Book> {
  const [bought, offered] = [levelsOf(bids), levelsOf(asks)];
  if (!bought || !offered) return;
  const rising = (a: Levels[number], b: Levels[number]) => a[0] - b[0];
  yield { bids: bought.sort(rising).reverse(), asks: offered.sort(rising) };
}

function levelsOf(given: unknown): Levels | null {
  if (!Array.isArray(given)) return null;
  const levels = given.map((level: unknown): Levels[number] => {
    if (Array.isArray(level)) {
      // Deribit's messages have an action before price and size.
      const [price, size] = level.filter((part) => part !== '' && !Number.isNaN(Number(part)));
      return [Number(price), Number(size)];
    }
    const row = (typeof level === 'object' && level !== null ? level : {}) as Record<string, unknown>;
    const named = (names: readonly string[]) => Number(row[names.find((name) => name in row) ?? '']);
    return [named(PRICES), named(AMOUNTS)];
  });
  return levels.length > 0 ? levels : null;
}

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stagedContract, stagedQuote, stagedTop, stageMarket } from '../../test/support/staged-market.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/times.ts';
import { priceOf } from './freeze.ts';
import { TOP_MAX_AGE_MS } from './latest.ts';

const START_MS = Date.UTC(2026, 8, 23, 4, 5);
const NAMES = Array.from({ length: 12 }, (_, i) => `C${i}`);
const CONTRACTS = NAMES.map((name) => stagedContract(name));

/** The same rates in every row, but for the first. */
const rates = (first: number) => ({
  fundingQuotes: NAMES.map((name, i) => stagedQuote(name, i === 0 ? first : 0.00125)),
});

suite('a reply without times that repeats (Backpack, Hyperliquid, dYdX, Phemex, Lighter over REST)', () => {
  for (const exchange of ['Backpack', 'Hyperliquid', 'dYdX', 'Phemex', 'Lighter'])
    test(`${exchange}: repeated for longer than the venue has ever been quiet, it is not news; the rows leave`, () => {
      const { accept, rowOf, stateOf } = stageMarket(exchange, CONTRACTS, START_MS);
      let atMs = START_MS;
      for (let i = 0; i < 20; i++, atMs += 5 * SECOND_MS) accept(rates(0.001 + i / 1e6), atMs);
      const lastMs = atMs - 5 * SECOND_MS;
      for (; atMs <= lastMs + 30 * MINUTE_MS; atMs += 5 * SECOND_MS) accept(rates(0.001 + 19 / 1e6), atMs);
      assert.equal(stateOf('C5').rateAtMs, lastMs + 2 * MINUTE_MS);
      assert.ok(rowOf('C5', lastMs + 12 * MINUTE_MS));
      assert.equal(rowOf('C5', lastMs + 12 * MINUTE_MS + 1), undefined);
      accept(rates(0.002), atMs);
      assert.equal(stateOf('C5').rateAtMs, atMs, 'one row that moved makes the reply news');
    });

  test('a venue that was once quiet for five minutes may be so again', () => {
    const { accept, stateOf } = stageMarket('Phemex', CONTRACTS, START_MS);
    accept(rates(0.01), START_MS);
    accept(rates(0.02), START_MS + 5 * MINUTE_MS);
    accept(rates(0.02), START_MS + 10 * MINUTE_MS);
    assert.equal(stateOf('C5').rateAtMs, START_MS + 10 * MINUTE_MS);
    accept(rates(0.02), START_MS + 11 * MINUTE_MS);
    assert.equal(stateOf('C5').rateAtMs, START_MS + 10 * MINUTE_MS, 'six minutes were never seen');
  });

  test('a freeze of an hour does not teach that an hour is a quiet time', () => {
    const { accept, stateOf } = stageMarket('Phemex', CONTRACTS, START_MS);
    accept(rates(0.01), START_MS);
    accept(rates(0.02), START_MS + HOUR_MS);
    accept(rates(0.02), START_MS + HOUR_MS + 3 * MINUTE_MS);
    assert.equal(stateOf('C5').rateAtMs, START_MS + HOUR_MS);
  });

  test('equal rates beside moving prices are news: the reply is not the same', () => {
    const { accept, stateOf } = stageMarket('Hyperliquid', CONTRACTS, START_MS);
    for (let minute = 0; minute <= 20; minute++)
      accept(
        {
          ...rates(0.00125),
          dayVolumes: [{ venueSymbol: 'C3', volume24hUsdt: 1000, referencePrice: 10 + minute / 100 }],
        },
        START_MS + minute * MINUTE_MS,
      );
    assert.equal(stateOf('C5').rateAtMs, START_MS + 20 * MINUTE_MS);
  });

  test('equal rates beside moving mark prices are news, and the same mark prices are not', () => {
    const { accept, stateOf } = stageMarket('Hyperliquid', CONTRACTS, START_MS);
    const reply = (markPrice: number) => ({
      ...rates(0.00125),
      marketFigures: [{ venueSymbol: 'C3', markPrice, indexPrice: null, openInterestUsdt: null }],
    });
    for (let minute = 0; minute <= 20; minute++)
      accept(reply(10 + minute / 100), START_MS + minute * MINUTE_MS);
    const movedMs = START_MS + 20 * MINUTE_MS;
    assert.equal(stateOf('C5').rateAtMs, movedMs);
    for (let minute = 21; minute <= 30; minute++) accept(reply(10.2), START_MS + minute * MINUTE_MS);
    assert.equal(stateOf('C5').rateAtMs, movedMs + 2 * MINUTE_MS);
  });

  test('a cached reply that is older than the rate held does not replace it', () => {
    const { accept, stateOf } = stageMarket('Backpack', CONTRACTS, START_MS);
    accept(rates(0.02), START_MS);
    accept(rates(0.01), START_MS - HOUR_MS);
    assert.equal(stateOf('C0').ratePct, 0.02);
    assert.equal(stateOf('C0').rateAtMs, START_MS);
  });

  test('an hour-old reply of a cache makes no row at all (Backpack: stale-if-error=3600)', () => {
    const { accept, rowOf } = stageMarket('Backpack', CONTRACTS, START_MS - HOUR_MS);
    accept(rates(0.02), START_MS - HOUR_MS);
    assert.equal(rowOf('C0', START_MS), undefined);
  });
});

suite('one frozen row among moving ones', () => {
  const contracts = [stagedContract('PERP_EWT_USDT', { base: 'EWT' }), ...CONTRACTS];
  const settledMs = Date.UTC(2026, 8, 22, 8);
  const frozenAtMs = Date.UTC(2026, 8, 22, 2, 17, 59);

  /** What WOOX said at the time: all estimates of this minute but one. */
  const reply = (atMs: number, ewt: { nextFundingAtMs: number; venueTimeMs: number }) => ({
    fundingQuotes: [
      stagedQuote('PERP_EWT_USDT', 0.005, ewt),
      ...NAMES.map((name) =>
        stagedQuote(name, 0.005, {
          nextFundingAtMs: Date.UTC(2026, 8, 23, 8),
          venueTimeMs: Math.floor(atMs / MINUTE_MS) * MINUTE_MS,
        }),
      ),
    ],
  });

  test('WOOX EWT: next settlement 20 h ago, estimate of 26 h ago: no row, and no settlement is invented', () => {
    const { accept, rowOf } = stageMarket('WOOX', contracts, START_MS);
    for (let second = 0; second <= 1200; second += 15) {
      const atMs = START_MS + second * SECOND_MS;
      accept(reply(atMs, { nextFundingAtMs: settledMs, venueTimeMs: frozenAtMs }), atMs);
    }
    const nowMs = START_MS + 1200 * SECOND_MS;
    assert.equal(rowOf('PERP_EWT_USDT', nowMs), undefined);
    assert.equal(rowOf('C3', nowMs)?.ratePct, 0.005);
  });

  test('WOOX EWT before its settlement has passed: the row leaves ten minutes after its last estimate', () => {
    const startMs = frozenAtMs;
    const { accept, rowOf } = stageMarket('WOOX', contracts, startMs);
    for (let second = 0; second <= 1500; second += 15) {
      const atMs = startMs + second * SECOND_MS;
      accept(reply(atMs, { nextFundingAtMs: settledMs, venueTimeMs: frozenAtMs }), atMs);
    }
    assert.ok(rowOf('PERP_EWT_USDT', startMs + 9 * MINUTE_MS));
    assert.equal(rowOf('PERP_EWT_USDT', startMs + 12 * MINUTE_MS), undefined);
    assert.ok(rowOf('C3', startMs + 25 * MINUTE_MS));
  });

  test('a row without a time of its own that names a settlement of the past leaves too', () => {
    const { accept, rowOf } = stageMarket('Phemex', contracts, START_MS);
    for (let minute = 0; minute <= 20; minute++) {
      const atMs = START_MS + minute * MINUTE_MS;
      const stuck = { nextFundingAtMs: START_MS + MINUTE_MS };
      accept(
        {
          fundingQuotes: [
            stagedQuote('PERP_EWT_USDT', 0.005, stuck),
            ...NAMES.map((name) =>
              stagedQuote(name, minute / 1000, { nextFundingAtMs: START_MS + 9 * HOUR_MS }),
            ),
          ],
        },
        atMs,
      );
    }
    assert.ok(rowOf('PERP_EWT_USDT', START_MS + 12 * MINUTE_MS));
    assert.equal(rowOf('PERP_EWT_USDT', START_MS + 14 * MINUTE_MS), undefined);
    assert.ok(rowOf('C3', START_MS + 20 * MINUTE_MS));
  });
});

suite('quiet books', () => {
  const tops = (price = 10) => NAMES.map((name) => stagedTop(name, price));

  for (const exchange of ['Hyperliquid', 'dYdX', 'Lighter', 'WOOX', 'Phemex'])
    test(`${exchange}: twelve quiet tops that a live connection repeats keep their legs young`, () => {
      const { accept, stateOf } = stageMarket(exchange, CONTRACTS, START_MS);
      accept({ bookTops: tops(), isStreamed: true }, START_MS);
      for (let second = 15; second <= 300; second += 15)
        accept({ bookTops: tops(), isStreamed: true }, START_MS + second * SECOND_MS);
      assert.equal(stateOf('C5').topAtMs, START_MS + 300 * SECOND_MS);
    });

  test('a top of 125 s without a change stays a leg (Phemex PATHUSDT) while others move', () => {
    const { accept, stateOf } = stageMarket('Phemex', CONTRACTS, START_MS);
    accept({ bookTops: tops(), isStreamed: true }, START_MS);
    for (let second = 15; second <= 1800; second += 15) {
      const atMs = START_MS + second * SECOND_MS;
      accept({ bookTops: [stagedTop('C0', 10 + second / 1000)], isStreamed: true }, atMs);
      accept({ bookTops: tops().slice(1), isStreamed: true }, atMs);
    }
    assert.equal(stateOf('C5').topAtMs, START_MS + 1800 * SECOND_MS);
  });

  test('a connection that lives while no top of the venue changes for ten minutes is that of a frozen venue', () => {
    const { accept, stateOf } = stageMarket('Hyperliquid', CONTRACTS, START_MS);
    for (let second = 0; second <= 1200; second += 15)
      accept({ bookTops: tops(), isStreamed: true }, START_MS + second * SECOND_MS);
    assert.equal(stateOf('C5').topAtMs, START_MS + 10 * MINUTE_MS);
    accept({ bookTops: [stagedTop('C0', 11)], isStreamed: true }, START_MS + 1215 * SECOND_MS);
    accept({ bookTops: tops().slice(1), isStreamed: true }, START_MS + 1216 * SECOND_MS);
    assert.equal(stateOf('C5').topAtMs, START_MS + 1216 * SECOND_MS, 'one that moved proves the venue alive');
  });

  test('a bulk reply with times that repeats is not news at once; one without times after half a minute', () => {
    const { accept, stateOf } = stageMarket('Gate', CONTRACTS, START_MS);
    const stamped = NAMES.map((name) => stagedTop(name, 10, START_MS));
    accept({ bookTops: stamped }, START_MS);
    accept({ bookTops: stamped }, START_MS + 5 * SECOND_MS);
    assert.equal(stateOf('C5').topAtMs, START_MS);
    for (let second = 10; second <= 90; second += 5)
      accept({ bookTops: tops() }, START_MS + second * SECOND_MS);
    assert.equal(stateOf('C5').topAtMs, START_MS + 40 * SECOND_MS);
  });
});

suite('the price that identifies a coin', () => {
  test('a top older than a leg may be does not count; the mark price of the last reply does (WOOX TAO)', () => {
    const { accept, stateOf } = stageMarket(
      'WOOX',
      [stagedContract('PERP_TAO_USDT', { base: 'TAO' })],
      START_MS,
    );
    accept({ bookTops: [stagedTop('PERP_TAO_USDT', 200)], isStreamed: true }, START_MS);
    const volume = { venueSymbol: 'PERP_TAO_USDT', volume24hUsdt: 1000, referencePrice: 312 };
    accept({ dayVolumes: [volume] }, START_MS);
    assert.equal(priceOf(stateOf('PERP_TAO_USDT'), START_MS + TOP_MAX_AGE_MS), 200.1);
    assert.equal(priceOf(stateOf('PERP_TAO_USDT'), START_MS + TOP_MAX_AGE_MS + 1), 312);
  });

  test('without a young top and a mark price there is none', () => {
    const { accept, stateOf } = stageMarket(
      'WOOX',
      [stagedContract('PERP_0G_USDT', { base: '0G' })],
      START_MS,
    );
    stateOf('PERP_0G_USDT').referencePrice = null;
    accept({ bookTops: [stagedTop('PERP_0G_USDT', 2)], isStreamed: true }, START_MS);
    assert.equal(priceOf(stateOf('PERP_0G_USDT'), START_MS + TOP_MAX_AGE_MS + 1), null);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MadeMarket, type MadeQuote } from '../../../test/support/made-market.ts';
import { rowsFromLegs } from './rows.ts';
import { SpreadTableBuilder } from './table-builder.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);
const EXCHANGES = ['Binance', 'Bybit', 'Gate', 'OKX'];
const COINS = ['BTC', 'ETH', 'SOL'];
const QUOTES: MadeQuote[] = COINS.flatMap((base) =>
  EXCHANGES.map((exchange, i) => ({ exchange, base, bid: 100 + i / 10, ask: 100.01 + i / 10 })),
);
const PAIRS_PER_COIN = 6;
/** The pairs of one leg: one with each other venue. */
const PAIRS_PER_LEG = 3;

function market() {
  const made = new MadeMarket();
  const builder = new SpreadTableBuilder();
  made.hear(QUOTES, NOW_MS);
  made.freezer.freeze(NOW_MS);
  let nowMs = NOW_MS;
  return {
    made,
    print: (quotes: MadeQuote[] = []) => {
      nowMs += 1000;
      if (quotes.length > 0) made.hear(quotes, nowMs);
      return rowsFromLegs(builder.build(made.market.states(), made.freezer.identities, nowMs).legs, nowMs);
    },
    freeze: () => made.freezer.freeze(nowMs),
  };
}

suite('prints of a changing market', () => {
  test('a table does not change when the next print is made', () => {
    const { print } = market();
    const before = print();
    const json = before.rowJson(0);
    const bid = before.numbers('bid_a')[1];
    print(QUOTES.map((quote) => ({ ...quote, bid: quote.bid + 1, ask: quote.ask + 1 })));
    assert.equal(before.rowJson(0), json);
    assert.equal(before.numbers('bid_a')[1], bid);
    assert.equal(JSON.parse(before.rowJson(1)).bid_a, bid, 'also in rows that were not read before');
  });

  test('a new listing keeps the direction streaks', () => {
    const { made, print, freeze } = market();
    for (let i = 0; i < 3; i++) print();
    made.hear([{ exchange: 'Gate', base: 'ADA', bid: 1, ask: 1.01 }], NOW_MS + 4000);
    made.hear([{ exchange: 'OKX', base: 'ADA', bid: 1, ask: 1.01 }], NOW_MS + 4000);
    freeze();
    const rows = print();
    const parsed = Array.from({ length: rows.rowCount }, (_, row) => JSON.parse(rows.rowJson(row)));
    const strengths = (isNew: boolean) =>
      parsed.filter(({ coin }) => (coin === 'ADA') === isNew).map(({ strength }) => strength);
    assert.deepEqual(strengths(true), [3], 'a new row has no direction yet');
    assert.equal(Math.min(...strengths(false)), 4, 'fresh, traded, filled and still steady');
  });

  test('a delisted contract loses its rows, the others keep theirs', () => {
    const { made, print } = market();
    print();
    made.delist('OKX', 'ETHUSDT', NOW_MS + 1500);
    const rows = print();
    assert.equal(rows.rowCount, PAIRS_PER_COIN * COINS.length - PAIRS_PER_LEG);
  });

  test('a contract without an identity has no rows before the next snapshot', () => {
    const { made, print, freeze } = market();
    made.hear([{ exchange: 'Kraken', base: 'ETH', quote: 'USD', bid: 100, ask: 100.1 }], NOW_MS + 500);
    assert.equal(print().rowCount, PAIRS_PER_COIN * COINS.length);
    freeze();
    assert.equal(print().rowCount, PAIRS_PER_COIN * COINS.length + EXCHANGES.length);
  });
});

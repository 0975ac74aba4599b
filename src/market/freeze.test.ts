import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MadeMarket, type MadeQuote } from '../../test/support/made-market.ts';
import { emptyBatch } from '../venues/observations.ts';
import { VENUES } from '../venues/registry.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);
const COINS = 700;

/** The market at one time: every value depends on `factor`. */
function quotes(factor: number): MadeQuote[] {
  return ['Binance', 'OKX'].flatMap((exchange) =>
    Array.from({ length: COINS }, (_, coin) => ({
      exchange,
      base: `${coin % 10 === 0 && exchange === 'OKX' ? '1000' : ''}COIN${coin}`,
      bid: (coin + 1) * factor * (coin % 10 === 0 && exchange === 'OKX' ? 1000 : 1),
      ask: (coin + 1) * factor * (coin % 10 === 0 && exchange === 'OKX' ? 1000 : 1) * 1.0001,
      ratePct: 0.01 * factor,
      volume24hUsdt: 1e6 * factor,
    })),
  );
}

suite('freezing the market', () => {
  test('a clock that is set while tables are made changes nothing of their copy of the market', () => {
    const made = new MadeMarket();
    const venue = VENUES.find(({ facts }) => facts.exchange === 'OKX');
    made.hear([{ exchange: 'OKX', base: 'BTC', bid: 1, ask: 1.01 }], NOW_MS);
    const [state] = made.freezer.statesNow(NOW_MS);
    assert.ok(venue && state);
    const { contract } = state;
    const { venueSymbol } = contract;
    const marketFigures = [{ venueSymbol, markPrice: 1, indexPrice: 1, openInterestUsdt: 1 }];
    const batch = { ...emptyBatch(), marketFigures };
    made.market.accept(venue, batch, NOW_MS, new Map([[venueSymbol, contract]]));
    const [copy] = made.freezer.freeze(NOW_MS).states;
    made.market.shiftTimes(-60_000, NOW_MS - 60_000);
    assert.equal(copy?.topAtMs, NOW_MS);
    assert.equal(copy?.figures?.markPrice?.atMs, NOW_MS);
  });

  test('a second table of the time of a snapshot is made from its copy, a later one from the market', () => {
    const made = new MadeMarket();
    made.hear(quotes(1), NOW_MS);
    const { states } = made.freezer.freeze(NOW_MS);
    made.hear(quotes(2), NOW_MS);
    assert.equal(made.freezer.statesNow(NOW_MS), states);
    assert.equal(made.freezer.freeze(NOW_MS).states, states);
    const later = made.freezer.statesNow(NOW_MS + 1);
    assert.equal(later[0]?.top?.bidPrice, 2 * (states[0]?.top?.bidPrice ?? 0));
  });
});

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

suite('freezing the market in steps', () => {
  test('all rows are of the time at which it began, whatever venues say between the steps', () => {
    const still = new MadeMarket();
    still.hear(quotes(1), NOW_MS);
    const expected = still.freezer.freeze(NOW_MS);
    assert.equal(expected.contracts.length, 2 * COINS);

    const moving = new MadeMarket();
    moving.hear(quotes(1), NOW_MS);
    const steps = moving.freezer.steps(NOW_MS);
    let count = 1;
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      moving.hear(quotes(1 + count / 10), NOW_MS + count);
      moving.delist('Binance', `COIN${count}USDT`, NOW_MS + count);
      assert.equal(moving.freezer.identities.size, 0, 'nobody sees identities of a part of the market');
      count++;
    }
    assert.deepEqual(step.value, expected);
    assert.deepEqual(moving.freezer.identities, still.freezer.identities);
  });

  test('a clock that is set while tables are made changes nothing of their copy of the market', () => {
    const made = new MadeMarket();
    const venue = VENUES.find(({ facts }) => facts.exchange === 'OKX');
    made.hear([{ exchange: 'OKX', base: 'BTC', bid: 1, ask: 1.01 }], NOW_MS);
    const [state] = made.freezer.statesAt(NOW_MS - 1);
    assert.ok(venue && state);
    const { contract } = state;
    const { venueSymbol } = contract;
    const marketFigures = [{ venueSymbol, markPrice: 1, indexPrice: 1, openInterestUsdt: 1 }];
    const batch = { ...emptyBatch(), marketFigures };
    made.market.accept(venue, batch, NOW_MS, new Map([[venueSymbol, contract]]));
    const [copy] = made.freezer.statesAt(NOW_MS);
    made.market.shiftTimes(-60_000, NOW_MS - 60_000);
    assert.equal(copy?.topAtMs, NOW_MS);
    assert.equal(copy?.figures?.markPrice?.atMs, NOW_MS);
  });

  test('a second table of the same time is made from the same copy, a later one from its own', () => {
    const made = new MadeMarket();
    made.hear(quotes(1), NOW_MS);
    const states = made.freezer.statesAt(NOW_MS);
    made.hear(quotes(2), NOW_MS);
    assert.equal(made.freezer.statesAt(NOW_MS), states);
    assert.equal(made.freezer.freeze(NOW_MS).states, states);
    const later = made.freezer.statesAt(NOW_MS + 1);
    assert.equal(later[0]?.top?.bidPrice, 2 * (states[0]?.top?.bidPrice ?? 0));
  });

  test('more contracts take more steps, not longer ones', () => {
    const stepsFor = (shown: readonly MadeQuote[]) => {
      const made = new MadeMarket();
      made.hear(shown, NOW_MS);
      return made.freezer.steps(NOW_MS).toArray().length;
    };
    const [half, whole] = [stepsFor(quotes(1).slice(0, COINS)), stepsFor(quotes(1))];
    assert.ok(whole >= half + 4, `${half} steps for ${COINS} contracts, ${whole} for twice as many`);
  });
});

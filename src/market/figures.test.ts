import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stagedContract, stagedQuote, stageMarket } from '../../test/support/staged-market.ts';
import type { MarketFigures } from '../venues/observations.ts';
import { ROW_MAX_AGE_MS } from './interval.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const MINUTE_MS = 60_000;

function figures(change: Partial<MarketFigures>): MarketFigures {
  return { venueSymbol: 'A', markPrice: null, indexPrice: null, openInterestUsdt: null, ...change };
}

function stage() {
  const staged = stageMarket('Binance', [stagedContract('A')], START_MS);
  staged.accept({ fundingQuotes: [stagedQuote('A', 0.01)] }, START_MS);
  const shown = (atMs: number) => {
    const { markPrice, indexPrice, openInterestUsdt } = staged.rowOf('A', atMs) ?? {};
    return [markPrice, indexPrice, openInterestUsdt];
  };
  return { ...staged, shown };
}

suite('mark price, index price and open interest', () => {
  test('are null until a venue sends them', () => {
    assert.deepEqual(stage().shown(START_MS), [null, null, null]);
  });

  test('may come in different calls: a call without one leaves it as it was', () => {
    const { accept, shown } = stage();
    accept({ marketFigures: [figures({ markPrice: 10, indexPrice: 11 })] }, START_MS);
    accept({ marketFigures: [figures({ openInterestUsdt: 5 })] }, START_MS + 1000);
    assert.deepEqual(shown(START_MS + 1000), [10, 11, 5]);
  });

  test('an open interest of zero is unknown beside volume, and zero without', () => {
    const { accept, shown } = stage();
    const zero = figures({ openInterestUsdt: 0 });
    accept({ marketFigures: [zero] }, START_MS);
    const volume = (volume24hUsdt: number) => ({ venueSymbol: 'A', volume24hUsdt, referencePrice: 10 });
    accept({ dayVolumes: [volume(48.9)] }, START_MS);
    assert.equal(shown(START_MS)[2], null);
    accept({ dayVolumes: [volume(0)] }, START_MS + 1000);
    assert.equal(shown(START_MS + 1000)[2], 0);
  });

  test('each is null once it is older than a row may be, while the row stays', () => {
    const { accept, shown } = stage();
    accept({ marketFigures: [figures({ markPrice: 10, openInterestUsdt: 5 })] }, START_MS);
    const laterMs = START_MS + 6 * MINUTE_MS;
    accept({ fundingQuotes: [stagedQuote('A', 0.02)], marketFigures: [figures({ markPrice: 12 })] }, laterMs);
    assert.deepEqual(shown(START_MS + ROW_MAX_AGE_MS), [12, null, 5]);
    assert.deepEqual(shown(START_MS + ROW_MAX_AGE_MS + 1), [12, null, null]);
  });

  test('an older reply from a cache does not replace a newer one', () => {
    const { accept, shown } = stage();
    accept({ marketFigures: [figures({ markPrice: 12 })] }, START_MS + 1000);
    accept({ marketFigures: [figures({ markPrice: 10, indexPrice: 11 })] }, START_MS);
    assert.deepEqual(shown(START_MS + 1000), [12, 11, null]);
  });

  for (const [name, bad, reason] of [
    ['a mark price of 1e300', { markPrice: 1e300 }, 'impossible price'],
    ['a mark price of zero', { markPrice: 0 }, 'impossible price'],
    ['an index price that is not a number', { indexPrice: Number.NaN }, 'impossible price'],
    ['a negative open interest', { openInterestUsdt: -1 }, 'impossible open interest'],
    ['an open interest of 1e300', { openInterestUsdt: 1e300 }, 'impossible open interest'],
  ] as const) {
    test(`${name} is quarantined; the last good one and the figures beside it stay`, () => {
      const { accept, shown, market, venue } = stage();
      const good = figures({ markPrice: 10, indexPrice: 11, openInterestUsdt: 5 });
      accept({ marketFigures: [good] }, START_MS);
      accept({ marketFigures: [{ ...good, ...bad }] }, START_MS + 1000);
      assert.deepEqual(shown(START_MS + 1000), [10, 11, 5]);
      assert.deepEqual(market.quarantined(venue), { [reason]: 1 });
    });
  }
});

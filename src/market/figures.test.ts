import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stagedContract, stagedQuote, stageMarket } from '../../test/support/staged-market.ts';
import type { MarketFigures } from '../venues/observations.ts';
import { ROW_MAX_AGE_MS } from './interval.ts';
import { quarantineOf } from './quarantine.ts';

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
    ['an open interest above 1e11', { openInterestUsdt: 1.001e11 }, 'impossible open interest'],
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

suite('an open interest that cannot be right', () => {
  const volumeOf = (volume24hUsdt: number) => ({ venueSymbol: 'A', volume24hUsdt, referencePrice: 10 });
  const BY_VOLUME = 'open interest above 1,000 times the volume of the day';
  const BY_SOURCE = 'open interest of two sources differs by more than 20 times';

  test('above 1,000 times the volume of the day is unknown and quarantined, until the volume fits', () => {
    const { accept, shown, market, freezer, venue } = stage();
    accept({ marketFigures: [figures({ openInterestUsdt: 2e7 })], dayVolumes: [volumeOf(19_999)] }, START_MS);
    assert.equal(shown(START_MS)[2], null);
    assert.deepEqual(quarantineOf(market, freezer, venue), { [BY_VOLUME]: 1 });
    accept({ dayVolumes: [volumeOf(20_000)] }, START_MS + 1000);
    assert.equal(shown(START_MS + 1000)[2], 2e7);
    assert.deepEqual(quarantineOf(market, freezer, venue), {});
  });

  test('below 10 million a quiet contract may have any volume, and none at all', () => {
    const { accept, shown } = stage();
    accept({ marketFigures: [figures({ openInterestUsdt: 9.9e6 })], dayVolumes: [volumeOf(0)] }, START_MS);
    assert.equal(shown(START_MS)[2], 9.9e6);
  });

  const streamed = (openInterestUsdt: number) => ({
    marketFigures: [figures({ openInterestUsdt })],
    isStreamed: true as const,
  });

  test('more than 20 times that of the other source is unknown in both orders, until one falls silent', () => {
    const { accept, shown, market, freezer, venue } = stage();
    accept({ marketFigures: [figures({ openInterestUsdt: 1e6 })], dayVolumes: [volumeOf(1e8)] }, START_MS);
    accept(streamed(2.1e7), START_MS + 1000);
    assert.equal(shown(START_MS + 1000)[2], null);
    accept(streamed(2.2e7), START_MS + 2000);
    accept({ marketFigures: [figures({ openInterestUsdt: 1.01e6 })] }, START_MS + 3000);
    assert.equal(shown(START_MS + 3000)[2], null);
    assert.deepEqual(quarantineOf(market, freezer, venue), { [BY_SOURCE]: 1 });
    accept(streamed(1.02e6), START_MS + 4000);
    assert.equal(shown(START_MS + 4000)[2], 1.02e6);
    accept(streamed(3e7), START_MS + 5000);
    accept({ fundingQuotes: [stagedQuote('A', 0.02)] }, START_MS + ROW_MAX_AGE_MS);
    assert.equal(shown(START_MS + ROW_MAX_AGE_MS)[2], null);
    assert.equal(
      shown(START_MS + 3000 + ROW_MAX_AGE_MS + 1)[2],
      3e7,
      'the call has not been heard for ten minutes',
    );
  });

  test('a jump of one source, and a difference below 100,000, is published', () => {
    const { accept, shown } = stage();
    accept({ marketFigures: [figures({ openInterestUsdt: 1e6 })], dayVolumes: [volumeOf(1e8)] }, START_MS);
    accept({ marketFigures: [figures({ openInterestUsdt: 5e7 })] }, START_MS + 1000);
    assert.equal(shown(START_MS + 1000)[2], 5e7);
    const thin = stage();
    thin.accept({ marketFigures: [figures({ openInterestUsdt: 100 })] }, START_MS);
    thin.accept(streamed(99_999), START_MS + 1000);
    assert.equal(thin.shown(START_MS + 1000)[2], 99_999);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stagedContract, stagedQuote, stagedTop, stageMarket } from '../../test/support/staged-market.ts';
import { VENUES } from '../venues/registry.ts';
import { maxRatePct } from './limits.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);

suite('the cap of a venue', () => {
  for (const [exchange, intervalHours, highest] of [
    ['BingX', 1, 6],
    ['BingX', 8, 6],
    ['Gate', 1, 7.5],
    ['KuCoin', 1, 4.65],
    ['Deribit', 8, 5],
    ['Paradex', 8, 5],
    ['Deribit', 1, 0.625],
    ['Hyperliquid', 1, 4],
    ['Binance', 1, 10],
    ['Binance', 8, 32],
    ['Binance', null, 32],
  ] as const) {
    test(`${exchange}: ${highest} % in ${intervalHours ?? 'an unknown number of'} h is taken, more is quarantined`, () => {
      const { accept, rowOf, market, venue } = stageMarket(
        exchange,
        [stagedContract('A', { intervalHours })],
        START_MS,
      );
      assert.equal(maxRatePct(venue, intervalHours), highest);
      accept({ fundingQuotes: [stagedQuote('A', -highest)] }, START_MS);
      assert.equal(rowOf('A', START_MS)?.ratePct, -highest);
      accept({ fundingQuotes: [stagedQuote('A', highest * 1.01)] }, START_MS + 1000);
      assert.equal(rowOf('A', START_MS + 1000)?.ratePct, -highest, 'the last good rate stays');
      assert.deepEqual(market.quarantined(venue), { 'rate above the cap of the venue': 1 });
    });
  }

  test('a contract with a cap of its own is bounded by the lower of both', () => {
    for (const [rateCapPct, highest, fault] of [
      [0.3, 0.3, 'rate above the cap of the contract'],
      [200, 7.5, 'rate above the cap of the venue'],
    ] as const) {
      const contracts = [stagedContract('A', { rateCapPct })];
      const { accept, rowOf, market, venue } = stageMarket('Gate', contracts, START_MS);
      accept({ fundingQuotes: [stagedQuote('A', -highest)] }, START_MS);
      accept({ fundingQuotes: [stagedQuote('A', highest * 1.01)] }, START_MS + 1000);
      assert.equal(rowOf('A', START_MS + 1000)?.ratePct, -highest, 'the last good rate stays');
      assert.deepEqual(market.quarantined(venue), { [fault]: 1 });
    }
  });

  test('a cap is a percent with a source', () => {
    for (const { facts } of VENUES) {
      if (!facts.rateCap) continue;
      assert.ok(facts.rateCap.value.pct > 0 && facts.rateCap.value.pct <= 10, facts.exchange);
      assert.match(facts.rateCap.source, /^https:\/\//);
    }
  });
});

suite('numbers that no venue can mean', () => {
  const stage = () => stageMarket('Binance', [stagedContract('A')], START_MS);

  for (const [name, change, reason] of [
    ['a bid and ask of 1e300', { bidPrice: 1e300, askPrice: 1.1e300 }, 'impossible price'],
    ['an ask of 1e300', { askPrice: 1e300 }, 'impossible price'],
    ['an ask of infinity', { askPrice: Number.POSITIVE_INFINITY }, 'impossible price'],
    ['an ask that is not a number', { askPrice: Number.NaN }, 'impossible price'],
    ['a bid size of 1e300', { bidSize: 1e300 }, 'impossible size'],
    ['an ask size of 1e300', { askSize: 1e300 }, 'impossible size'],
  ] as const) {
    test(`${name} is quarantined, the last top stays`, () => {
      const { accept, stateOf, market, venue } = stage();
      const good = stagedTop('A', 10);
      accept({ bookTops: [good] }, START_MS);
      accept({ bookTops: [{ ...good, ...change }] }, START_MS + 1000);
      assert.deepEqual(stateOf('A').top, good);
      assert.equal(stateOf('A').topAtMs, START_MS);
      assert.deepEqual(market.quarantined(venue), { [reason]: 1 });
    });
  }

  for (const [name, change, reason] of [
    ['a volume of 1e300', { volume24hUsdt: 1e300 }, 'impossible volume'],
    ['a volume that is not a number', { volume24hUsdt: Number.NaN }, 'impossible volume'],
    ['a mark price of 1e300', { referencePrice: 1e300 }, 'impossible price'],
  ] as const) {
    test(`${name} is quarantined, the last volume and price stay`, () => {
      const { accept, stateOf, market, venue } = stage();
      accept(
        { dayVolumes: [{ venueSymbol: 'A', volume24hUsdt: 5, referencePrice: 7, ...change }] },
        START_MS,
      );
      assert.deepEqual([stateOf('A').volume24hUsdt, stateOf('A').referencePrice], [1000, 10]);
      assert.deepEqual(market.quarantined(venue), { [reason]: 1 });
    });
  }

  test('a rate of 1e300 is quarantined', () => {
    const { accept, stateOf, market, venue } = stage();
    accept({ fundingQuotes: [stagedQuote('A', 1e300)] }, START_MS);
    assert.equal(stateOf('A').ratePct, null);
    assert.deepEqual(market.quarantined(venue), { 'rate above the cap of the venue': 1 });
  });

  test('what exists is far below the bounds: 1.2e5 dollars, 4.2e17 units, 9e10 dollars a day', () => {
    const { accept, stateOf, market, venue } = stage();
    const top = { ...stagedTop('A', 120_000), bidSize: 4.2e17 };
    accept(
      { bookTops: [top], dayVolumes: [{ venueSymbol: 'A', volume24hUsdt: 9e10, referencePrice: 120_000 }] },
      START_MS,
    );
    assert.deepEqual([stateOf('A').top, stateOf('A').volume24hUsdt], [top, 9e10]);
    assert.deepEqual(market.quarantined(venue), {});
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import { countedOnce } from '../counting/sides.ts';
import type { Batch, Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import { parseBook, parseFundingHistory, parseInfo, parsePrices } from './parse.ts';
import { bestOffers } from './stream.ts';
import { pacifica } from './venue.ts';

const published = (batch: Batch) => countedOnce(batch, pacifica.facts.counts);

const listed = parseInfo(JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/info.json`, 'utf8')));
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const RECEIVED_AT_MS = Date.UTC(2026, 10, 14, 22, 20, 0, 400);
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };
const success = (data: unknown) => ({ success: true, data, error: null, code: null });

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}
const bitcoin = contractOf('BTC');

suite('Pacifica contracts', () => {
  test('perpetuals are taken, spot is ignored, bad rows are rejected with a reason', () => {
    assert.equal(contracts.size, 8);
    assert.deepEqual([...listed.ignored], [['spot', 1]]);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODD', reason: 'unknown instrument type' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('bare symbols settle in USDC; leverage and opening are each market’s own', () => {
    const { quote, settle, contractSize, maxLeverage, listedAtMs, intervalHours } = bitcoin;
    assert.deepEqual(
      [quote, settle, contractSize, maxLeverage, listedAtMs, intervalHours],
      ['USDC', 'USDC', 1, 50, 1_748_881_333_944, 1],
    );
    assert.equal(contractOf('XPL').listedAtMs, null);
  });

  test('F1: kBONK keeps its multiplier', () => {
    assert.equal(contractOf('kBONK').base, 'kBONK');
  });

  test('F3: shares, gold, an index and a currency pair are known by name; the gold token is a coin', () => {
    assert.deepEqual(
      ['NVDA', 'XAU', 'SP500', 'EURUSD', 'PAXG', 'XPL'].map((name) => contractOf(name).assetClass),
      ['stock', 'commodity', 'index', 'forex', 'crypto', 'crypto'],
    );
  });

  test('an error with HTTP 200 is a bad reply, not an empty list', () => {
    const error = { success: false, data: null, error: 'Internal', code: 500 };
    assert.throws(() => parseInfo(error), BadReply);
    assert.throws(() => parsePrices(error, context), BadReply);
    assert.throws(() => parseBook(error, bitcoin), BadReply);
  });
});

suite('Pacifica prices', () => {
  const row = {
    funding: '0.00000475',
    mark: '76922.3',
    mid: '76921.5',
    next_funding: '-0.00000336',
    open_interest: '412.5',
    oracle: '76956.9',
    symbol: 'BTC',
    timestamp: RECEIVED_AT_MS - 300,
    volume_24h: '158617298.5',
  };
  const read = (...rows: object[]) => parsePrices(success(rows), context);

  test('B1: funding is fixed for the next full hour; next_funding is the estimate for the hour after', () => {
    const [quote] = read(row).fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours, quote?.venueTimeMs],
      [0.000475, Date.UTC(2026, 10, 14, 23), 1, RECEIVED_AT_MS - 300],
    );
  });

  test('D7: a row that stands still keeps the settlement of its own time', () => {
    const [stale] = read({ ...row, timestamp: Date.UTC(2026, 10, 14, 20, 59, 59) }).fundingQuotes;
    assert.equal(stale?.nextFundingAtMs, Date.UTC(2026, 10, 14, 21));
    const [untimed] = read({ ...row, timestamp: 0 }).fundingQuotes;
    assert.equal(untimed?.nextFundingAtMs, Date.UTC(2026, 10, 14, 23));
  });

  test('A6, B5: both rates are of one hour; zero is a value', () => {
    const [quote] = read({ ...row, funding: '0' }).fundingQuotes;
    assert.deepEqual([quote?.ratePct, quote?.intervalHours], [0, 1]);
  });

  test('F8: open interest is in coins although documented in dollars; volume is in dollars; both count both sides', () => {
    const batch = published(read(row));
    assert.deepEqual(batch.marketFigures, [
      {
        venueSymbol: 'BTC',
        markPrice: 76_922.3,
        indexPrice: 76_956.9,
        openInterestUsdt: (412.5 / 2) * 76_922.3,
        openInterestCount: 412.5 / 2,
      },
    ]);
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTC', volume24hUsdt: 158_617_298.5 / 2, referencePrice: 76_922.3 },
    ]);
  });

  test('a new or spot symbol never loses the rest; a row without a rate is rejected by name', () => {
    const batch = read({ ...row, symbol: 'NEW' }, { ...row, symbol: 'XPL', funding: null }, row);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'XPL', reason: 'no rate' }]);
    assert.equal(batch.fundingQuotes.length, 1);
  });
});

suite('Pacifica prints and books', () => {
  const NEWEST_MS = Date.UTC(2026, 10, 14, 22, 0, 0, 497);
  const HOUR_MS = 3_600_000;
  const page = (count: number, fromMs: number, more: object) => {
    const data = Array.from({ length: count }, (_, i) => ({
      oracle_price: '77315.5',
      funding_rate: '0.00000383',
      next_funding_rate: '0.00000475',
      created_at: NEWEST_MS - i * HOUR_MS,
    }));
    const window = { fromMs, toMs: NEWEST_MS };
    return parseFundingHistory({ ...success(data), ...more }, bitcoin, window);
  };

  test('B3, D1: a print is the settled rate with its own half second, not the next one', () => {
    assert.deepEqual(page(1, 0, { has_more: false }).settlements, [
      { venueSymbol: 'BTC', ratePct: 0.000383, settledAtMs: NEWEST_MS },
    ]);
  });

  test('E3: the walk goes on at the cursor until the returned times leave the window', () => {
    const more = { has_more: true, next_cursor: '1111Yd1mZ' };
    const toMs = NEWEST_MS - HOUR_MS - 1;
    assert.deepEqual(page(2, 0, more).next, { fromMs: 0, toMs, cursor: '1111Yd1mZ' });
    assert.equal(page(2, NEWEST_MS - HOUR_MS, more).next, null);
    assert.equal(page(2, 0, { has_more: false, next_cursor: '1111Yd1mZ' }).next, null);
    assert.equal(page(0, 0, more).next, null);
  });

  test('F7: bids are the first side, asks the second; the book of another market is refused', () => {
    const level = (p: string, a: string) => ({ p, a, n: 1 });
    const l = [[level('100', '1'), level('99', '2')], [level('101', '3')]];
    const depth = parseBook(success({ s: 'BTC', l, t: NEWEST_MS }), bitcoin);
    assert.deepEqual([depth.bids[0], depth.asks[0], depth.venueTimeMs], [[100, 1], [101, 3], NEWEST_MS]);
    assert.throws(() => parseBook(success({ s: 'ETH', l, t: NEWEST_MS }), bitcoin), BadReply);
  });
});

suite('Pacifica stream', () => {
  test('one subscription per market; a push becomes a top in base units, a pong says nothing', () => {
    const session = bestOffers.open([bitcoin, contractOf('XPL')]);
    assert.deepEqual(
      session.opening.map((text) => JSON.parse(text).params),
      [
        { source: 'bbo', symbol: 'BTC' },
        { source: 'bbo', symbol: 'XPL' },
      ],
    );
    const data = { s: 'BTC', i: 1, li: 2, t: RECEIVED_AT_MS, b: '87185', B: '1.234', a: '87186', A: '0.567' };
    assert.deepEqual(session.receive({ channel: 'bbo', data }, context).batch.bookTops, [
      {
        venueSymbol: 'BTC',
        bidPrice: 87_185,
        bidSize: 1.234,
        askPrice: 87_186,
        askSize: 0.567,
        venueTimeMs: RECEIVED_AT_MS,
      },
    ]);
    assert.deepEqual(session.receive({ channel: 'pong' }, context).batch.bookTops, []);
  });
});

asSent('pacifica', {}, (sent) => {
  const list = parseInfo(sent('info'));

  test('markets: perpetuals; spot is ignored', () => {
    assert.deepEqual(
      list.contractList?.contracts.map((c) => [c.venueSymbol, c.maxLeverage, c.intervalHours, c.listedAtMs]),
      [['BTC', 50, 1, Date.UTC(2025, 5, 2, 16, 22, 13, 944)]],
    );
    assert.equal(list.ignored.get('spot'), 1);
  });

  test('prices: funding is fixed for the next hour, turnover and open interest add up both sides', () => {
    const at = { receivedAtMs: RECEIVED_AT_MS, contracts: new Map([['XPL', fakeContract('XPL')]]) };
    const batch = published(parsePrices(sent('prices'), at));
    const [quote] = batch.fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs],
      [0.010529, 1, Date.UTC(2025, 8, 30, 10)],
    );
    // 20,896,698.0672 / 2.
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 10_448_349.0336);
    // 3,634,796 XPL / 2 × 1.084819.
    assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(2), '1971547.88');
  });

  test('a settled rate and a book', () => {
    const window = { fromMs: 1_753_000_000_000, toMs: RECEIVED_AT_MS };
    const page = parseFundingHistory(sent('fundingRateHistory'), bitcoin, window);
    assert.deepEqual(page.settlements, [
      { venueSymbol: 'BTC', ratePct: 0.00125, settledAtMs: Date.UTC(2025, 6, 29, 16, 35, 34, 249) },
    ]);
    assert.equal(page.next?.cursor, '11114Lz77');
    const depth = parseBook(sent('book'), bitcoin);
    assert.deepEqual(
      [depth.bids[0], depth.asks[0], depth.venueTimeMs],
      [[106_504, 0.26203], [106_559, 0.26802], 1_751_370_536_325],
    );
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { countedOnce } from '../counting/sides.ts';
import type { Batch, Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import { parseFunding, parseMarkets, parseOrderbook } from './parse.ts';
import { bestOrders } from './stream.ts';
import { extended } from './venue.ts';
import { HISTORY_PAGE_ROWS } from './wire.ts';

const published = (batch: Batch) => countedOnce(batch, extended.facts.counts);

const markets: unknown = JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/markets.json`, 'utf8'));
const batch = parseMarkets(markets);
const contracts = new Map((batch.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const quotes = new Map(batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));
const context = { receivedAtMs: 1_794_697_200_500, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

suite('Extended contracts', () => {
  test('the five status words; spot is ignored, bad rows are rejected with a reason', () => {
    assert.deepEqual(
      ['BTC-USD', 'PAXG-USD', 'XAU-USD', 'GILD-USD', 'OLD-USD'].map((name) => contractOf(name).status),
      ['trading', 'delisting', 'halted', 'preopen', 'delisted'],
    );
    assert.deepEqual([...batch.ignored], [['spot', 1]]);
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'LATE-USD', reason: 'no next settlement' },
      { venueSymbol: 'BARE-USD', reason: 'no rate' },
      { venueSymbol: 'ODD-USD', reason: 'unknown status SLEEPING' },
      { venueSymbol: 'NODASH', reason: 'no base or quote' },
      { venueSymbol: 'OPT-USD', reason: 'unknown type' },
      { venueSymbol: null, reason: 'no name' },
    ]);
  });

  test('settles in USDC although the collateral is called USD; quantities are base units', () => {
    const { base, quote, settle, isInverse, contractSize } = contractOf('BTC-USD');
    assert.deepEqual([base, quote, settle, isInverse, contractSize], ['BTC', 'USD', 'USDC', false, 1]);
  });

  test('F1: 1000PEPE and kNOT keep their multiplier as the symbol spells it', () => {
    assert.equal(contractOf('1000PEPE-USD').base, '1000PEPE');
    assert.equal(contractOf('kNOT-USD').base, 'kNOT');
  });

  test('F3: MU_24_5 is the share MU, SPX the coin and SPX500m the index; gold tokens are coins, gold is not', () => {
    const kinds = ['MU_24_5', 'SPX', 'SPX500m', 'PAXG', 'XAU', 'EUR', 'OPENAI'].map((name) => {
      const { base, assetClass } = contractOf(`${name}-USD`);
      return `${base} ${assetClass}`;
    });
    assert.deepEqual(kinds, [
      'MU stock',
      'SPX crypto',
      'SPX500 index',
      'PAXG crypto',
      'XAU commodity',
      'EUR forex',
      'OPENAI stock',
    ]);
  });

  test('createdAt is no opening time: GILD was created days before it opened', () => {
    assert.equal(contractOf('GILD-USD').listedAtMs, null);
    assert.equal(contractOf('BTC-USD').listedAtMs, null);
  });

  test('leverage is that of each market', () => {
    assert.deepEqual([contractOf('BTC-USD').maxLeverage, contractOf('1000PEPE-USD').maxLeverage], [50, 25]);
    assert.equal(contractOf('kNOT-USD').maxLeverage, null);
  });

  test('an error in the body is a bad reply, not an empty list', () => {
    const error = { status: 'ERROR', error: { code: 1006, message: 'Application error' } };
    assert.throws(() => parseMarkets(error), BadReply);
    assert.throws(() => parseFunding(error, contractOf('BTC-USD'), { fromMs: 0, toMs: 1 }), BadReply);
    assert.throws(() => parseOrderbook(error, contractOf('BTC-USD')), BadReply);
  });
});

suite('Extended figures', () => {
  test('nextFundingRate is the time of the next payment, not a rate', () => {
    const quote = quotes.get('BTC-USD');
    assert.deepEqual(
      [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours],
      [0.0013, 1_794_700_800_000, 1],
    );
  });

  test('A6, B5: the rate is that of one hour; zero is a value and a negative rate stays negative', () => {
    assert.equal(quotes.get('kNOT-USD')?.ratePct, 0);
    assert.equal(quotes.get('1000PEPE-USD')?.ratePct, -0.0021);
    assert.ok([...quotes.values()].every((quote) => quote.intervalHours === 1));
  });

  test('G1: a market that has ended or is not open yet still shows a rate, and is not quoted', () => {
    assert.equal(quotes.has('OLD-USD'), false);
    assert.equal(quotes.has('GILD-USD'), false);
    assert.equal(quotes.has('PAXG-USD'), true, 'a reduce-only market still pays funding');
  });

  test('F8: volume and open interest are in dollars already; volume counts both sides', () => {
    const volume = published(batch).dayVolumes.find((row) => row.venueSymbol === 'BTC-USD');
    assert.equal(volume?.volume24hUsdt, 61_500_000.25 / 2);
    const figures = batch.marketFigures.find((row) => row.venueSymbol === 'BTC-USD');
    assert.deepEqual(
      [figures?.markPrice, figures?.indexPrice, figures?.openInterestUsdt],
      [96_008.125, 96_020.5, 48_004_061.7],
    );
    const none = batch.marketFigures.find((row) => row.venueSymbol === 'kNOT-USD');
    assert.deepEqual([none?.markPrice, none?.indexPrice, none?.openInterestUsdt], [1, null, null]);
  });
});

suite('Extended prints and books', () => {
  const contract = contractOf('BTC-USD');
  const HOUR_MS = 3_600_000;
  const NEWEST_MS = 1_794_697_201_693;
  const page = (count: number, fromMs: number) => {
    const data = Array.from({ length: count }, (_, i) => ({
      m: 'BTC-USD',
      f: '0.000013',
      T: NEWEST_MS - i * HOUR_MS,
    }));
    return parseFunding({ status: 'OK', data }, contract, { fromMs, toMs: NEWEST_MS });
  };

  test('D1: a print keeps its second past the hour', () => {
    assert.deepEqual(page(1, 0).settlements, [
      { venueSymbol: 'BTC-USD', ratePct: 0.0013, settledAtMs: NEWEST_MS },
    ]);
  });

  test('E3: a full page continues before its oldest print, a short one ends', () => {
    const oldestMs = NEWEST_MS - (HISTORY_PAGE_ROWS - 1) * HOUR_MS;
    assert.deepEqual(page(HISTORY_PAGE_ROWS, 0).next, { fromMs: 0, toMs: oldestMs - 1 });
    assert.equal(page(HISTORY_PAGE_ROWS, oldestMs).next, null);
    assert.equal(page(HISTORY_PAGE_ROWS - 1, 0).next, null);
  });

  test('F7: a print of another market is rejected', () => {
    const reply = { status: 'OK', data: [{ m: 'ETH-USD', f: '0.1', T: NEWEST_MS }] };
    const read = parseFunding(reply, contract, { fromMs: 0, toMs: NEWEST_MS });
    assert.deepEqual([read.settlements.length, read.rejected[0]?.reason], [0, 'row of another contract']);
  });

  test('a book of qty and price objects comes out best first', () => {
    const level = (price: string, qty: string) => ({ qty, price });
    const data = {
      market: 'BTC-USD',
      bid: [level('99', '2'), level('100', '1')],
      ask: [level('101', '3'), level('102', '4')],
    };
    const depth = parseOrderbook({ status: 'OK', data }, contract);
    assert.deepEqual(depth.bids, [
      [100, 1],
      [99, 2],
    ]);
    assert.deepEqual(depth.asks[0], [101, 3]);
  });
});

suite('Extended stream', () => {
  const session = bestOrders.open([...contracts.values()]);
  const top = (data: object) => session.receive({ type: 'SNAPSHOT', data, ts: 1_794_697_200_000 }, context);

  test('one socket carries all markets without a subscription; sizes are base units', () => {
    assert.deepEqual(session.opening, []);
    const { batch: tops } = top({
      m: 'BTC-USD',
      b: [{ p: '96010', q: '0.5' }],
      a: [{ p: '96011', q: '1.25' }],
    });
    assert.deepEqual(tops.bookTops, [
      {
        venueSymbol: 'BTC-USD',
        bidPrice: 96_010,
        bidSize: 0.5,
        askPrice: 96_011,
        askSize: 1.25,
        venueTimeMs: 1_794_697_200_000,
      },
    ]);
  });

  test('an empty side is no top; spot and new markets are not in the contract list', () => {
    const oneSided = top({ m: 'BTC-USD', b: [], a: [{ p: '1', q: '1' }] }).batch;
    assert.equal(oneSided.rejected[0]?.reason, 'no bid or ask');
    assert.equal(top({ m: 'BTCSPOT-USD', b: [], a: [] }).batch.ignored.get('not in the contract list'), 1);
  });
});

asSent('extended', {}, (sent) => {
  const list = parseMarkets(sent('markets'));

  test('a market: hourly fraction, nextFundingRate is a time, turnover adds up both sides', () => {
    assert.deepEqual(list.rejected, []);
    const [btc] = list.contractList?.contracts ?? [];
    assert.deepEqual([btc?.base, btc?.settle, btc?.status, btc?.maxLeverage], ['BTC', 'USDC', 'trading', 50]);
    const [quote] = list.fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs],
      [0.0013, 1, Date.UTC(2026, 3, 29, 6)],
    );
    // 231,016,077.51296 / 2.
    assert.equal(published(list).dayVolumes[0]?.volume24hUsdt, 115_508_038.75648);
    // In dollars already: openInterestBase says 1,500.40958 BTC at about 77,220.
    assert.equal(list.marketFigures[0]?.openInterestUsdt, 115_861_923.311902);
  });

  test('a settled rate and a book', () => {
    const [btc] = list.contractList?.contracts ?? [];
    assert.ok(btc);
    const window = { fromMs: 1_777_000_000_000, toMs: 1_778_000_000_000 };
    assert.deepEqual(parseFunding(sent('funding'), btc, window).settlements, [
      { venueSymbol: 'BTC-USD', ratePct: 0.0008, settledAtMs: Date.UTC(2026, 3, 30, 0, 0, 1, 28) },
    ]);
    const depth = parseOrderbook(sent('orderbook'), btc);
    assert.deepEqual([depth.bids, depth.asks], [[[76_214, 14.46084]], [[76_215, 0.11585]]]);
  });
});

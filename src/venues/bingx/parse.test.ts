import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { ccxtInstruments, ccxtReplies, recordingsMissing, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply, isRow } from '../reading.ts';
import { parseFundingRates, printsOf } from './history.ts';
import {
  parseContracts,
  parseDepth,
  parseInverseContracts,
  parsePremiumIndex,
  parseTickers,
} from './parse.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const RECEIVED_MS = 1_794_697_200_700;
const NEXT_MS = 1_794_700_800_000;
const good = (data: unknown) => ({ code: 0, msg: '', data });
const listed = parseContracts(fixture('contracts'), RECEIVED_MS);
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const context = { receivedAtMs: RECEIVED_MS, contracts };

function contract(venueSymbol: string): Contract {
  const found = contracts.get(venueSymbol);
  assert.ok(found, `${venueSymbol} is listed`);
  return found;
}

const coinM = parseInverseContracts(
  good([
    { symbol: 'BTC-USD', pricePrecision: 1, minTickSize: '100', status: 1, timeOnline: 1_711_000_000_000 },
    { symbol: 'SOL-USD', pricePrecision: 3, minTickSize: '', status: 1 },
    { symbol: 'ODD', minTickSize: '10', status: 1 },
    { symbol: 'ETH-USD', minTickSize: '10', status: 77 },
  ]),
);
const [inverse] = coinM.contractList?.contracts ?? [];
assert.ok(inverse);
const inverseContext = { receivedAtMs: RECEIVED_MS, contracts: new Map([[inverse.venueSymbol, inverse]]) };

suite('BingX contracts', () => {
  test('perpetuals of both stablecoins are taken, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 10);
    assert.deepEqual(
      ['BTC-USDT', 'BTC-USDC'].map((symbol) => contract(symbol).settle),
      ['USDT', 'USDC'],
    );
    assert.equal(listed.ignored.get('quanto'), 1);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODDUSDT', reason: 'no base or quote' },
      { venueSymbol: 'MYST-USDT', reason: 'unknown status 77' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('quantities are base amounts: the size of 0 is no contract size', () => {
    assert.equal(contract('BTC-USDT').contractSize, 1);
    assert.deepEqual(
      [contract('1000PEPE-USDT').base, contract('1000PEPE-USDT').contractSize],
      ['1000PEPE', 1],
    );
  });

  test('every status code', () => {
    const statuses = [0, 1, 5, 10, 25, 29, 30].map((status) => {
      const rows = [{ symbol: 'A-USDT', currency: 'USDT', asset: 'A', status }];
      return parseContracts(good(rows), RECEIVED_MS).contractList?.contracts[0]?.status;
    });
    assert.deepEqual(statuses, [
      'delisted',
      'trading',
      'preopen',
      'preopen',
      'halted',
      'delisting',
      'delisted',
    ]);
  });

  test('an offline time ahead is a scheduled delisting, one long past is not', () => {
    const { status, delistsAtMs } = contract('LEAVE-USDT');
    assert.deepEqual([status, delistsAtMs], ['delisting', 1_794_996_000_000]);
    assert.deepEqual(
      [contract('1000PEPE-USDT').status, contract('1000PEPE-USDT').delistsAtMs],
      ['trading', null],
    );
  });

  test('a contract before its launch is preopen with its opening time', () => {
    const { status, listedAtMs } = contract('SOON-USDT');
    assert.deepEqual([status, listedAtMs], ['preopen', 1_795_000_000_000]);
  });

  test('stocks, forex, commodities and indices are recognised by their prefix, a coin NCASH is a coin', () => {
    const classes = ['NCSKTSLA2USD', 'NCFXEUR2USD', 'NCCOGOLD2USD', 'NCSISP5002USD', 'NCASH'].map(
      (base) => contract(`${base}-USDT`).assetClass,
    );
    assert.deepEqual(classes, ['stock', 'forex', 'commodity', 'index', 'crypto']);
  });

  test('the larger of the two leverages counts', () => {
    assert.equal(contract('BTC-USDT').maxLeverage, 125);
    assert.equal(contract('NCASH-USDT').maxLeverage, null);
  });

  test('a coin-M contract settles in its base; minTickSize is its face value in dollars', () => {
    const { base, quote, settle, isInverse, contractSize, listedAtMs } = inverse;
    assert.deepEqual(
      [base, quote, settle, isInverse, contractSize, listedAtMs],
      ['BTC', 'USD', 'BTC', true, 100, 1_711_000_000_000],
    );
    assert.deepEqual(
      coinM.rejected.map((rejection) => rejection.reason),
      ['no contract size', 'no base or quote', 'unknown status 77'],
    );
  });

  test('an error code in a reply with HTTP 200 is a bad reply, not an empty list', () => {
    const error = { code: 100410, msg: 'rate limited', data: [] };
    assert.throws(() => parseContracts(error, RECEIVED_MS), BadReply);
    assert.throws(() => parseInverseContracts({ code: 104414, msg: 'Invalid parameter' }), BadReply);
    assert.throws(() => parsePremiumIndex(error, context), BadReply);
    assert.throws(() => parseTickers(good({}), context), BadReply);
    assert.throws(
      () => parseDepth({ code: 109415, msg: 'is pause currently' }, contract('BTC-USDT')),
      BadReply,
    );
    assert.throws(() => printsOf({ code: 109425, msg: 'not exist' }), BadReply);
  });
});

suite('BingX funding', () => {
  const batch = parsePremiumIndex(fixture('premium-index'), context);

  test('lastFundingRate is the running rate, in percent without float noise; zero is a value', () => {
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct]),
      [
        ['BTC-USDT', 0.0013],
        ['1000PEPE-USDT', -0.1152],
        ['BTC-USDC', 0],
        ['LEAVE-USDT', 0.01],
      ],
    );
  });

  test('the interval is on the wire, each contract’s own; where it is missing it is unknown, never 8', () => {
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => quote.intervalHours),
      [8, 1, 4, null],
    );
  });

  test('nextFundingTime is a time, whatever the documentation says; time left would be no time at all', () => {
    assert.ok(batch.fundingQuotes.every((quote) => quote.nextFundingAtMs === NEXT_MS));
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'NCASH-USDT', reason: 'no rate' },
      { venueSymbol: 'NCFXEUR2USD-USDT', reason: 'no next settlement' },
    ]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  test('updateTime is that of the last settlement and is not taken for the time of the rate', () => {
    assert.equal(batch.fundingQuotes[0]?.venueTimeMs, null);
  });

  test('coin-M rows have no interval: unknown, not 8', () => {
    const rows = [{ symbol: 'BTC-USD', lastFundingRate: '0.0001', nextFundingTime: NEXT_MS }];
    const quote = parsePremiumIndex(good(rows), inverseContext).fundingQuotes[0];
    assert.deepEqual([quote?.ratePct, quote?.intervalHours], [0.01, null]);
  });
});

suite('BingX prices and volumes', () => {
  const row = (symbol: string, fields: object = {}) => ({
    symbol,
    lastPrice: '50000.5',
    volume: '7000',
    quoteVolume: '14',
    bidPrice: '50000',
    bidQty: '20',
    askPrice: '50001',
    askQty: '30',
    closeTime: 1_702_719_798_603,
    ...fields,
  });

  test('linear sizes are base amounts and the turnover is in quote units', () => {
    const batch = parseTickers(good([row('BTC-USDT', { quoteVolume: '350003500.12' })]), context);
    assert.deepEqual([batch.bookTops[0]?.bidSize, batch.bookTops[0]?.askSize], [20, 30]);
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 350_003_500.12);
    assert.equal(batch.bookTops[0]?.venueTimeMs, null);
  });

  test('coin-M counts contracts: sizes are face value over price, the turnover is the face value', () => {
    const batch = parseTickers(good([row('BTC-USD')]), inverseContext);
    assert.deepEqual(
      [batch.bookTops[0]?.bidSize, batch.bookTops[0]?.askSize],
      [(20 * 100) / 50_000, (30 * 100) / 50_001],
    );
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 700_000);
  });

  test('crossed and zero quotes are rejected by name, unknown symbols ignored', () => {
    const rows = [
      row('BTC-USDT', { bidPrice: '50002' }),
      row('BTC-USDC', { bidPrice: '0' }),
      row('LEAVE-USDT', { quoteVolume: '' }),
      row('NEW-USDT'),
    ];
    const batch = parseTickers(good(rows), context);
    assert.deepEqual(
      batch.rejected.map((rejection) => rejection.reason),
      ['crossed book', 'no bid or ask', 'no volume'],
    );
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  test('book levels are read in coins and sorted best first', () => {
    const payload = good({
      T: RECEIVED_MS,
      bids: [['1', '5']],
      bidsCoin: [['1', '5000']],
      asks: [
        ['1.2', '7'],
        ['1.1', '6'],
      ],
      asksCoin: [
        ['1.2', '7000'],
        ['1.1', '6000'],
      ],
    });
    const depth = parseDepth(payload, contract('BTC-USDT'));
    assert.deepEqual(depth.bids, [[1, 5000]]);
    assert.deepEqual(depth.asks, [
      [1.1, 6000],
      [1.2, 7000],
    ]);
    const coins = parseDepth(good({ ts: RECEIVED_MS, bids: [['50000', '20']], asks: [] }), inverse);
    assert.deepEqual([coins.bids, coins.venueTimeMs], [[[50_000, 0.04]], RECEIVED_MS]);
  });
});

suite('BingX recordings', { skip: recordingsMissing }, () => {
  const named = (venueSymbol: string): Contract => ({ ...contract('BTC-USDT'), venueSymbol });
  const known = (...symbols: string[]) => ({
    receivedAtMs: RECEIVED_MS,
    contracts: new Map(symbols.map((symbol) => [symbol, named(symbol)])),
  });

  test('recorded contracts of both sides', () => {
    const rows = ccxtInstruments('bingx').filter(isRow);
    const linear = parseContracts(good(rows.filter((row) => 'contractId' in row)), RECEIVED_MS);
    assert.deepEqual([linear.rejected, linear.contractList?.contracts.length], [[], 6]);
    const btc = linear.contractList?.contracts.find((found) => found.venueSymbol === 'BTC-USDT');
    assert.deepEqual(
      [btc?.base, btc?.contractSize, btc?.maxLeverage, btc?.status],
      ['BTC', 1, 125, 'trading'],
    );
    const inverses = parseInverseContracts(good(rows.filter((row) => 'minTickSize' in row)));
    assert.deepEqual(
      (inverses.contractList?.contracts ?? []).map((found) => [found.venueSymbol, found.contractSize]),
      [
        ['BTC-USD', 100],
        ['SOL-USD', 10],
      ],
    );
  });

  test('a recorded ticker: five billion dollars of turnover and a bid of one coin', () => {
    const reply = ccxtReplies('bingx', 'fetchTicker').find(
      ({ description }) => description === 'swap ticker',
    );
    const ticker = reply?.httpResponse as { data: unknown };
    const batch = parseTickers({ ...ticker, data: [ticker.data] }, known('BTC-USDT'));
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 5_237_383_426.37);
    const { bidPrice, bidSize, askPrice, askSize } = batch.bookTops[0] ?? {};
    assert.deepEqual([bidPrice, bidSize, askPrice, askSize], [69_942.2, 1.3346, 69_943, 1.5921]);
  });

  test('documentation samples of every call', () => {
    const folder = 'PerpetualFutures__ExchangeData__';
    const one = (file: string) => {
      const reply = sample('bingx', `${folder}${file}.txt`) as { data: unknown };
      return { ...reply, data: [reply.data] };
    };
    const samples = parseContracts(sample('bingx', `${folder}GetContracts.txt`), RECEIVED_MS);
    assert.deepEqual(
      samples.contractList?.contracts.map((found) => found.venueSymbol),
      ['BTC-USDT', 'ETH-USDT'],
    );
    const quote = parsePremiumIndex(one('GetFundingRate'), known('BTC-USDT')).fundingQuotes[0];
    assert.deepEqual(
      [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours],
      [0.0251, 1_702_742_400_000, null],
    );
    const ticker = parseTickers(one('GetTicker'), known('SFP-USDT'));
    assert.deepEqual([ticker.dayVolumes[0]?.volume24hUsdt, ticker.bookTops[0]?.bidSize], [3_085_449.53, 84]);
    const prints = printsOf(sample('bingx', `${folder}GetFundingRateHistory.txt`)) ?? [];
    const page = parseFundingRates(prints, { fromMs: 0, toMs: RECEIVED_MS }, 1000);
    assert.deepEqual(
      page.settlements.map((settlement) => [settlement.ratePct, settlement.settledAtMs]),
      [
        [0.0271, 1_702_713_600_000],
        [0.0128, 1_702_684_800_000],
      ],
    );
    const depth = parseDepth(sample('bingx', `${folder}GetOrderBook.txt`), named('SHIB-USDT'));
    assert.deepEqual(
      [depth.bids[0], depth.asks[0]],
      [
        [0.000009854, 483_909_000],
        [0.000009856, 687_669_000],
      ],
    );
  });
});

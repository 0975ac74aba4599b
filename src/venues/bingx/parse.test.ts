import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
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

const rowsWith = (field: string) => () =>
  good(ccxtInstruments('bingx').filter((row) => isRow(row) && field in row));
/** The samples of calls for one contract, as the list that the call for all returns. */
const listOfOne = (file: string) => () => {
  const reply = sample('bingx', `PerpetualFutures__ExchangeData__${file}.txt`);
  return isRow(reply) ? good([reply.data]) : reply;
};

asSent(
  'bingx',
  {
    contracts: rowsWith('contractId'),
    inverseContracts: rowsWith('minTickSize'),
    contractsDocumented: () => sample('bingx', 'PerpetualFutures__ExchangeData__GetContracts.txt'),
    premiumIndexDocumented: listOfOne('GetFundingRate'),
    tickerDocumented: listOfOne('GetTicker'),
    fundingRate: () => sample('bingx', 'PerpetualFutures__ExchangeData__GetFundingRateHistory.txt'),
    depth: () => sample('bingx', 'PerpetualFutures__ExchangeData__GetOrderBook.txt'),
  },
  (sent) => {
    const linear = parseContracts(sent('contracts'), RECEIVED_MS);
    const coins = parseInverseContracts(sent('inverseContracts'));
    const known = {
      receivedAtMs: RECEIVED_MS,
      contracts: contractsOf(linear, coins).set('SFP-USDT', fakeContract('SFP-USDT')),
    };

    test('contracts: quantities are coins, and minTickSize dollars on the coin-margined side', () => {
      assert.deepEqual([...linear.rejected, ...coins.rejected], []);
      assert.deepEqual(
        rowsOf([...known.contracts.values()], 'BTC-USDT', 'SOL-USDT', 'BTC-USD', 'SOL-USD').map((c) => [
          c.isInverse,
          c.contractSize,
          c.maxLeverage,
          c.status,
          c.listedAtMs,
        ]),
        [
          [false, 1, 125, 'trading', null],
          [false, 1, 5, 'trading', null],
          [true, 100, null, 'trading', Date.UTC(2024, 2, 18, 5)],
          [true, 10, null, 'trading', Date.UTC(2024, 3, 16, 7)],
        ],
      );
      const documented = contractsOf(parseContracts(sent('contractsDocumented'), RECEIVED_MS));
      assert.deepEqual([...documented.keys()], ['BTC-USDT', 'ETH-USDT']);
    });

    test('premiumIndex: the interval where the reply has one, else unknown', () => {
      const read = (call: string) => {
        const [quote] = parsePremiumIndex(sent(call), known).fundingQuotes;
        return [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours];
      };
      assert.deepEqual(read('premiumIndex'), [0.01, Date.UTC(2022, 11, 26, 8), 8]);
      assert.deepEqual(read('premiumIndexDocumented'), [0.0251, Date.UTC(2023, 11, 16, 16), null]);
      const [figures] = parsePremiumIndex(sent('premiumIndex'), known).marketFigures;
      assert.deepEqual([figures?.markPrice, figures?.indexPrice], [16_884.5, 16_886.9]);
    });

    test('tickers in USDT: five billion dollars of turnover and a bid of one coin', () => {
      const batch = parseTickers(sent('ticker'), known);
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 5_237_383_426.37);
      const { bidPrice, bidSize, askPrice, askSize } = batch.bookTops[0] ?? {};
      assert.deepEqual([bidPrice, bidSize, askPrice, askSize], [69_942.2, 1.3346, 69_943, 1.5921]);
      const documented = parseTickers(sent('tickerDocumented'), known);
      assert.deepEqual(
        [documented.dayVolumes[0]?.volume24hUsdt, documented.bookTops[0]?.bidSize],
        [3_085_449.53, 84],
      );
    });

    test('a coin-margined ticker: volume counts contracts of 10 dollars, quoteVolume coins', () => {
      const batch = parseTickers(sent('inverseTicker'), known);
      // 1,464,648 × 10 USD. quoteVolume says the same: 102,928.12 SOL at 142 dollars.
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 14_646_480);
      // 372 × 10 USD / 140.573 and 58 × 10 USD / 140.577.
      const [top] = batch.bookTops;
      assert.deepEqual([top?.bidSize?.toFixed(6), top?.askSize?.toFixed(6)], ['26.463119', '4.125853']);
    });

    test('settled rates', () => {
      const prints = printsOf(sent('fundingRate')) ?? [];
      const page = parseFundingRates(prints, { fromMs: 0, toMs: RECEIVED_MS }, 1000);
      assert.deepEqual(
        page.settlements.map((settlement) => [settlement.ratePct, settlement.settledAtMs]),
        [
          [0.0271, Date.UTC(2023, 11, 16, 8)],
          [0.0128, Date.UTC(2023, 11, 16)],
        ],
      );
    });

    test('books: coins of the fields named so; contracts of 100 dollars on the coin-margined side', () => {
      const depth = parseDepth(sent('depth'), fakeContract('SHIB-USDT'));
      assert.deepEqual(
        [depth.bids[0], depth.asks[0], depth.venueTimeMs],
        [[0.000009854, 483_909_000], [0.000009856, 687_669_000], 1_702_719_083_983],
      );
      // 241 × 100 USD / 83,611.4 and, the best ask coming last, 5,540 × 100 USD / 83,636.
      const coin = parseDepth(sent('inverseDepth'), rowOfSymbol([...known.contracts.values()], 'BTC-USD'));
      assert.deepEqual(
        [coin.bids[0], coin.asks[0]].map((level) => [level?.[0], level?.[1].toFixed(6)]),
        [
          [83_611.4, '0.288238'],
          [83_636, '6.623942'],
        ],
      );
    });
  },
);

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { BadReply } from '../reading.ts';
import { parseContracts, parseDepth, parseTickers } from './parse.ts';
import { parseAnnouncements, parseFundingRates } from './parse-history.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const RECEIVED_MS = 1_794_697_200_700;
const NEXT_MS = 1_794_700_800_000;
const listed = parseContracts(fixture('contracts'), RECEIVED_MS);
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const quotes = new Map(listed.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));
const volumes = new Map(listed.dayVolumes.map((volume) => [volume.venueSymbol, volume]));
const context = { receivedAtMs: RECEIVED_MS, contracts };

function contract(venueSymbol: string) {
  const found = contracts.get(venueSymbol);
  assert.ok(found, `${venueSymbol} is listed`);
  return found;
}

suite('KuCoin contracts', () => {
  test('perpetuals are taken, dated futures and quanto ignored, bad rows rejected with a reason', () => {
    assert.deepEqual([...contracts.keys()].slice(0, 6), [
      'XBTUSDTM',
      'XBTUSDM',
      '1000BONKUSDTM',
      'ONEUSDTM',
      'TSLAUSDTM',
      'NIULAIUSDTM',
    ]);
    assert.deepEqual(
      [...listed.ignored],
      [
        ['dated future', 1],
        ['quanto', 1],
      ],
    );
    assert.deepEqual(
      listed.rejected.map(({ venueSymbol, reason }) => [venueSymbol, reason]),
      [
        ['NORATEUSDTM', 'no rate'],
        ['NONEXTUSDTM', 'no next settlement'],
        ['NOVOLUSDTM', 'no volume'],
        ['NOSIZEUSDTM', 'no multiplier'],
        ['ODDUSDTM', 'no base, quote or settle currency'],
        ['MYSTUSDTM', 'unknown status Sleeping'],
        [null, 'no symbol'],
      ],
    );
  });

  test('a contract without a rate stays listed: only its quote is missing', () => {
    assert.equal(contract('NORATEUSDTM').status, 'trading');
    assert.equal(quotes.has('NORATEUSDTM'), false);
    assert.equal(volumes.get('NORATEUSDTM')?.volume24hUsdt, 5);
  });

  test('XBT is bitcoin, as a base and as a settlement currency', () => {
    const { base, settle } = contract('XBTUSDM');
    assert.deepEqual([base, settle], ['BTC', 'BTC']);
    assert.equal(contract('XBTUSDTM').base, 'BTC');
  });

  test('isQuanto is true on a linear contract: only a third settlement currency makes a quanto', () => {
    const { isInverse, contractSize, settle } = contract('XBTUSDTM');
    assert.deepEqual([isInverse, contractSize, settle], [false, 0.001, 'USDT']);
  });

  test('a negative multiplier is the face value of an inverse contract in dollars', () => {
    const { isInverse, contractSize, quote } = contract('XBTUSDM');
    assert.deepEqual([isInverse, contractSize, quote], [true, 1, 'USD']);
  });

  test('a multiplied base keeps its prefix and has its own contract size', () => {
    const { base, contractSize } = contract('1000BONKUSDTM');
    assert.deepEqual([base, contractSize], ['1000BONK', 1000]);
  });

  test('a coin that is transcribed in the symbol is known by its own name', () => {
    assert.equal(contract('NIULAIUSDTM').base, '牛来');
  });

  test('a contract that is not open yet is preopen with its opening time and without quotes', () => {
    const { status, listedAtMs } = contract('NIULAIUSDTM');
    assert.deepEqual([status, listedAtMs], ['preopen', 1_795_000_000_000]);
    assert.equal(quotes.has('NIULAIUSDTM'), false);
  });

  test('an expiry date on a perpetual is its scheduled delisting; it still has quotes', () => {
    const { status, delistsAtMs } = contract('TSLAUSDTM');
    assert.deepEqual([status, delistsAtMs], ['delisting', 1_794_996_000_000]);
    assert.ok(quotes.has('TSLAUSDTM'));
  });

  test('a stock perpetual is separated from coins by its asset class', () => {
    assert.equal(contract('TSLAUSDTM').assetClass, 'stock');
    assert.equal(contract('XBTUSDTM').assetClass, 'crypto');
  });

  test('an error code in a reply with HTTP 200 is a bad reply, not an empty list', () => {
    const error = { code: '429000', msg: 'Too Many Requests' };
    assert.throws(() => parseContracts(error, RECEIVED_MS), BadReply);
    assert.throws(() => parseTickers(error, context), BadReply);
    assert.throws(() => parseFundingRates(error, { fromMs: 0 }), BadReply);
    assert.throws(() => parseAnnouncements(error), BadReply);
    assert.throws(() => parseContracts({ code: '200000', data: {} }, RECEIVED_MS), BadReply);
    assert.throws(
      () => parseDepth({ code: '200003', msg: 'Invalid symbol.' }, contract('XBTUSDTM')),
      BadReply,
    );
  });
});

suite('KuCoin funding', () => {
  test('fundingFeeRate is the running rate, never the settled one; percent without float noise; zero is a value', () => {
    assert.deepEqual(
      ['XBTUSDTM', 'XBTUSDM', '1000BONKUSDTM', 'ONEUSDTM'].map((symbol) => quotes.get(symbol)?.ratePct),
      [0.007, -0.0042, 0, -0.0663],
    );
  });

  test('nextFundingRateTime is the milliseconds left, not a time; the absolute field wins where it is given', () => {
    assert.equal(quotes.get('XBTUSDTM')?.nextFundingAtMs, NEXT_MS);
    assert.equal(quotes.get('XBTUSDM')?.nextFundingAtMs, NEXT_MS);
  });

  test('a countdown that no interval allows is no next settlement', () => {
    const row = {
      symbol: 'AUSDTM',
      type: 'FFWCSX',
      baseCurrency: 'A',
      quoteCurrency: 'USDT',
      settleCurrency: 'USDT',
      multiplier: 1,
      status: 'Open',
      turnoverOf24h: 1,
      fundingFeeRate: 0.0001,
      nextFundingRateTime: 1_794_700_800_000,
    };
    const { fundingQuotes, rejected } = parseContracts({ code: '200000', data: [row] }, RECEIVED_MS);
    assert.deepEqual([fundingQuotes.length, rejected[0]?.reason], [0, 'no next settlement']);
  });

  test('the interval is each contract’s own, in hours: 8, 2 and 1 side by side', () => {
    assert.deepEqual(
      ['XBTUSDTM', 'XBTUSDM', 'TSLAUSDTM', 'ONEUSDTM'].map((symbol) => quotes.get(symbol)?.intervalHours),
      [8, 8, 2, 1],
    );
  });

  test('an announced change of the interval does not count before it starts', () => {
    assert.equal(quotes.get('1000BONKUSDTM')?.intervalHours, 4);
    const row = {
      symbol: 'AUSDTM',
      type: 'FFWCSX',
      baseCurrency: 'A',
      quoteCurrency: 'USDT',
      settleCurrency: 'USDT',
      multiplier: 1,
      status: 'Open',
      fundingRateGranularity: 3_600_000,
      effectiveFundingRateCycleStartTime: RECEIVED_MS + 1000,
    };
    const later = parseContracts({ code: '200000', data: [row] }, RECEIVED_MS + 2000);
    const before = parseContracts({ code: '200000', data: [row] }, RECEIVED_MS);
    assert.equal(before.contractList?.contracts[0]?.intervalHours, null);
    assert.equal(later.contractList?.contracts[0]?.intervalHours, 1);
  });

  test('a full page of prints continues below its oldest timestamp, whatever the interval; a short one ends', () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({
      symbol: 'ONEUSDTM',
      fundingRate: 2.1e-4,
      timepoint: NEXT_MS - i * 3_600_000,
    }));
    const oldestMs = NEXT_MS - 99 * 3_600_000;
    const page = parseFundingRates({ code: '200000', data: rows }, { fromMs: 5 });
    assert.deepEqual(page.next, { fromMs: 5, toMs: oldestMs - 1 });
    assert.deepEqual(page.settlements[0], { venueSymbol: 'ONEUSDTM', ratePct: 0.021, settledAtMs: NEXT_MS });
    assert.equal(parseFundingRates({ code: '200000', data: rows }, { fromMs: oldestMs }).next, null);
    assert.equal(parseFundingRates({ code: '200000', data: rows.slice(1) }, { fromMs: 5 }).next, null);
    assert.equal(parseFundingRates({ code: '200000', data: null }, { fromMs: 5 }).next, null);
  });

  test('a bad print is rejected and the others are kept', () => {
    const data = [
      { symbol: 'ONEUSDTM', fundingRate: null, timepoint: NEXT_MS },
      { symbol: 'ONEUSDTM', fundingRate: 0, timepoint: NEXT_MS - 3_600_000 },
    ];
    const page = parseFundingRates({ code: '200000', data }, { fromMs: 0 });
    assert.deepEqual(page.rejected, [{ venueSymbol: 'ONEUSDTM', reason: 'no rate or time' }]);
    assert.deepEqual(
      page.settlements.map((print) => print.ratePct),
      [0],
    );
  });
});

suite('KuCoin prices and volumes', () => {
  const row = (symbol: string, bid: string, ask: string) => ({
    symbol,
    bestBidPrice: bid,
    bestBidSize: 20,
    bestAskPrice: ask,
    bestAskSize: 30,
    ts: 1_794_697_200_123_000_000,
  });

  test('sizes are contracts: times the multiplier, or face value over price', () => {
    const data = [row('XBTUSDTM', '50000', '50001'), row('XBTUSDM', '50000', '50001')];
    const [linear, inverse] = parseTickers({ code: '200000', data }, context).bookTops;
    assert.deepEqual([linear?.bidSize, linear?.askSize], [0.02, 0.03]);
    assert.deepEqual([inverse?.bidSize, inverse?.askSize], [20 / 50_000, 30 / 50_001]);
  });

  test('times are nanoseconds', () => {
    const data = [row('XBTUSDTM', '50000', '50001')];
    const top = parseTickers({ code: '200000', data }, context).bookTops[0];
    assert.equal(top?.venueTimeMs, 1_794_697_200_123);
  });

  test('crossed and empty quotes are rejected by name, unknown symbols ignored', () => {
    const data = [row('XBTUSDTM', '101', '100'), row('ONEUSDTM', '', '1'), row('NEWUSDTM', '1', '2')];
    const batch = parseTickers({ code: '200000', data }, context);
    assert.deepEqual(
      batch.rejected.map((rejection) => rejection.reason),
      ['crossed book', 'no bid or ask'],
    );
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  test('turnover is in quote units, and for an inverse contract its contracts times their face value', () => {
    assert.equal(volumes.get('XBTUSDTM')?.volume24hUsdt, 812_345_678.9);
    assert.equal(volumes.get('XBTUSDM')?.volume24hUsdt, 7_256_000);
    assert.equal(volumes.get('1000BONKUSDTM')?.volume24hUsdt, 0);
  });

  test('book levels are contracts too', () => {
    const data = { bids: [[50_000, 20]], asks: [[50_001, 30]], ts: 1_794_697_200_123_000_000 };
    const depth = parseDepth({ code: '200000', data }, contract('XBTUSDTM'));
    assert.deepEqual([depth.bids, depth.asks], [[[50_000, 0.02]], [[50_001, 0.03]]]);
    assert.equal(depth.venueTimeMs, 1_794_697_200_123);
  });
});

suite('KuCoin notices', () => {
  test('notices have their types, address and time; one without a time is rejected', () => {
    const batch = parseAnnouncements(fixture('announcements'));
    assert.deepEqual(batch.announcements[0], {
      id: '190001',
      title: 'KuCoin Futures Will Delist the EXAMPLEUSDTM Perpetual Contract',
      body: 'The contract will be settled at 08:00 on November 18, 2026 (UTC).',
      category: 'latest-announcements,delistings',
      url: 'https://www.kucoin.com/announcement/en-example?lang=en_US',
      publishedAtMs: 1_794_690_000_000,
    });
    assert.deepEqual([batch.announcements[1]?.body, batch.announcements[1]?.url], [null, null]);
    assert.deepEqual(batch.rejected, [{ venueSymbol: null, reason: 'notice without id, title or time' }]);
  });
});

asSent(
  'kucoin',
  {
    contractsActive: () => ({ code: '200000', data: ccxtInstruments('kucoin') }),
    contractsActiveDocumented: () => sample('kucoin', 'Futures__ExchangeData__GetOpenContracts.txt'),
    allTickers: () => sample('kucoin', 'Futures__ExchangeData__GetTickers.txt'),
    fundingRates: () => sample('kucoin', 'Futures__ExchangeData__GetFundingRateHistory.txt'),
    depth20: () => sample('kucoin', 'Futures__ExchangeData__GetAggregatedPartialOrderBook.txt'),
  },
  (sent) => {
    const atMs = Date.UTC(2023, 9, 31, 16, 55, 42, 390);
    const recorded = parseContracts(sent('contractsActive'), atMs);
    const known = { receivedAtMs: atMs, contracts: contractsOf(recorded) };
    const symbols = ['XBTUSDTM', 'XBTUSDM', 'DOGEUSDTM'];

    test('contracts: XBT is BTC; 0.001 BTC, 1 dollar (a multiplier of -1) and 100 DOGE each', () => {
      assert.deepEqual(recorded.rejected, []);
      assert.deepEqual(
        rowsOf([...known.contracts.values()], ...symbols).map((c) => [
          c.base,
          c.settle,
          c.isInverse,
          c.contractSize,
          c.intervalHours,
          c.maxLeverage,
        ]),
        [
          ['BTC', 'USDT', false, 0.001, 8, 125],
          ['BTC', 'BTC', true, 1, 8, 50],
          ['DOGE', 'USDT', false, 100, 8, 75],
        ],
      );
    });

    test('rates: fundingFeeRate; nextFundingRateTime is the milliseconds left', () => {
      // 11,057,610 ms are 3 h 4 min 17.61 s, which from 16:55:42.39 end at 20:00.
      assert.deepEqual(
        rowsOf(recorded.fundingQuotes, ...symbols).map((q) => [
          q.ratePct,
          q.intervalHours,
          q.nextFundingAtMs,
        ]),
        [
          [0.0198, 8, Date.UTC(2023, 9, 31, 20)],
          [0.0144, 8, Date.UTC(2023, 9, 31, 20)],
          [0.0241, 8, Date.UTC(2023, 9, 31, 20)],
        ],
      );
    });

    test('turnover and open interest in dollars, whether the contract counts coins or dollars', () => {
      assert.deepEqual(
        // turnoverOf24h of the second counts coins, with a minus: -202.5197233.
        rowsOf(recorded.dayVolumes, ...symbols).map((v) => v.volume24hUsdt),
        [485_557_940.758_605_96, 6_955_629, 30_278_542.927_458_28],
      );
      assert.deepEqual(
        // 10,964,478 × 0.001 BTC × 34,448.19; 48,496,848 × 1 USD; 4,175,604 × 100 DOGE × 0.0678.
        rowsOf(recorded.marketFigures, ...symbols).map((f) => f.openInterestUsdt?.toFixed(2)),
        ['377706421.39', '48496848.00', '28310595.12'],
      );
    });

    test('the documented contract has no interval: unknown, not 8', () => {
      const documented = parseContracts(sent('contractsActiveDocumented'), atMs);
      assert.deepEqual(
        [documented.fundingQuotes[0]?.ratePct, documented.fundingQuotes[0]?.intervalHours],
        [0.01, null],
      );
      assert.equal(documented.dayVolumes[0]?.volume24hUsdt, 2_361_994_501.712_677);
    });

    test('tickers: sizes are contracts, times nanoseconds or milliseconds', () => {
      const [top] = parseTickers(sent('ticker'), known).bookTops;
      // 2,146 × 0.001 BTC and 4 × 0.001 BTC.
      assert.deepEqual(
        [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize, top?.venueTimeMs],
        [73_399.9, 2.146, 73_400, 0.004, 1_710_328_243_260],
      );
      // 20 USD / 7,000 and 30 USD / 7,001.
      const [inverse] = parseTickers(sent('allTickers'), known).bookTops;
      assert.deepEqual(
        [inverse?.bidSize?.toFixed(8), inverse?.askSize?.toFixed(8), inverse?.venueTimeMs],
        ['0.00285714', '0.00428510', 1_550_653_727_731],
      );
    });

    test('settled rates', () => {
      assert.deepEqual(parseFundingRates(sent('fundingRates'), { fromMs: 0 }).settlements, [
        { venueSymbol: 'IDUSDTM', ratePct: 1.875, settledAtMs: Date.UTC(2023, 11, 11, 16, 5) },
      ]);
    });

    test('a coin-margined book: 800 dollars at 3,200 are 0.25 BTC', () => {
      const depth = parseDepth(sent('depth20'), rowOfSymbol([...known.contracts.values()], 'XBTUSDM'));
      assert.deepEqual(
        [depth.bids[0], depth.asks[0], depth.venueTimeMs],
        [[3200, 0.25], [5000, 0.2], 1_604_643_655_041],
      );
    });
  },
);

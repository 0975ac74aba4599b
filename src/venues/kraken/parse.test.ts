import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { capture, ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import { BadReply, type Row } from '../reading.ts';
import { parseInstruments, parseOrderBook, parseTickers } from './parse.ts';

/** 2026-11-14T23:00:00.500Z */
const NOW_MS = 1_794_697_200_500;
const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const listed = parseInstruments(fixture('instruments'), NOW_MS);
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: NOW_MS, contracts };
const live = parseTickers(fixture('tickers'), context);
const volumes = new Map(live.dayVolumes.map((volume) => [volume.venueSymbol, volume.volume24hUsdt]));
const tops = new Map(live.bookTops.map((top) => [top.venueSymbol, top]));

suite('Kraken contracts', () => {
  test('trap F5: PF_ is linear though quoted in USD, PI_ is inverse because it settles in its base', () => {
    const identity = (symbol: string) => {
      const contract = contracts.get(symbol);
      return [contract?.base, contract?.quote, contract?.settle, contract?.isInverse, contract?.contractSize];
    };
    assert.deepEqual(identity('PF_XBTUSD'), ['BTC', 'USD', 'USD', false, 1]);
    assert.deepEqual(identity('PI_XBTUSD'), ['BTC', 'USD', 'BTC', true, 1]);
  });

  test('XBT is BTC whether the list says so or not, and a missing base is read from the pair', () => {
    assert.equal(contracts.get('PF_XBTUSD')?.base, 'BTC');
    assert.equal(contracts.get('PI_XBTUSD')?.base, 'BTC');
    assert.equal(contracts.get('PF_AVAXUSD')?.base, 'AVAX');
  });

  test('dated futures of the same types, and other products, are left out', () => {
    assert.equal(listed.ignored.get('dated future'), 2);
    assert.equal(listed.ignored.get('neither a linear nor an inverse perpetual'), 1);
  });

  test('bad rows are rejected one by one', () => {
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'PF_NAMELESS', reason: 'no base or quote' },
      { venueSymbol: 'PF_NOSIZEUSD', reason: 'no contract size' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('the state comes from flags and times', () => {
    const states = ['PF_XBTUSD', 'PF_QUIETUSD', 'PF_SOONUSD', 'PF_LEAVEUSD', 'PF_ENDEDUSD', 'PF_STOPUSD'];
    assert.deepEqual(
      states.map((symbol) => contracts.get(symbol)?.status),
      ['trading', 'halted', 'preopen', 'delisting', 'delisted', 'halted'],
    );
    assert.equal(contracts.get('PF_SOONUSD')?.listedAtMs, Date.UTC(2026, 10, 20, 10));
    assert.equal(contracts.get('PF_LEAVEUSD')?.delistsAtMs, Date.UTC(2026, 10, 18, 16));
  });

  test('trap F3: shares and currencies are separated from coins, AVAX and PEPE are coins', () => {
    const classes = ['PF_MSFTXUSD', 'PF_EURUSD', 'PF_AVAXUSD', 'PF_PEPEUSD'];
    assert.deepEqual(
      classes.map((symbol) => contracts.get(symbol)?.assetClass),
      ['stock', 'forex', 'crypto', 'crypto'],
    );
  });

  test('the largest leverage is that of the first margin level', () => {
    assert.equal(contracts.get('PF_XBTUSD')?.maxLeverage, 100);
    assert.equal(contracts.get('PI_XBTUSD')?.maxLeverage, 50);
    assert.equal(contracts.get('PF_AVAXUSD')?.maxLeverage, null);
  });

  test('a refusal with status 200, or another shape, is a bad reply', () => {
    for (const payload of [
      { result: 'error', error: 'apiLimitExceeded', serverTime: '2026-11-14T23:00:00.400Z' },
      { status: 'NOT_FOUND', result: 'error', errors: [{ code: 0, message: '404 NOT_FOUND' }] },
      { result: 'success' },
      [],
      null,
    ]) {
      assert.throws(() => parseInstruments(payload, NOW_MS), BadReply);
      assert.throws(() => parseTickers(payload, context), BadReply);
    }
  });
});

suite('Kraken prices and volumes', () => {
  test('a linear quantity is in base units, an inverse one in USD', () => {
    const linear = tops.get('PF_XBTUSD');
    assert.deepEqual(
      [linear?.bidPrice, linear?.bidSize, linear?.askPrice, linear?.askSize],
      [96_000, 0.25, 96_010, 1.5],
    );
    const inverse = tops.get('PI_XBTUSD');
    assert.deepEqual([inverse?.bidSize, inverse?.askSize], [4800 / 96_000, 9610 / 96_100]);
    assert.equal(linear?.venueTimeMs, Date.UTC(2026, 10, 14, 23, 0, 0, 400));
  });

  test('trap F8: volume is the turnover in USD (linear), or counts contracts of 1 USD (inverse)', () => {
    assert.equal(volumes.get('PF_XBTUSD'), 384_048_000.5);
    assert.equal(volumes.get('PI_XBTUSD'), 21_000_000);
    assert.equal(volumes.get('PF_PEPEUSD'), 1_000_000_000 * 0.0000117);
    assert.equal(volumes.get('PF_AVAXUSD'), 0);
  });

  test('a book with an empty side gives no top but keeps rate and volume', () => {
    assert.equal(tops.has('PF_AVAXUSD'), false);
    assert.equal(live.ignored.get('empty side of the book'), 1);
    assert.ok(live.fundingQuotes.some((quote) => quote.venueSymbol === 'PF_AVAXUSD'));
  });

  test('trap G1: the frozen figures of a suspended market are not quoted', () => {
    assert.equal(live.ignored.get('suspended'), 1);
    assert.equal(tops.has('PF_STOPUSD') || volumes.has('PF_STOPUSD'), false);
  });

  test('library trap 5: a brand-new symbol is passed over and costs no other row', () => {
    assert.equal(live.ignored.get('not in the contract list'), 1);
    assert.equal(live.ignored.get('dated future'), 1);
    assert.equal(live.ignored.get('index'), 1);
  });

  test('bad rows are rejected by name; one bad figure leaves the others of its row', () => {
    assert.deepEqual(live.rejected, [
      { venueSymbol: 'PF_MSFTXUSD', reason: 'implausible rate' },
      { venueSymbol: 'PF_EURUSD', reason: 'no rate' },
      { venueSymbol: 'PF_LEAVEUSD', reason: 'no index price' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
    assert.ok(tops.has('PF_MSFTXUSD') && volumes.has('PF_EURUSD'));
  });

  test('crossed and zero quotes and a missing volume are rejected', () => {
    const row = { symbol: 'PF_XBTUSD', fundingRate: 0, indexPrice: 1, bidSize: 1, askSize: 1 };
    const reasons = [
      { ...row, vol24h: 1, markPrice: 1, bid: 3, ask: 2 },
      { ...row, vol24h: 1, markPrice: 1, bid: 0, ask: 0 },
      { ...row, bid: 1, ask: 2 },
    ].map((ticker) => parseTickers({ result: 'success', tickers: [ticker] }, context).rejected[0]?.reason);
    assert.deepEqual(reasons, ['crossed book', 'no bid or ask', 'no volume']);
  });
});

asSent(
  'kraken',
  {
    instruments: () => capture('kraken', 'http_futures_instruments.json'),
    instrumentsOf2024: () => ({
      result: 'success',
      instruments: (ccxtInstruments('kraken') as Row[]).map((info) => ({
        pair: `${String(info.symbol).slice(3, -3)}:USD`,
        ...info,
      })),
    }),
    instrumentsDocumented: () => sample('kraken', 'Futures__ExchangeData__GetSymbols.txt'),
    tickers: () => capture('kraken', 'http_futures_tickers.json'),
    tickersDocumented: () => sample('kraken', 'Futures__ExchangeData__GetTickers.txt'),
    orderbook: () => capture('kraken', 'http_futures_orderbook.json'),
    orderbookDocumented: () => sample('kraken', 'Futures__ExchangeData__GetOrderBook.txt'),
  },
  (sent) => {
    const recorded = parseInstruments(sent('instruments'), NOW_MS);
    const atMs = Date.UTC(2025, 10, 17, 0, 34, 38);
    const known = {
      receivedAtMs: atMs,
      contracts: contractsOf(recorded).set('PF_ENJUSD', fakeContract('PF_ENJUSD')),
    };
    const inverse = rowOfSymbol([...known.contracts.values()], 'PI_XBTUSD');

    test('instruments: PI_ settles in its coin, PF_ in dollars; a leverage is 1 / initial margin; AAPLx is a share', () => {
      assert.deepEqual(recorded.rejected, []);
      assert.deepEqual(
        rowsOf([...known.contracts.values()], 'PI_XBTUSD', 'PF_PEPEUSD', 'PF_AAPLxUSD').map((c) => [
          c.base,
          c.settle,
          c.isInverse,
          c.contractSize,
          c.assetClass,
          c.maxLeverage,
          c.intervalHours,
        ]),
        [
          // 1 / 0.02 and 1 / 0.2.
          ['BTC', 'BTC', true, 1, 'crypto', 50, 1],
          ['PEPE', 'USD', false, 1, 'crypto', 50, 1],
          ['AAPLx', 'USD', false, 1, 'stock', 5, 1],
        ],
      );
      assert.equal(inverse.listedAtMs, Date.UTC(2018, 7, 31));
      const documented = parseInstruments(sent('instrumentsDocumented'), NOW_MS);
      assert.equal(documented.contractList?.contracts[0]?.base, 'BTC', 'XBT is BTC');
      assert.equal(documented.ignored.get('dated future'), 1);
    });

    test('instruments with figures as text, from before the list had a base', () => {
      const batch = parseInstruments(sent('instrumentsOf2024'), NOW_MS);
      assert.deepEqual(batch.rejected, []);
      assert.deepEqual(
        rowsOf(batch.contractList?.contracts ?? [], 'PF_XBTUSD', 'PI_XBTUSD').map((c) => [
          c.base,
          c.settle,
          c.isInverse,
          c.maxLeverage,
        ]),
        [
          ['BTC', 'USD', false, 50],
          ['BTC', 'BTC', true, 50],
        ],
      );
    });

    test('an inverse ticker: quantities are dollars, the rate is coins a dollar', () => {
      const batch = parseTickers(sent('tickers'), known);
      assert.deepEqual(batch.rejected, []);
      // -3.995839963e-9 BTC × 91,468.38 = -0.000365493.
      const quote = rowOfSymbol(batch.fundingQuotes, 'PI_XBTUSD');
      assert.deepEqual(
        [quote.ratePct, quote.intervalHours, quote.nextFundingAtMs],
        [-0.0365493, 1, Date.UTC(2025, 10, 17, 1)],
      );
      assert.equal(rowOfSymbol(batch.dayVolumes, 'PI_XBTUSD').volume24hUsdt, 21_118_140);
      assert.equal(rowOfSymbol(batch.marketFigures, 'PI_XBTUSD').openInterestUsdt, 21_279_580);
      // 4,960 USD / 91,415 and 5,020 USD / 91,490.5.
      const top = rowOfSymbol(batch.bookTops, 'PI_XBTUSD');
      assert.deepEqual([top.bidSize?.toFixed(6), top.askSize?.toFixed(6)], ['0.054258', '0.054869']);
    });

    test('a linear ticker: quantities are coins, the rate is dollars a coin', () => {
      const batch = parseTickers(sent('linearTickers'), known);
      // -0.000000756414717067 USD / 0.043391 = -0.0000174325...
      assert.equal(batch.fundingQuotes[0]?.ratePct.toFixed(8), '-0.00174325');
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 73.5216);
      // 72,513 ENJ × 0.0434.
      assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(4), '3147.0642');
      assert.deepEqual([batch.bookTops[0]?.bidPrice, batch.bookTops[0]?.bidSize], [0.0433, 4609]);
    });

    test('documented tickers: dated futures and indices are passed over', () => {
      const batch = parseTickers(sent('tickersDocumented'), known);
      assert.deepEqual([batch.ignored.get('dated future'), batch.ignored.get('index')], [1, 2]);
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 15_304);
      // 139,984 USD / 49,289.
      assert.equal(batch.bookTops[0]?.askSize?.toFixed(6), '2.840066');
    });

    test('order books, best first and at most 100 levels a side', () => {
      const book = parseOrderBook(sent('orderbook'), fakeContract('PF_ETHUSD'));
      assert.deepEqual(
        [book.bids[0], book.asks[0], book.venueTimeMs],
        [[105_900, 0.5], [105_950, 0.3], Date.UTC(2025, 6, 11, 12)],
      );
      // 2,900 USD / 61,011.5 and 1,450 USD / 61,029.5.
      const long = parseOrderBook(sent('orderbookDocumented'), inverse);
      assert.deepEqual(
        [long.bids[0], long.asks[0]].map((level) => [level?.[0], level?.[1].toFixed(6)]),
        [
          [61_011.5, '0.047532'],
          [61_029.5, '0.023759'],
        ],
      );
      assert.ok(long.bids.length <= 100 && long.asks.length <= 100);
    });
  },
);

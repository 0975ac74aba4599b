import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { capture, ccxtInstruments, recordingsMissing, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
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

suite('Kraken recordings', { skip: recordingsMissing }, () => {
  const recorded = parseInstruments(capture('kraken', 'http_futures_instruments.json'), NOW_MS);
  const known = new Map<string, Contract>(
    recorded.contractList?.contracts.map((contract) => [contract.venueSymbol, contract]),
  );

  test('recorded and documented instruments', () => {
    assert.deepEqual(recorded.rejected, []);
    assert.deepEqual(
      [...known.values()].map((c) => [
        c.venueSymbol,
        c.base,
        c.settle,
        c.isInverse,
        c.assetClass,
        c.maxLeverage,
      ]),
      [
        ['PI_XBTUSD', 'BTC', 'BTC', true, 'crypto', 50],
        ['PF_ETHUSD', 'ETH', 'USD', false, 'crypto', 50],
        ['PF_PEPEUSD', 'PEPE', 'USD', false, 'crypto', 50],
        ['PF_AAPLxUSD', 'AAPLx', 'USD', false, 'stock', 5],
      ],
    );
    assert.equal(known.get('PI_XBTUSD')?.listedAtMs, Date.UTC(2018, 7, 31));
    const documented = parseInstruments(sample('kraken', 'Futures__ExchangeData__GetSymbols.txt'), NOW_MS);
    assert.deepEqual(
      documented.contractList?.contracts.map((c) => [c.venueSymbol, c.base]),
      [
        ['PI_XBTUSD', 'BTC'],
        ['PF_XBTUSD', 'BTC'],
      ],
    );
    assert.equal(documented.ignored.get('dated future'), 1);
    const bare = parseInstruments(capture('kraken', 'http_futures_instrument_no_fee_schedule.json'), NOW_MS);
    assert.equal(bare.contractList?.contracts.length, 1);
  });

  test('recorded instruments of ccxt, with figures as text and from before the list had a base', () => {
    const infos = (ccxtInstruments('kraken') as Row[]).map((info) => ({
      pair: `${String(info.symbol).slice(3, -3)}:USD`,
      ...info,
    }));
    const batch = parseInstruments({ result: 'success', instruments: infos }, NOW_MS);
    assert.deepEqual(batch.rejected, []);
    const [linear, inverse] = batch.contractList?.contracts ?? [];
    assert.deepEqual([linear?.base, linear?.contractSize, linear?.maxLeverage], ['BTC', 1, 50]);
    assert.deepEqual([inverse?.settle, inverse?.contractSize, inverse?.isInverse], ['BTC', 1, true]);
  });

  test('recorded tickers: sizes in coins, turnover in USD, rates within the venue cap', () => {
    const batch = parseTickers(capture('kraken', 'http_futures_tickers.json'), {
      receivedAtMs: Date.UTC(2025, 10, 17, 0, 34, 38),
      contracts: known,
    });
    assert.deepEqual(batch.rejected, []);
    const [inverse, linear] = batch.bookTops;
    assert.equal(inverse?.bidSize, 4960 / 91_415);
    assert.equal(linear?.bidSize, 100);
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 21_118_140);
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct, quote.nextFundingAtMs]),
      [
        ['PI_XBTUSD', -0.0365493, Date.UTC(2025, 10, 17, 1)],
        ['PF_ETHUSD', 0.00000047, Date.UTC(2025, 10, 17, 1)],
      ],
    );
  });

  test('documented tickers: dated futures and indices are passed over', () => {
    const batch = parseTickers(sample('kraken', 'Futures__ExchangeData__GetTickers.txt'), {
      receivedAtMs: NOW_MS,
      contracts: known,
    });
    assert.deepEqual([batch.ignored.get('dated future'), batch.ignored.get('index')], [1, 2]);
    assert.equal(batch.bookTops[0]?.askSize, 139_984 / 49_289);
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 15_304);
  });

  test('recorded and documented order books', () => {
    const eth = known.get('PF_ETHUSD');
    const inverse = known.get('PI_XBTUSD');
    assert.ok(eth && inverse);
    const book = parseOrderBook(capture('kraken', 'http_futures_orderbook.json'), eth);
    assert.deepEqual(
      [book.bids[0], book.asks[0]],
      [
        [105_900, 0.5],
        [105_950, 0.3],
      ],
    );
    assert.equal(book.venueTimeMs, Date.UTC(2025, 6, 11, 12));
    const documented = sample('kraken', 'Futures__ExchangeData__GetOrderBook.txt') as Row;
    const long = parseOrderBook(documented, inverse);
    assert.deepEqual(long.bids[0], [61_011.5, 2900 / 61_011.5]);
    assert.ok(long.bids.length <= 100 && long.asks.length <= 100);
  });
});

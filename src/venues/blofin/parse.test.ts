import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowsOf } from '../../../test/support/as-sent.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { SendRequest, VenueRequest } from '../venue.ts';
import {
  parseDepth,
  parseFigures,
  parseFundingHistory,
  parseFundingRates,
  parseInstruments,
  parseTickers,
} from './parse.ts';
import { blofin } from './venue.ts';

const NOW_MS = 1_794_697_200_500;
const ok = (...data: object[]) => ({ code: '0', msg: 'success', data });

const instrument = (instId: string, fields: object = {}) => ({
  instId,
  baseCurrency: instId.split('-')[0],
  quoteCurrency: instId.split('-')[1],
  settleCurrency: instId.split('-')[1],
  contractValue: '1',
  listTime: '1673517600000',
  expireTime: '4918462709025',
  maxLeverage: '50',
  assetClass: 'Crypto',
  instType: 'SWAP',
  contractType: 'linear',
  state: 'live',
  offTime: '',
  ...fields,
});

const listed = parseInstruments(
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/instruments.json`, 'utf8')),
  { receivedAtMs: NOW_MS },
);
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: NOW_MS, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the list`);
  return contract;
}

suite('BloFin contracts', () => {
  test('perpetuals are taken, others ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 7);
    assert.deepEqual(
      [...listed.ignored],
      [
        ['not a perpetual', 1],
        ['quanto', 1],
      ],
    );
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYST-USDT', reason: 'unknown status sleeping' },
      { venueSymbol: 'ODD-USDT', reason: 'no contract size' },
      { venueSymbol: 'BARE-USDT', reason: 'no base or quote' },
    ]);
  });

  test('F5: what settles in its base is inverse, with a face value of one dollar', () => {
    const { isInverse, settle, contractSize } = contractOf('BTC-USD');
    assert.deepEqual([isInverse, settle, contractSize], [true, 'BTC', 1]);
    assert.deepEqual([contractOf('BTC-USDC').isInverse, contractOf('BTC-USDT').maxLeverage], [false, 150]);
  });

  test('expireTime is decades ahead and no end; offTime is one; a listTime in the future is not open', () => {
    assert.deepEqual([contractOf('BTC-USDT').status, contractOf('BTC-USDT').delistsAtMs], ['trading', null]);
    assert.deepEqual(
      [contractOf('LEAVE-USDT').status, contractOf('LEAVE-USDT').delistsAtMs],
      ['delisting', 1_794_996_000_000],
    );
    assert.deepEqual([contractOf('SOON-USDT').status, contractOf('HALT-USDT').status], ['preopen', 'halted']);
  });

  test('F3: the class follows assetClass; XAU, XAG and oil are filed as Crypto and are commodities', () => {
    const classOf = (base: string, assetClass: string) =>
      parseInstruments(ok(instrument(`${base}-USDT`, { assetClass })), { receivedAtMs: NOW_MS }).contractList
        ?.contracts[0]?.assetClass;
    for (const base of ['XAU', 'XAG', 'WTIOIL', 'NATGAS'])
      assert.equal(classOf(base, 'Crypto'), 'commodity', base);
    assert.equal(classOf('BTC', 'Crypto'), 'crypto');
    assert.equal(classOf('PAXG', 'Crypto'), 'crypto');
    assert.equal(classOf('TSLA', 'Stocks'), 'stock');
    assert.equal(classOf('CL', 'Commodities'), 'commodity');
    assert.equal(classOf('SPY', 'Indices'), 'index');
    assert.equal(classOf('EURUSD', 'Forex'), 'forex');
  });

  test('an error code with HTTP 200 is a bad reply, not an empty list', () => {
    const error = { code: '152002', msg: 'Parameter instId error.', data: null };
    assert.throws(() => parseInstruments(error, context), BadReply);
    assert.throws(() => parseFundingRates({ code: '0', data: null }, context), BadReply);
  });
});

suite('BloFin funding', () => {
  const row = (instId: string, fields: object = {}) => ({
    instId,
    fundingRate: '0.00018548000000000002',
    fundingTime: '1794700800000',
    fundingInterval: '8',
    fundingIntervalUnit: 'hour',
    ...fields,
  });

  test('A1: the interval is a number with its unit, per contract; fundingTime is the next settlement', () => {
    const { fundingQuotes } = parseFundingRates(
      ok(
        row('BTC-USDT'),
        row('1000BONK-USDT', { fundingInterval: '240', fundingIntervalUnit: 'minute', fundingRate: '0' }),
        row('BTC-USD', { fundingInterval: '1', fundingRate: '-0.001246800258614201' }),
      ),
      context,
    );
    assert.deepEqual(
      fundingQuotes.map((quote) => [quote.ratePct, quote.intervalHours, quote.nextFundingAtMs]),
      [
        [0.018548000000000002, 8, 1_794_700_800_000],
        [0, 4, 1_794_700_800_000],
        [-0.1246800258614201, 1, 1_794_700_800_000],
      ],
    );
  });

  test('A7: a row without an interval or with an unknown unit keeps it unknown, never 8', () => {
    const { instId, fundingRate, fundingTime } = row('BTC-USDT');
    const rows = ok({ instId, fundingRate, fundingTime }, row('BTC-USDC', { fundingIntervalUnit: 'epoch' }));
    assert.deepEqual(
      parseFundingRates(rows, context).fundingQuotes.map((quote) => quote.intervalHours),
      [null, null],
    );
  });

  test('a row without a rate or a time is rejected by name, a contract that is not listed is ignored', () => {
    const rows = ok(
      row('BTC-USDT', { fundingRate: '' }),
      row('BTC-USDC', { fundingTime: '' }),
      row('NEW-USDT'),
    );
    const batch = parseFundingRates(rows, context);
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'BTC-USDT', reason: 'no rate' },
      { venueSymbol: 'BTC-USDC', reason: 'no next settlement' },
    ]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  const print = (fundingTime: number) => ({
    instId: 'BTC-USDT',
    fundingRate: '0.000184',
    fundingTime: String(fundingTime),
  });

  test('E3: a full page continues before its oldest print, whatever the interval', () => {
    const window = { fromMs: NOW_MS - 200 * 3_600_000, toMs: NOW_MS };
    const rows = Array.from({ length: 100 }, (_, i) => print(1_794_672_000_000 - i * 3_600_000));
    const page = parseFundingHistory(ok(...rows), contractOf('BTC-USDT'), window);
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: 1_794_672_000_000 - 99 * 3_600_000 - 1 });
    assert.equal(parseFundingHistory(ok(...rows.slice(1)), contractOf('BTC-USDT'), window).next, null);
  });

  test('D2: `after` is exclusive, so the call names the millisecond after the window', async () => {
    const requests: VenueRequest[] = [];
    const send: SendRequest = async (request) => {
      requests.push(request);
      return { payload: ok(print(1_794_672_000_000)), receivedAtMs: NOW_MS };
    };
    const window = { fromMs: 1_794_672_000_000, toMs: 1_794_672_000_000 };
    const page = await blofin.settlements(contractOf('BTC-USDT'), window, { send, contracts });
    assert.deepEqual(requests[0]?.query, { instId: 'BTC-USDT', after: 1_794_672_000_001, limit: 2 });
    assert.deepEqual(page.settlements, [
      { venueSymbol: 'BTC-USDT', ratePct: 0.0184, settledAtMs: 1_794_672_000_000 },
    ]);
  });
});

suite('BloFin prices and volumes', () => {
  const row = (instId: string, fields: object = {}) => ({
    instId,
    last: '76761.8',
    bidPrice: '76741.1',
    bidSize: '4',
    askPrice: '76759.5',
    askSize: '5251',
    vol24h: '1879621.3',
    volCurrency24h: '1879.6213',
    ts: String(NOW_MS),
    ...fields,
  });

  test('F8: sizes and vol24h are contracts; turnover is contracts times value times last price', () => {
    const { bookTops, dayVolumes } = parseTickers(ok(row('BTC-USDT')), context);
    assert.deepEqual([bookTops[0]?.bidSize, bookTops[0]?.askSize], [0.004, 5.251]);
    assert.ok(Math.abs((dayVolumes[0]?.volume24hUsdt ?? 0) - 1879.6213 * 76_761.8) < 1);
  });

  test('an inverse contract is one dollar: its volume needs no price, its sizes are divided by it', () => {
    const inverse = row('BTC-USD', { vol24h: '3045364', volCurrency24h: '3045364', bidSize: '37110' });
    const { bookTops, dayVolumes } = parseTickers(ok(inverse), context);
    assert.equal(dayVolumes[0]?.volume24hUsdt, 3_045_364);
    assert.equal(bookTops[0]?.bidSize, 37_110 / 76_741.1);
  });

  test('a row without volume or with a crossed book is rejected by name and keeps its other half', () => {
    const batch = parseTickers(
      ok(row('BTC-USDT', { vol24h: '' }), row('BTC-USDC', { bidPrice: '90000' })),
      context,
    );
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'BTC-USDT', reason: 'no volume' },
      { venueSymbol: 'BTC-USDC', reason: 'crossed book' },
    ]);
    assert.deepEqual([batch.bookTops.length, batch.dayVolumes.length], [1, 1]);
  });

  test('open interest counts contracts; without it the prices stay', () => {
    const price = (instId: string) => ({ instId, markPrice: '76750', indexPrice: '76760' });
    const interest = ok({ instId: 'BTC-USDT', openInterest: '4455385', openInterestCurrency: '4455.385' });
    const marks = ok(price('BTC-USDT'), price('BTC-USD'), { instId: 'BTC-USDC' });
    const batch = parseFigures({ marks, interest }, context);
    const [linear, inverse] = batch.marketFigures;
    assert.ok(Math.abs((linear?.openInterestUsdt ?? 0) - 4455.385 * 76_750) < 1);
    assert.deepEqual(
      [inverse?.markPrice, inverse?.indexPrice, inverse?.openInterestUsdt],
      [76_750, 76_760, null],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTC-USDC', reason: 'no mark price' }]);
  });

  test('a book of contracts comes out in base units', () => {
    const book = ok({ bids: [['100', '2', '0', '1']], asks: [['101', '3', '0', '1']], ts: String(NOW_MS) });
    const depth = parseDepth(book, contractOf('BTC-USDT'));
    assert.deepEqual([depth.bids, depth.asks, depth.venueTimeMs], [[[100, 0.002]], [[101, 0.003]], NOW_MS]);
    assert.throws(() => parseDepth(ok(), contractOf('BTC-USDT')), BadReply);
  });
});

asSent('blofin', {}, (sent) => {
  const ada = { ...fakeContract('ADA-USDT'), contractSize: 100 };
  const known = {
    receivedAtMs: NOW_MS,
    contracts: new Map([ada, fakeContract('BTC-USDT')].map((contract) => [contract.venueSymbol, contract])),
  };

  test('instruments: 0.001 BTC each; expireTime is no end', () => {
    const [btc] = parseInstruments(sent('instruments'), known).contractList?.contracts ?? [];
    assert.deepEqual(
      [
        btc?.base,
        btc?.settle,
        btc?.contractSize,
        btc?.maxLeverage,
        btc?.status,
        btc?.listedAtMs,
        btc?.delistsAtMs,
      ],
      ['BTC', 'USDT', 0.001, 125, 'trading', Date.UTC(2021, 11, 1, 4, 30, 31), null],
    );
  });

  test('tickers: vol24h and sizes count contracts, here of 100 ADA', () => {
    const batch = parseTickers(sent('tickers'), known);
    // 1,985,601 × 100 ADA × 0.5315. volCurrency24h has the coins: 198,560,100.
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt.toFixed(2), '105534693.15');
    const [top] = batch.bookTops;
    // 63 and 248 × 100.
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize],
      [0.5315, 6300, 0.5318, 24_800],
    );
  });

  test('rates: a reply from before the interval leaves it unknown', () => {
    const [quote] = parseFundingRates(sent('fundingRate'), known).fundingQuotes;
    assert.deepEqual(
      [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours],
      [0.027815, Date.UTC(2021, 9, 15), null],
    );
    const window = { fromMs: 1_700_000_000_000, toMs: NOW_MS };
    const btc = fakeContract('BTC-USDT');
    assert.deepEqual(parseFundingHistory(sent('fundingRateHistory'), btc, window).settlements, [
      { venueSymbol: 'BTC-USDT', ratePct: 0.0330372404346635, settledAtMs: Date.UTC(2023, 11, 25) },
    ]);
  });

  test('real rows: intervals of 8, 4 and 1 hours; a multiplied coin and a coin-margined contract', () => {
    const list = parseInstruments(sent('instrumentsOf2026'), known);
    const listed = { receivedAtMs: NOW_MS, contracts: contractsOf(list) };
    const symbols = ['BTC-USD', '1000BONK-USDT', 'IOST-USDT'];
    assert.deepEqual(
      rowsOf([...listed.contracts.values()], ...symbols).map((c) => [
        c.base,
        c.settle,
        c.isInverse,
        c.contractSize,
      ]),
      [
        ['BTC', 'BTC', true, 1],
        ['1000BONK', 'USDT', false, 1000],
        ['IOST', 'USDT', false, 1000],
      ],
    );
    assert.deepEqual(
      rowsOf(parseFundingRates(sent('fundingRateOf2026'), listed).fundingQuotes, ...symbols).map((q) => [
        q.ratePct,
        q.intervalHours,
        q.nextFundingAtMs,
      ]),
      [
        [0.010008212579971393, 8, Date.UTC(2026, 8, 14)],
        [0.006794, 4, Date.UTC(2026, 8, 14)],
        [-0.1246800258614201, 1, Date.UTC(2026, 8, 13, 23)],
      ],
    );
    const batch = parseTickers(sent('tickersOf2026'), listed);
    // 3,045,364 × 1 USD; 1,212,287.6 × 1,000 × 0.002693.
    assert.deepEqual(
      rowsOf(batch.dayVolumes, 'BTC-USD', '1000BONK-USDT').map((volume) => volume.volume24hUsdt.toFixed(2)),
      ['3045364.00', '3264690.51'],
    );
    // 37,110 USD / 76,701.7; 1,441 × 1,000.
    assert.deepEqual(
      rowsOf(batch.bookTops, 'BTC-USD', '1000BONK-USDT').map((top) => top.bidSize?.toFixed(6)),
      ['0.483822', '1441000.000000'],
    );
  });

  test('a book: contracts of 100', () => {
    const depth = parseDepth(sent('books'), ada);
    assert.deepEqual(
      [depth.bids[0], depth.asks[0]?.[0], depth.asks[0]?.[1].toFixed(4)],
      [[0.07221, 1850], 0.07228, '421.1619'],
    );
  });
});

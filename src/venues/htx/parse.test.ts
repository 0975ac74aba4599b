import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { ccxtInstruments, recordingsMissing, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply, isRow } from '../reading.ts';
import { parseContracts, parseDepth, parseFunding, parseTickers } from './parse.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const RECEIVED_MS = 1_794_697_200_700;
const NEXT_MS = 1_794_700_800_000;
const listed = parseContracts(fixture('linear-contracts'), 'linear', RECEIVED_MS);
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const context = { receivedAtMs: RECEIVED_MS, contracts };

function contract(venueSymbol: string): Contract {
  const found = contracts.get(venueSymbol);
  assert.ok(found, `${venueSymbol} is listed`);
  return found;
}

const [inverse] =
  parseContracts(
    {
      status: 'ok',
      data: [
        {
          symbol: 'BTC',
          contract_code: 'BTC-USD',
          contract_size: 100,
          delivery_time: '',
          create_date: '20200401',
          contract_status: 1,
          settlement_date: String(NEXT_MS),
        },
      ],
    },
    'inverse',
    RECEIVED_MS,
  ).contractList?.contracts ?? [];
assert.ok(inverse);
const inverseContext = { receivedAtMs: RECEIVED_MS, contracts: new Map([[inverse.venueSymbol, inverse]]) };

suite('HTX contracts', () => {
  test('swaps are taken, dated futures and quanto ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 11);
    assert.deepEqual(
      [...listed.ignored],
      [
        ['dated future', 1],
        ['quanto', 1],
      ],
    );
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODDUSDT', reason: 'no base or quote' },
      { venueSymbol: 'NOSIZE-USDT', reason: 'no contract size' },
      { venueSymbol: 'MYST-USDT', reason: 'unknown status 77' },
    ]);
  });

  test('an inverse contract settles in its base and has a face value in dollars', () => {
    const { base, quote, settle, isInverse, contractSize } = inverse;
    assert.deepEqual([base, quote, settle, isInverse, contractSize], ['BTC', 'USD', 'BTC', true, 100]);
  });

  test('a cheap coin has a large contract and no multiplied name', () => {
    const { base, contractSize } = contract('PEPE-USDT');
    assert.deepEqual([base, contractSize], ['PEPE', 1_000_000]);
  });

  test('every status code, the routine settlement among them, which is no halt', () => {
    const statuses = Array.from({ length: 10 }, (_, code) => {
      const row = { symbol: 'A', contract_code: 'A-USDT', contract_size: 1, contract_status: code };
      return parseContracts({ status: 'ok', data: [row] }, 'linear', RECEIVED_MS).contractList?.contracts[0]
        ?.status;
    });
    assert.deepEqual(statuses, [
      'delisted',
      'trading',
      'preopen',
      'halted',
      'halted',
      'trading',
      'delisting',
      'trading',
      'delisted',
      'halted',
    ]);
    assert.equal(contract('PEPE-USDT').venueStatus, '5');
  });

  test('a delivery time on a swap is its scheduled delisting', () => {
    const { base, status, delistsAtMs } = contract('龙虾-USDT');
    assert.deepEqual([base, status, delistsAtMs], ['龙虾', 'delisting', 1_794_996_000_000]);
    assert.equal(contract('BTC-USDT').delistsAtMs, null);
  });

  test('the listing day is a time, but not for a contract that waits for its opening on that very day', () => {
    assert.equal(contract('BTC-USDT').listedAtMs, Date.UTC(2020, 10, 5));
    assert.deepEqual([contract('SOON-USDT').status, contract('SOON-USDT').listedAtMs], ['preopen', null]);
    assert.equal(contract('LATER-USDT').listedAtMs, Date.UTC(2026, 10, 20));
  });

  test('stocks, metals and indices are separated from coins, gold coins are not', () => {
    const classes = ['BTC', 'NVDA', 'TQQQ', 'XAU', 'PAXG', 'XOM'].map(
      (base) => contract(`${base}-USDT`).assetClass,
    );
    assert.deepEqual(classes, ['crypto', 'stock', 'stock', 'commodity', 'crypto', 'stock']);
  });

  test('the interval is each contract’s own, in hours; one that is not given is unknown, never 8', () => {
    assert.deepEqual(
      ['BTC-USDT', 'PEPE-USDT', 'NVDA-USDT', 'LATER-USDT'].map((symbol) => contract(symbol).intervalHours),
      [8, 4, 1, null],
    );
    assert.equal(inverse.intervalHours, null);
  });

  test('an error in a reply with HTTP 200 is a bad reply, in both spellings of its code', () => {
    const reference = { status: 'error', err_code: 1032, err_msg: 'too many', ts: 1 };
    const market = { status: 'error', 'err-code': 'invalid-parameter', 'err-msg': 'wrong', ts: 1 };
    assert.throws(() => parseContracts(reference, 'linear', RECEIVED_MS), /1032/);
    assert.throws(() => parseFunding(reference, context), BadReply);
    assert.throws(() => parseTickers(market, context), /invalid-parameter/);
    assert.throws(() => parseDepth(market, contract('BTC-USDT')), BadReply);
    assert.throws(() => parseContracts({ status: 'ok', data: {} }, 'linear', RECEIVED_MS), BadReply);
    assert.throws(() => parseTickers({ status: 'ok' }, context), BadReply);
  });
});

suite('HTX funding', () => {
  const batch = parseFunding(fixture('linear-funding'), context);

  test('the running rate in percent without float noise; 0E-18 is the value zero', () => {
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct]),
      [
        ['BTC-USDT', 0.01],
        ['PEPE-USDT', -0.018_765_012_345_678_9],
        ['NVDA-USDT', 0],
      ],
    );
  });

  test('funding_time is the coming settlement; next_funding_time is null and not needed', () => {
    assert.ok(batch.fundingQuotes.every((quote) => quote.nextFundingAtMs === NEXT_MS));
    assert.ok(batch.fundingQuotes.every((quote) => quote.intervalHours === undefined));
  });

  test('a suspended contract keeps an old settlement time and is left out; bad rows never cost the others', () => {
    assert.equal(batch.ignored.get('contract is not trading'), 1);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'XAU-USDT', reason: 'no rate' },
      { venueSymbol: 'XOM-USDT', reason: 'no next settlement' },
    ]);
  });
});

suite('HTX prices and volumes', () => {
  const tick = (code: string, fields: object = {}) => ({
    contract_code: code,
    ts: RECEIVED_MS,
    bid: [50_000, 20],
    ask: [50_001, 30],
    close: '50000.5',
    vol: '7000',
    amount: '7',
    trade_turnover: '350003.5',
    ...fields,
  });

  test('the linear volume is half of the turnover, which counts both sides, never the number of contracts', () => {
    const batch = parseTickers({ status: 'ok', ticks: [tick('BTC-USDT')] }, context);
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTC-USDT', volume24hUsdt: 175_001.75, referencePrice: 50_000.5 },
    ]);
  });

  test('the venue counts both sides of a trade: half of the inverse contracts, times their face value', () => {
    const ticks = [tick('BTC-USD', { trade_turnover: undefined })];
    const batch = parseTickers({ status: 'ok', ticks }, inverseContext);
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 350_000);
  });

  test('sizes are contracts: times the contract size, or face value over price', () => {
    const linear = parseTickers({ status: 'ok', ticks: [tick('BTC-USDT')] }, context).bookTops[0];
    assert.deepEqual([linear?.bidSize, linear?.askSize, linear?.venueTimeMs], [0.02, 0.03, RECEIVED_MS]);
    const coin = parseTickers({ status: 'ok', ticks: [tick('BTC-USD')] }, inverseContext).bookTops[0];
    assert.equal(coin?.bidSize, (20 * 100) / 50_000);
  });

  test('an empty or crossed book costs the top only; unknown and suspended contracts are ignored', () => {
    const ticks = [
      tick('BTC-USDT', { bid: null }),
      tick('PEPE-USDT', { bid: [3, 1], ask: [2, 1] }),
      tick('XAU-USDT', { trade_turnover: null }),
      tick('CYBER-USDT', { bid: [], ask: [] }),
      tick('NEW-USDT'),
    ];
    const batch = parseTickers({ status: 'ok', ticks }, context);
    assert.deepEqual(
      batch.rejected.map((rejection) => rejection.reason),
      ['no bid or ask', 'crossed book', 'no volume'],
    );
    assert.deepEqual(
      batch.dayVolumes.map((volume) => volume.venueSymbol),
      ['BTC-USDT', 'PEPE-USDT'],
    );
    assert.deepEqual(
      [...batch.ignored],
      [
        ['contract is not trading', 1],
        ['not in the contract list', 1],
      ],
    );
  });
});

suite('HTX recordings', { skip: recordingsMissing }, () => {
  test('recorded swaps of both sides; the dated ones among them are ignored', () => {
    const isSwap = (info: unknown, isLinear: boolean) =>
      isRow(info) &&
      'contract_code' in info &&
      'business_type' in info === isLinear &&
      !('settlement_time' in info);
    const rows = ccxtInstruments('htx');
    const linear = parseContracts(
      { status: 'ok', data: rows.filter((info) => isSwap(info, true)) },
      'linear',
      RECEIVED_MS,
    );
    assert.deepEqual([linear.rejected, linear.ignored.get('dated future')], [[], 2]);
    const sizes = (linear.contractList?.contracts ?? []).map((found) => [found.base, found.contractSize]);
    assert.deepEqual(sizes.slice(0, 4), [
      ['BTC', 0.001],
      ['ETH', 0.01],
      ['LTC', 0.1],
      ['ADA', 10],
    ]);
    const coin = parseContracts(
      { status: 'ok', data: rows.filter((info) => isSwap(info, false)) },
      'inverse',
      RECEIVED_MS,
    );
    assert.deepEqual(coin.rejected, []);
    assert.deepEqual(
      (coin.contractList?.contracts ?? []).map((found) => [
        found.venueSymbol,
        found.isInverse,
        found.contractSize,
      ]),
      [
        ['BTC-USD', true, 100],
        ['ETH-USD', true, 10],
        ['XRP-USD', true, 10],
      ],
    );
  });

  test('a documentation sample of the order book', () => {
    const depth = parseDepth(
      sample('htx', 'UsdtMarginSwap__ExchangeData__GetOrderBook.txt'),
      contract('BTC-USDT'),
    );
    assert.deepEqual(depth.bids, [
      [48_596.4, 0.09],
      [48_585.7, 0.18],
    ]);
    assert.deepEqual(depth.asks[0], [48_611.5, 0.741]);
    assert.equal(depth.venueTimeMs, 1_638_754_215_640);
  });
});

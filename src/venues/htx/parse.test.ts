import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { countedOnce } from '../counting/sides.ts';
import type { Batch, Contract } from '../observations.ts';
import { BadReply, isRow } from '../reading.ts';
import { parseHistoryPage } from './history.ts';
import {
  parseContracts,
  parseDepth,
  parseFunding,
  parseIndices,
  parseOpenInterest,
  parseTickers,
} from './parse.ts';
import { htx } from './venue.ts';

const published = (batch: Batch) => countedOnce(batch, htx.facts.counts);

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
    const batch = published(parseTickers({ status: 'ok', ticks: [tick('BTC-USDT')] }, context));
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTC-USDT', volume24hUsdt: 175_001.75, referencePrice: 50_000.5 },
    ]);
  });

  test('the venue counts both sides of a trade: half of the inverse contracts, times their face value', () => {
    const ticks = [tick('BTC-USD', { trade_turnover: undefined })];
    const batch = published(parseTickers({ status: 'ok', ticks }, inverseContext));
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

/** Rows of the recorded list of all markets: a linear one names its business type; settlement_time is of dated futures. */
const swapRows = (isLinear: boolean) => () => ({
  status: 'ok',
  data: ccxtInstruments('htx').filter(
    (row) =>
      isRow(row) &&
      'contract_code' in row &&
      'business_type' in row === isLinear &&
      !('settlement_time' in row),
  ),
});

asSent(
  'htx',
  {
    contractInfo: swapRows(true),
    inverseContractInfo: swapRows(false),
    openInterest: () => sample('htx', 'UsdtMarginSwap__ExchangeData__GetSwapOpenInterest.txt'),
    depth: () => sample('htx', 'UsdtMarginSwap__ExchangeData__GetOrderBook.txt'),
  },
  (sent) => {
    const linear = parseContracts(sent('contractInfo'), 'linear', RECEIVED_MS);
    const coin = parseContracts(sent('inverseContractInfo'), 'inverse', RECEIVED_MS);
    const stock = parseContracts(sent('stockContractInfo'), 'linear', RECEIVED_MS);
    const known = { receivedAtMs: RECEIVED_MS, contracts: contractsOf(linear, coin, stock) };

    test('contracts: coins in USDT, dollars on the coin-margined side; dated futures are ignored', () => {
      assert.deepEqual([...linear.rejected, ...coin.rejected, ...stock.rejected], []);
      assert.ok((linear.ignored.get('dated future') ?? 0) > 0);
      assert.deepEqual(
        rowsOf([...known.contracts.values()], 'BTC-USDT', 'ADA-USDT', 'BTC-USD', 'XRP-USD').map((c) => [
          c.settle,
          c.isInverse,
          c.contractSize,
          c.status,
          c.listedAtMs,
          c.intervalHours,
        ]),
        [
          ['USDT', false, 0.001, 'trading', Date.UTC(2020, 9, 21), null],
          ['USDT', false, 10, 'trading', Date.UTC(2020, 10, 20), null],
          ['BTC', true, 100, 'trading', Date.UTC(2020, 2, 25), null],
          ['XRP', true, 10, 'trading', Date.UTC(2020, 3, 10), null],
        ],
      );
    });

    test('rates: funding_time is the coming settlement, also where next_funding_time is null', () => {
      const quotes = [sent('batchFundingRate'), sent('inverseBatchFundingRate')].flatMap(
        (reply) => parseFunding(reply, known).fundingQuotes,
      );
      assert.deepEqual(
        quotes.map((q) => [q.venueSymbol, q.ratePct, q.nextFundingAtMs, q.venueTimeMs]),
        [
          ['ADA-USDT', -0.75, Date.UTC(2021, 1, 22, 6, 40), 1_614_045_373_795],
          ['BTC-USD', 0.01, Date.UTC(2026, 5, 12, 16), 1_781_254_404_101],
        ],
      );
    });

    test('tickers: trade_turnover adds up buyers and sellers, sizes are contracts', () => {
      const batch = published(parseTickers(sent('batchMerged'), known));
      // 39,803.603 / 2. The documentation of trade_turnover: the sum of both buy and sell sides.
      assert.deepEqual(batch.dayVolumes, [
        { venueSymbol: 'SAMSUNG-USDT', volume24hUsdt: 19_901.8015, referencePrice: 235.38 },
      ]);
      // 21 and 3 contracts × 0.01.
      const [top] = batch.bookTops;
      assert.deepEqual(
        [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize],
        [234.42, 0.21, 236.06, 0.03],
      );
    });

    test('open interest: value in USDT, or contracts of 100 dollars', () => {
      assert.equal(
        rowOfSymbol(parseOpenInterest(sent('openInterest'), known).marketFigures, 'BTC-USDT')
          .openInterestUsdt,
        3_823_138.2456,
      );
      // 518,018 × 100 USD. amount says the same: 2,769.68 BTC at 18,703 dollars.
      assert.equal(
        parseOpenInterest(sent('inverseOpenInterest'), known).marketFigures[0]?.openInterestUsdt,
        51_801_800,
      );
    });

    test('index price and a settled rate', () => {
      assert.equal(parseIndices(sent('index'), known).marketFigures[0]?.indexPrice, 13_076.329_865_68);
      const window = { fromMs: 1_600_000_000_000, toMs: RECEIVED_MS };
      const page = parseHistoryPage(sent('historicalFundingRate'), window);
      assert.deepEqual(
        [page.settlements, page.isLast],
        [[{ venueSymbol: 'BTC-USDT', ratePct: 0.01, settledAtMs: Date.UTC(2020, 9, 26) }], false],
      );
    });

    test('a book: contracts of 0.001 BTC', () => {
      const depth = parseDepth(sent('depth'), contract('BTC-USDT'));
      assert.deepEqual(
        [depth.bids, depth.asks[0], depth.venueTimeMs],
        [
          [
            [48_596.4, 0.09],
            [48_585.7, 0.18],
          ],
          [48_611.5, 0.741],
          1_638_754_215_640,
        ],
      );
    });
  },
);

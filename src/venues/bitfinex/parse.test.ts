import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf } from '../../../test/support/as-sent.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import { parseBook, parseHistory, parseInfo, parseStatus, parseTickers } from './parse.ts';
import { bitfinex } from './venue.ts';

const RECEIVED_AT_MS = Date.UTC(2026, 10, 14, 22, 20, 7, 400);
const NEXT_MS = Date.UTC(2026, 10, 15);
const PERIOD_MS = 8 * 3_600_000;
const error = ['error', 10020, 'symbol: invalid'];

const info = (pair: unknown, margin: unknown = 0.02) => [
  pair,
  [null, null, null, '0.02', '5000.0', null, null, null, margin, 0.005],
];
const list = parseInfo([
  [
    info('BTCF0:USTF0', 0.01),
    info('ATOF0:USTF0'),
    info('ETHF0:BTCF0'),
    info('GERMANY40IXF0:USTF0'),
    info('BVIVF0:USTF0'),
    info('EURF0:USTF0'),
    info('XAGF0:USTF0'),
    info('UKOILF0:USTF0'),
    info('XAUTF0:USTF0'),
    ['LTCF0:USTF0', null],
    info('TESTBTCF0:TESTUSDTF0'),
    info('BTCUSD'),
    info(null),
    7,
  ],
]);
const contracts = contractsOf(list);
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };

function contractOf(pair: string): Contract {
  const contract = contracts.get(`t${pair}`);
  if (!contract) throw new Error(`no ${pair} in the list`);
  return contract;
}
const bitcoin = contractOf('BTCF0:USTF0');

suite('Bitfinex contracts', () => {
  test('perpetuals are taken, test money is ignored, bad rows are rejected with a reason', () => {
    assert.equal(contracts.size, 10);
    assert.deepEqual([...list.ignored], [['paper trading', 1]]);
    assert.deepEqual(list.rejected, [
      { venueSymbol: 'BTCUSD', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no pair' },
      { venueSymbol: null, reason: 'no pair' },
    ]);
  });

  test('codes of the venue are resolved: UST is USDT, ATO is ATOM, GERMANY40IX is DE40', () => {
    assert.deepEqual(
      ['BTCF0:USTF0', 'ATOF0:USTF0', 'GERMANY40IXF0:USTF0'].map((pair) => {
        const { base, quote, settle } = contractOf(pair);
        return [base, quote, settle];
      }),
      [
        ['BTC', 'USDT', 'USDT'],
        ['ATOM', 'USDT', 'USDT'],
        ['DE40', 'USDT', 'USDT'],
      ],
    );
  });

  test('a contract in BTC is linear and settled in BTC', () => {
    const { base, quote, settle, isInverse } = contractOf('ETHF0:BTCF0');
    assert.deepEqual([base, quote, settle, isInverse], ['ETH', 'BTC', 'BTC', false]);
  });

  test('leverage is that of the initial margin; without one it is unknown; every contract settles in 8 hours', () => {
    assert.deepEqual([bitcoin.maxLeverage, bitcoin.intervalHours], [100, 8]);
    assert.equal(contractOf('ETHF0:BTCF0').maxLeverage, 50);
    assert.equal(contractOf('LTCF0:USTF0').maxLeverage, null);
  });

  test('indices, volatility, currencies, metals and oil are known by name; the gold token is a coin', () => {
    assert.deepEqual(
      ['GERMANY40IX', 'BVIV', 'EUR', 'XAG', 'UKOIL', 'XAUT'].map(
        (code) => contractOf(`${code}F0:USTF0`).assetClass,
      ),
      ['index', 'index', 'forex', 'commodity', 'commodity', 'crypto'],
    );
  });

  test('an error is a list and a bad reply', () => {
    assert.throws(() => parseInfo([error]), BadReply);
    assert.throws(() => parseStatus(error, context), BadReply);
    assert.throws(() => parseTickers(error, context), BadReply);
    assert.throws(() => parseHistory(error, bitcoin, { fromMs: 0, toMs: RECEIVED_AT_MS }), BadReply);
    assert.throws(() => parseBook(error, bitcoin), BadReply);
    assert.throws(() => parseInfo({ error: 'ERR_RATE_LIMIT' }), BadReply);
  });
});

suite('Bitfinex status', () => {
  const at = RECEIVED_AT_MS - 3400;
  const status = (key: string, more: Readonly<Record<number, unknown>> = {}) => {
    const row: unknown[] = [
      key,
      at,
      null,
      76_921.5,
      60_000,
      null,
      3e7,
      null,
      NEXT_MS,
      0.0006,
      82,
      null,
      0.00014548,
    ];
    row.push(null, null, 76_900.5, null, null, 412.5, null, null, null, 0.0005, 0.0025);
    for (const [position, value] of Object.entries(more)) row[Number(position)] = value;
    return row;
  };

  test('the rate is the fixed one, not what accrues for the settlement after the next', () => {
    assert.deepEqual(parseStatus([status('tBTCF0:USTF0')], context).fundingQuotes, [
      {
        venueSymbol: 'tBTCF0:USTF0',
        ratePct: 0.014548,
        nextFundingAtMs: NEXT_MS,
        intervalHours: 8,
        venueTimeMs: at,
      },
    ]);
  });

  test('mark and index are one figure, not the spot price beside it; open interest counts coins', () => {
    assert.deepEqual(parseStatus([status('tBTCF0:USTF0')], context).marketFigures, [
      {
        venueSymbol: 'tBTCF0:USTF0',
        markPrice: 76_900.5,
        indexPrice: 76_900.5,
        openInterestUsdt: 412.5 * 76_900.5,
        openInterestCount: 412.5,
      },
    ]);
  });

  test('open interest of a contract in BTC is converted with the price of BTC in the same reply', () => {
    const batch = parseStatus(
      [status('tBTCF0:USTF0'), status('tETHF0:BTCF0', { 15: 0.05, 18: 20 })],
      context,
    );
    assert.equal(batch.marketFigures[1]?.openInterestUsdt, 20 * 0.05 * 76_900.5);
  });

  test('a rate of 0, inside the dead band, is a value', () => {
    assert.equal(parseStatus([status('tBTCF0:USTF0', { 12: 0 })], context).fundingQuotes[0]?.ratePct, 0);
  });

  test('an empty reply is a failed poll', () => {
    assert.throws(() => parseStatus([], context), BadReply);
  });

  test('bad rows are rejected by name, paper contracts are not listed, and the others stay', () => {
    const batch = parseStatus(
      [
        status('tATOF0:USTF0', { 12: null }),
        status('tEURF0:USTF0', { 8: 0 }),
        status('tTESTBTCF0:TESTUSDTF0'),
        ['', null],
        null,
        status('tBTCF0:USTF0'),
      ],
      context,
    );
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'tATOF0:USTF0', reason: 'no rate' },
      { venueSymbol: 'tEURF0:USTF0', reason: 'no next settlement' },
      { venueSymbol: null, reason: 'no key' },
      { venueSymbol: null, reason: 'no key' },
    ]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.equal(batch.fundingQuotes.length, 1);
  });
});

suite('Bitfinex tickers', () => {
  const row = ['tBTCF0:USTF0', 76_921, 12.5, 76_922, 14.5, 0, 0, 76_921.5, 100, 77_000, 76_000];

  test('a top has no sizes, because those in the row are sums of 25 orders; volume is coins times the last price', () => {
    const batch = parseTickers([row], context);
    assert.deepEqual(batch.bookTops, [
      {
        venueSymbol: 'tBTCF0:USTF0',
        bidPrice: 76_921,
        bidSize: null,
        askPrice: 76_922,
        askSize: null,
        venueTimeMs: null,
      },
    ]);
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'tBTCF0:USTF0', volume24hUsdt: 7_692_150, referencePrice: 76_921.5, volumeCount: 100 },
    ]);
  });

  test('the turnover of a contract in BTC is converted with the price of BTC', () => {
    const ether = ['tETHF0:BTCF0', 0.049, 5, 0.05, 5, 0, 0, 0.05, 10, 0.06, 0.04];
    assert.equal(parseTickers([row, ether], context).dayVolumes[1]?.volume24hUsdt, 10 * 0.05 * 76_921.5);
  });

  test('spot pairs and loans are not listed; crossed, empty and short rows are rejected', () => {
    const batch = parseTickers(
      [
        ['tBTCUSD', ...row.slice(1)],
        ['fUSD', 0.0003, 0.0002, 30, 3e6],
        ['tATOF0:USTF0', 2, 1, 1.9, 1, 0, 0, 2, 10],
        ['tEURF0:USTF0', null, 0, null, 0, 0, 0, 1.1, 10],
        ['tXAGF0:USTF0'],
        row,
      ],
      context,
    );
    assert.equal(batch.ignored.get('not in the contract list'), 2);
    assert.deepEqual(
      batch.rejected.map(({ reason }) => reason),
      ['crossed book', 'no bid or ask', 'no volume'],
    );
    assert.equal(batch.dayVolumes.length, 3);
  });
});

suite('Bitfinex prints and books', () => {
  const minute = (nextMs: unknown, rate: unknown) => {
    const row: unknown[] = [NEXT_MS - 60_000, null, 1, 1, null, 1, null, nextMs, 0.0006, 82, null, rate];
    return [...row, null, null, 1];
  };
  const window = { fromMs: NEXT_MS - 3 * PERIOD_MS, toMs: NEXT_MS + 1000 };

  test('positions are one lower than in the status; a print is at the settlement that the minute names', () => {
    const page = parseHistory([minute(NEXT_MS, 0.00014548)], bitcoin, window);
    assert.deepEqual(page.settlements, [
      { venueSymbol: 'tBTCF0:USTF0', ratePct: 0.014548, settledAtMs: NEXT_MS },
    ]);
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: NEXT_MS - 1 });
  });

  test('the walk ends with the window, or where the venue has no minute', () => {
    assert.equal(parseHistory([minute(NEXT_MS, 0)], bitcoin, { ...window, fromMs: NEXT_MS }).next, null);
    assert.deepEqual(parseHistory([], bitcoin, window), { settlements: [], rejected: [], next: null });
  });

  test('the rate of a settlement that has not come yet is no print', () => {
    const early = { fromMs: 0, toMs: NEXT_MS - 1 };
    assert.deepEqual(parseHistory([minute(NEXT_MS, 0.0001)], bitcoin, early).settlements, []);
  });

  test('a minute without a rate or a settlement is rejected', () => {
    for (const row of [minute(NEXT_MS, null), minute(null, 0.0001), 7])
      assert.equal(parseHistory([row], bitcoin, window).rejected[0]?.reason, 'no rate or time');
  });

  test('one call asks for the newest minute before the newest settlement of the window; none for a window without one', async () => {
    const sent: VenueRequest[] = [];
    const send = async (request: VenueRequest) => {
      sent.push(request);
      return { payload: [], receivedAtMs: RECEIVED_AT_MS };
    };
    await bitfinex.settlements(bitcoin, window, { send, contracts });
    await bitfinex.settlements(bitcoin, { fromMs: NEXT_MS + 1, toMs: NEXT_MS + 1000 }, { send, contracts });
    assert.deepEqual(
      sent.map(({ path, query }) => [path, query]),
      [['/status/deriv/tBTCF0:USTF0/hist', { end: NEXT_MS - 1, limit: 1, sort: -1 }]],
    );
  });

  test('asks are the negative sizes; an empty level and one of another shape are left out', () => {
    const depth = parseBook([[100, 1, 2], [99, 2, 5], [101, 1, -3], [102, 1, 0], 7, null], bitcoin);
    assert.deepEqual(
      [depth.bids, depth.asks],
      [
        [
          [100, 2],
          [99, 5],
        ],
        [[101, 3]],
      ],
    );
  });
});

asSent('bitfinex', {}, (sent) => {
  test('contracts: base and quote of the pair, leverage of the margin', () => {
    assert.deepEqual(
      parseInfo(sent('info')).contractList?.contracts.map((c) => [
        c.venueSymbol,
        c.base,
        c.quote,
        c.maxLeverage,
      ]),
      [
        ['tAAVEF0:USTF0', 'AAVE', 'USDT', 100],
        ['tBTCF0:USTF0', 'BTC', 'USDT', 100],
      ],
    );
  });

  test('status: the fixed rate of the settlement at 00:00, and the value of all positions', () => {
    const batch = parseStatus(sent('status'), context);
    const [quote] = batch.fundingQuotes;
    assert.deepEqual([quote?.ratePct, quote?.nextFundingAtMs], [0.014548, Date.UTC(2023, 7, 5)]);
    assert.equal(batch.marketFigures[0]?.markPrice, 29_278.8925);
    // 9,636.07644994 BTC × 29,278.8925.
    assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(0), '282133646');
  });

  test('history: the same settlement, one position lower', () => {
    const page = parseHistory(sent('history'), bitcoin, { fromMs: 0, toMs: RECEIVED_AT_MS });
    assert.deepEqual(page.settlements, [
      { venueSymbol: 'tBTCF0:USTF0', ratePct: 0.014548, settledAtMs: Date.UTC(2023, 7, 5) },
    ]);
  });

  test('a ticker, a book and an error', () => {
    const spot = new Map([['tBTCUSD', fakeContract('tBTCUSD')]]);
    const batch = parseTickers(sent('tickers'), { receivedAtMs: RECEIVED_AT_MS, contracts: spot });
    assert.deepEqual([batch.bookTops[0]?.bidPrice, batch.bookTops[0]?.bidSize], [10_645, null]);
    // 14,480.89849423 BTC × 10,644.00645389.
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt.toFixed(0), '154134777');
    const { bids, asks } = parseBook(sent('book'), bitcoin);
    assert.deepEqual([bids[0], bids.length, asks], [[6050, 0.001], 2, [[6861.7, 0.00145736]]]);
    assert.throws(() => parseBook(sent('invalid'), bitcoin), BadReply);
  });
});

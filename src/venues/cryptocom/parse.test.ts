import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf } from '../../../test/support/as-sent.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import { parseBook, parseHistory, parseIndex, parseInstruments, parseTickers } from './parse.ts';
import { tickersAndFunding } from './stream.ts';

const RECEIVED_AT_MS = Date.UTC(2026, 10, 14, 22, 20, 7, 400);
const HOUR_MS = 3_600_000;
const ok = (result: unknown) => ({ id: -1, method: 'public/x', code: 0, result });
const refusal = { code: 40004, message: 'Invalid instrument_name' };

const instrument = (base_ccy: string, more: object = {}) => ({
  symbol: `${base_ccy}USD-PERP`,
  inst_type: 'PERPETUAL_SWAP',
  base_ccy,
  quote_ccy: 'USD',
  contract_size: '1',
  max_leverage: '50',
  tradable: true,
  product_type: 'DIGITAL_CURRENCIES',
  ...more,
});
const list = parseInstruments(
  ok({
    data: [
      instrument('BTC'),
      instrument('NVDA', { product_type: 'EQUITY' }),
      instrument('SPY', { product_type: 'EQUITY_IND' }),
      instrument('XAU', { product_type: 'COMMODITIES' }),
      instrument('OPENAIIPO', { product_type: 'PRE_IPO' }),
      instrument('EURUSD', { product_type: 'CURRENCIES' }),
      instrument('PAXG', { product_type: 'COMMODITIES' }),
      instrument('ARB', { tradable: false }),
      instrument('ODD', { tradable: 'yes' }),
      instrument('BARE', { contract_size: '' }),
      { ...instrument('BTC'), symbol: 'BTC_USD', inst_type: 'CCY_PAIR' },
      { ...instrument('BTC'), symbol: 'BTCUSD-261225', inst_type: 'FUTURE' },
      { inst_type: 'PERPETUAL_SWAP' },
    ],
  }),
);
const contracts = contractsOf(list);
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };

function contractOf(base: string): Contract {
  const contract = contracts.get(`${base}USD-PERP`);
  if (!contract) throw new Error(`no ${base} in the list`);
  return contract;
}
const bitcoin = contractOf('BTC');

suite('CryptoCom contracts', () => {
  test('perpetuals are taken, spot and futures ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 8);
    assert.deepEqual([...list.ignored], [['not a perpetual', 2]]);
    assert.deepEqual(list.rejected, [
      { venueSymbol: 'ODDUSD-PERP', reason: 'no status' },
      { venueSymbol: 'BAREUSD-PERP', reason: 'no contract size' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('a contract is quoted and settled in USD, counted in base units, and settles every hour', () => {
    const { quote, settle, contractSize, maxLeverage, intervalHours, status } = bitcoin;
    assert.deepEqual(
      [quote, settle, contractSize, maxLeverage, intervalHours, status],
      ['USD', 'USD', 1, 50, 1, 'trading'],
    );
    assert.equal(contractOf('ARB').status, 'halted');
  });

  test('the class is product_type; an unknown word is traditional; the gold token is a coin', () => {
    assert.deepEqual(
      ['BTC', 'NVDA', 'SPY', 'XAU', 'OPENAIIPO', 'EURUSD', 'PAXG'].map((base) => contractOf(base).assetClass),
      ['crypto', 'stock', 'index', 'commodity', 'stock', 'forex', 'crypto'],
    );
  });

  test('an error is a bad reply, not an empty list', () => {
    assert.throws(() => parseInstruments(refusal), BadReply);
    assert.throws(() => parseTickers(refusal, context), BadReply);
    assert.throws(() => parseIndex(refusal, bitcoin, context), BadReply);
    assert.throws(() => parseHistory(refusal, bitcoin, { fromMs: 0, toMs: RECEIVED_AT_MS }), BadReply);
    assert.throws(() => parseBook(refusal, bitcoin), BadReply);
  });
});

suite('CryptoCom tickers and indices', () => {
  const row = {
    i: 'BTCUSD-PERP',
    a: '86235.5',
    v: '879.5',
    vv: '75844122.25',
    b: '86235.4',
    k: '86235.5',
    oi: '1204.5',
    t: RECEIVED_AT_MS,
  };
  const read = (...data: object[]) => parseTickers(ok({ data }), context);

  test('volume is in dollars, open interest in coins; a top without sizes is not taken', () => {
    const batch = read(row);
    assert.deepEqual(batch.dayVolumes, [
      {
        venueSymbol: 'BTCUSD-PERP',
        volume24hUsdt: 75_844_122.25,
        referencePrice: 86_235.5,
        volumeCount: 879.5,
      },
    ]);
    assert.equal(batch.marketFigures[0]?.openInterestUsdt, 1204.5 * 86_235.5);
    assert.deepEqual(batch.bookTops, []);
  });

  test('a row without a volume is rejected by name; spot is not in the list; the others stay', () => {
    const batch = read({ ...row, i: 'NVDAUSD-PERP', vv: null }, { ...row, i: 'BTC_USD' }, {}, row);
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'NVDAUSD-PERP', reason: 'no volume' },
      { venueSymbol: null, reason: 'no i' },
    ]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.equal(batch.dayVolumes.length, 1);
  });

  const index = (instrument_name: string, data: unknown) =>
    parseIndex(ok({ data, instrument_name }), bitcoin, context);

  test('the reply about an index names the index', () => {
    const batch = index('BTCUSD-INDEX', [{ v: '86178.17', t: RECEIVED_AT_MS }]);
    assert.equal(batch.marketFigures[0]?.indexPrice, 86_178.17);
    assert.throws(() => index('ETHUSD-INDEX', [{ v: '2749', t: RECEIVED_AT_MS }]), BadReply);
  });

  test('an index of 0 is none, and no point is a bad reply', () => {
    assert.equal(index('BTCUSD-INDEX', [{ v: '0', t: 1 }]).rejected[0]?.reason, 'no index price');
    assert.throws(() => index('BTCUSD-INDEX', []), BadReply);
  });
});

suite('CryptoCom stream', () => {
  const session = tickersAndFunding.open([bitcoin, contractOf('NVDA')]);
  const push = (channel: string, data: unknown, instrument_name = 'BTCUSD-PERP', at = context) =>
    session.receive({ id: -1, method: 'subscribe', code: 0, result: { instrument_name, channel, data } }, at)
      .batch;

  test('two channels a contract, at most 100 in a request and 400 on a socket', () => {
    assert.deepEqual(
      session.opening.map((text) => JSON.parse(text).params.channels),
      [['ticker.BTCUSD-PERP', 'funding.BTCUSD-PERP', 'ticker.NVDAUSD-PERP', 'funding.NVDAUSD-PERP']],
    );
    const many = Array.from({ length: tickersAndFunding.contractsPerSocket }, (_, i) =>
      fakeContract(`C${i}`),
    );
    const sizes = tickersAndFunding.open(many).opening.map((text) => JSON.parse(text).params.channels.length);
    assert.deepEqual(sizes, [100, 100, 100, 100]);
  });

  test('a ticker becomes a top in base units; one without a side is rejected', () => {
    const row = { i: 'BTCUSD-PERP', b: '86235.4', bs: '0.0301', k: '86235.5', ks: '1.2', t: RECEIVED_AT_MS };
    assert.deepEqual(push('ticker', [row]).bookTops, [
      {
        venueSymbol: 'BTCUSD-PERP',
        bidPrice: 86_235.4,
        bidSize: 0.0301,
        askPrice: 86_235.5,
        askSize: 1.2,
        venueTimeMs: RECEIVED_AT_MS,
      },
    ]);
    assert.equal(push('ticker', [{ ...row, k: null }]).rejected[0]?.reason, 'no bid or ask');
  });

  test('a rate is for the hour in which it was computed', () => {
    const t = Date.UTC(2026, 10, 14, 22, 20, 5);
    assert.deepEqual(push('funding', [{ v: '-0.000004992', t }]).fundingQuotes, [
      {
        venueSymbol: 'BTCUSD-PERP',
        ratePct: -0.0004992,
        nextFundingAtMs: Date.UTC(2026, 10, 14, 23),
        intervalHours: 1,
        venueTimeMs: t,
      },
    ]);
  });

  test('the rate that is repeated right after a settlement is not taken for the next one', () => {
    const at = { ...context, receivedAtMs: Date.UTC(2026, 10, 14, 23, 0, 2) };
    const batch = push('funding', [{ v: '0.0001', t: Date.UTC(2026, 10, 14, 22, 59, 5) }], 'BTCUSD-PERP', at);
    assert.deepEqual(batch.fundingQuotes, []);
    assert.equal(batch.ignored.get('rate of a settlement that has passed'), 1);
  });

  test('a rate of 0 is a value; a row without a rate or a time is rejected', () => {
    const t = RECEIVED_AT_MS;
    assert.equal(push('funding', [{ v: '0', t }]).fundingQuotes[0]?.ratePct, 0);
    assert.equal(push('funding', [{ v: null, t }]).rejected[0]?.reason, 'no rate');
    assert.equal(push('funding', [{ v: '0.1', t: 0 }]).rejected[0]?.reason, 'no time');
  });

  test('a refused channel costs its contract only; a refusal without one reconnects', () => {
    const refused = {
      id: 1,
      method: 'subscribe',
      code: 40003,
      channel: 'ticker.OLDUSD-PERP',
      message: 'Unknown',
    };
    assert.deepEqual(session.receive(refused, context).batch.rejected, [
      { venueSymbol: 'OLDUSD-PERP', reason: 'subscription refused' },
    ]);
    assert.throws(() => session.receive({ id: 9, method: 'subscribe', code: 40107 }, context), BadReply);
  });

  test('an acknowledgement says nothing', () => {
    const { batch, replies } = session.receive({ id: 1, method: 'subscribe', code: 0 }, context);
    assert.deepEqual([batch.bookTops, batch.fundingQuotes, batch.rejected, replies], [[], [], [], undefined]);
  });
});

suite('CryptoCom prints and books', () => {
  const NEWEST_MS = Date.UTC(2026, 10, 14, 22);
  const points = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ v: '-0.000004992', t: NEWEST_MS - i * HOUR_MS }));
  const page = (data: unknown, fromMs = 0, instrument_name = 'BTCUSD-PERP') =>
    parseHistory(ok({ data, instrument_name }), bitcoin, { fromMs, toMs: NEWEST_MS });

  test('a print is a fraction of one hour', () => {
    assert.deepEqual(page(points(1)).settlements, [
      { venueSymbol: 'BTCUSD-PERP', ratePct: -0.0004992, settledAtMs: NEWEST_MS },
    ]);
  });

  test('a page of the default size may be cut, so the walk goes on before its oldest row', () => {
    assert.deepEqual(page(points(25)).next, { fromMs: 0, toMs: NEWEST_MS - 24 * HOUR_MS - 1 });
    assert.equal(page(points(24)).next, null);
    assert.equal(page(points(25), NEWEST_MS - 24 * HOUR_MS).next, null);
    const oldestFirst = page(points(25).toReversed(), NEWEST_MS - 30 * HOUR_MS).next;
    assert.equal(oldestFirst, null);
  });

  test('prints of another contract are a bad reply; a row without a rate is rejected', () => {
    assert.throws(() => page(points(1), 0, 'ETHUSD-PERP'), BadReply);
    assert.equal(page([{ v: '', t: NEWEST_MS }]).rejected[0]?.reason, 'no rate or time');
  });

  test('a book counts base units; that of another contract is refused', () => {
    const data = [{ bids: [['100', '1', '2']], asks: [['101', '3', '1']], t: NEWEST_MS }];
    const depth = parseBook(ok({ data, instrument_name: 'BTCUSD-PERP' }), bitcoin);
    assert.deepEqual([depth.bids, depth.asks, depth.venueTimeMs], [[[100, 1]], [[101, 3]], NEWEST_MS]);
    assert.throws(() => parseBook(ok({ data, instrument_name: 'ETHUSD-PERP' }), bitcoin), BadReply);
  });
});

asSent('cryptocom', {}, (sent) => {
  test('contracts: the perpetual; spot and a dated future are ignored', () => {
    const batch = parseInstruments(sent('instruments'));
    assert.deepEqual(
      batch.contractList?.contracts.map((c) => [c.venueSymbol, c.base, c.quote, c.maxLeverage, c.assetClass]),
      [['RUNEUSD-PERP', 'RUNE', 'USD', 50, 'crypto']],
    );
    assert.equal(batch.ignored.get('not a perpetual'), 2);
  });

  test('tickers: dollars of turnover, coins of open interest', () => {
    const avalanche = new Map([['AVAXUSD-PERP', fakeContract('AVAXUSD-PERP')]]);
    const batch = parseTickers(sent('tickers'), { receivedAtMs: RECEIVED_AT_MS, contracts: avalanche });
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 14_017.33);
    // 10,888.9 AVAX × 13.209.
    assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(2), '143831.48');
  });

  test('a settled rate and a book', () => {
    const page = parseHistory(sent('history'), bitcoin, { fromMs: 0, toMs: RECEIVED_AT_MS });
    assert.deepEqual(page.settlements, [
      { venueSymbol: 'BTCUSD-PERP', ratePct: -0.0001884, settledAtMs: Date.UTC(2023, 5, 27, 19) },
    ]);
    const depth = parseBook(sent('book'), fakeContract('BTC_USD'));
    assert.deepEqual(
      [depth.bids[0], depth.asks[0]],
      [
        [30_025, 0.00004],
        [30_025.01, 0.0409],
      ],
    );
  });

  test('pushes: the rate of the hour that ends at 23:00, a top, and the answer to a heartbeat', () => {
    const session = tickersAndFunding.open([bitcoin]);
    const at = { receivedAtMs: 1_790_114_526_000, contracts };
    const [quote] = session.receive(sent('fundingPush'), at).batch.fundingQuotes;
    assert.deepEqual([quote?.ratePct, quote?.nextFundingAtMs], [-0.0004992, Date.UTC(2026, 8, 22, 23)]);
    const [top] = session.receive(sent('tickerPush'), at).batch.bookTops;
    assert.deepEqual([top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize], [51_170, 0.1, 51_180, 0.2]);
    const { replies } = session.receive(sent('heartbeat'), at);
    assert.deepEqual(
      replies?.map((text) => JSON.parse(text)),
      [{ id: 1_790_114_291_578, method: 'public/respond-heartbeat' }],
    );
  });
});

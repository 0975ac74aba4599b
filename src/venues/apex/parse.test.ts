// There are no recordings of this venue in the shared folder; the fixtures have the shape of replies of 2026-09-13.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol } from '../../../test/support/as-sent.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import { parseDepth, parseFunding, parseSymbols, parseTickers } from './parse.ts';
import { apex } from './venue.ts';

const NEXT_MS = Date.UTC(2026, 10, 14, 10);
const config = (base: string, fields: object = {}) => ({
  crossSymbolName: `${base}USDT`,
  symbol: `${base}-USDT`,
  baseTokenId: base,
  settleAssetId: 'USDT',
  displayMaxLeverage: '100',
  enableDisplay: true,
  enableOpenPosition: true,
  enableTrade: true,
  isPrelaunch: false,
  minOrderSize: '0.001',
  ...fields,
});
const symbols = (coins: unknown[], traditional: unknown[] = []) =>
  parseSymbols({
    data: {
      contractConfig: { perpetualContract: coins, stockContract: traditional, predictionContract: [] },
    },
  });
const OFF = { enableDisplay: false, enableOpenPosition: false };
const contracts = contractsOf(
  symbols(
    [
      config('BTC', { category: 'L1' }),
      config('1000PEPE'),
      config('IO', OFF),
      config('TON', { ...OFF, enableTrade: false }),
      config('SOON', { isPrelaunch: true }),
    ],
    [
      config('SPCX', { category: 'STOCK' }),
      config('XAU', { category: 'COMMODITY' }),
      config('SPY', { category: 'INDEX' }),
      config('SOXL'),
    ],
  ),
);
const context = { receivedAtMs: NEXT_MS - 60_000, contracts };
const contractOf = (base: string): Contract => {
  const contract = contracts.get(`${base}USDT`);
  if (!contract) throw new Error(`no ${base}`);
  return contract;
};
const btc = contractOf('BTC');
const reasonsOf = (batch: { rejected: { reason: string }[] }) => batch.rejected.map(({ reason }) => reason);

suite('ApeX symbols', () => {
  test('base units, whatever the smallest order is; hourly; two spellings', () => {
    const { base, quote, settle, contractSize, venueSymbol, venueId, intervalHours, maxLeverage } = btc;
    assert.deepEqual(
      [base, quote, settle, contractSize, venueSymbol, venueId, intervalHours, maxLeverage],
      ['BTC', 'USDT', 'USDT', 1, 'BTCUSDT', 'BTC-USDT', 1, 100],
    );
    assert.equal(contractOf('1000PEPE').base, '1000PEPE');
  });

  test('three switches: all on is open, only trading left is ending, none is over; a prelaunch is not open', () => {
    assert.deepEqual(
      ['BTC', 'IO', 'TON', 'SOON'].map((base) => contractOf(base).status),
      ['trading', 'delisting', 'delisted', 'preopen'],
    );
  });

  test('switches that no source shows together never make a contract live, nor lose it', () => {
    const statusOf = (enableTrade: boolean, enableDisplay: boolean, enableOpenPosition: boolean) =>
      symbols([config('A', { enableTrade, enableDisplay, enableOpenPosition })]).contractList?.contracts[0]
        ?.status;
    assert.deepEqual(
      [
        statusOf(true, true, false),
        statusOf(true, false, true),
        statusOf(false, true, true),
        statusOf(false, true, false),
        statusOf(false, false, true),
      ],
      ['delisting', 'halted', 'halted', 'halted', 'delisted'],
    );
  });

  test('classes: coins by their list, others by category, and without one traditional', () => {
    assert.deepEqual(
      ['BTC', 'SPCX', 'XAU', 'SPY', 'SOXL'].map((base) => contractOf(base).assetClass),
      ['crypto', 'stock', 'commodity', 'index', 'stock'],
    );
  });

  test('bad row: a switch that is no flag', () => {
    assert.deepEqual(reasonsOf(symbols([config('A', { enableTrade: null })])), ['unknown status  true true']);
  });

  test('bad row: no symbol for the history', () => {
    assert.deepEqual(reasonsOf(symbols([config('A', { symbol: '' }), config('B')])), ['no symbol']);
  });

  test('bad row: no base', () => {
    assert.deepEqual(reasonsOf(symbols([], [config('A', { baseTokenId: null })])), ['no base or quote']);
  });

  test('an error has HTTP status 200 and no data: it is a bad reply', () => {
    const refused = { code: 3, msg: 'invalid symbol', key: 'INVALID_SYMBOL' };
    assert.throws(() => parseSymbols(refused), BadReply);
    assert.throws(() => parseTickers(refused, context), BadReply);
    assert.throws(() => parseDepth(refused, btc), BadReply);
    assert.throws(() => parseFunding(refused, btc, { fromMs: 0, toMs: 1 }), BadReply);
  });
});

suite('ApeX tickers', () => {
  const ticker = (symbol: string, fields: object = {}) => ({
    symbol,
    fundingRate: '-0.00001042',
    predictedFundingRate: '0.0000125',
    nextFundingTime: '2026-11-14T10:00:00Z',
    markPrice: '100',
    indexPrice: '99',
    lastPrice: '101',
    openInterest: '3',
    turnover24h: '700',
    volume24h: '7',
    ...fields,
  });
  const parse = (...rows: unknown[]) => parseTickers({ data: rows }, context);

  test('the rate is fundingRate, not the predicted one, which is the interest alone', () => {
    const [quote] = parse(ticker('BTCUSDT')).fundingQuotes;
    assert.deepEqual([quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs], [-0.001042, 1, NEXT_MS]);
  });

  test('open interest is in coins, the turnover in USDT', () => {
    const { marketFigures, dayVolumes } = parse(ticker('BTCUSDT'));
    assert.deepEqual(
      [marketFigures[0]?.openInterestUsdt, dayVolumes[0]?.volume24hUsdt, dayVolumes[0]?.volumeCount],
      [300, 700, 7],
    );
  });

  test('events and contracts that are over have rows, which are left out', () => {
    const batch = parse(ticker('TONUSDT', { nextFundingTime: '' }), ticker('WIN2028USDT'));
    assert.deepEqual(batch.rejected, []);
    assert.deepEqual(
      [...batch.ignored],
      [
        ['not open', 1],
        ['not in the contract list', 1],
      ],
    );
  });

  test('bad row: no rate', () => {
    assert.deepEqual(reasonsOf(parse(ticker('BTCUSDT', { fundingRate: '' }))), ['no rate']);
  });

  test('bad row: a next settlement without a date', () => {
    assert.deepEqual(reasonsOf(parse(ticker('BTCUSDT', { nextFundingTime: '10:00:00' }))), [
      'no next settlement',
    ]);
  });

  test('bad row: no turnover; the others stay', () => {
    const batch = parse(ticker('BTCUSDT', { turnover24h: null }), ticker('SPCXUSDT'));
    assert.deepEqual(reasonsOf(batch), ['no volume']);
    assert.equal(batch.dayVolumes.length, 1);
  });
});

suite('ApeX books', () => {
  const depth = (fields: object = {}) => ({
    data: {
      a: [
        ['101', '5'],
        ['102', '1'],
      ],
      b: [['99', '2']],
      s: 'BTCUSDT',
      u: 7,
      ...fields,
    },
  });

  test('one reply gives the top and the book, in base units', () => {
    const { bookTops, depths } = parseDepth(depth(), btc);
    assert.deepEqual([bookTops[0]?.bidPrice, bookTops[0]?.bidSize, bookTops[0]?.askSize], [99, 2, 5]);
    assert.equal(depths[0]?.asks.length, 2);
  });

  test('bad books: an empty side and a crossed one give neither', () => {
    for (const [fields, reason] of [
      [{ a: [] }, 'no bid or ask'],
      [{ b: [['101', '1']] }, 'crossed book'],
    ] as const) {
      const batch = parseDepth(depth(fields), btc);
      assert.deepEqual([reasonsOf(batch), batch.bookTops, batch.depths], [[reason], [], []]);
    }
  });

  test('books and history have budgets of their own, together the 600 calls a minute that the venue allows', async () => {
    const sent: VenueRequest[] = [];
    const send = async (request: VenueRequest) => {
      sent.push(request);
      return { payload: depth(), receivedAtMs: NEXT_MS };
    };
    const books = apex.polls.find(({ name }) => name === 'depth');
    assert.ok(books?.kind === 'each');
    await books.collect(btc, { send, contracts });
    assert.equal(sent[0]?.budget, 'books');
    const capacities = Object.values(apex.budgets).map(({ capacity }) => capacity);
    assert.equal(
      capacities.reduce((sum, capacity) => sum + capacity),
      600,
    );
  });
});

suite('ApeX settled history', () => {
  const window = { fromMs: NEXT_MS - 500 * HOUR_MS, toMs: NEXT_MS };
  const row = (hoursAgo: number, fields: object = {}) => ({
    symbol: 'BTC-USDT',
    rate: '0.0000125',
    fundingTime: NEXT_MS - hoursAgo * HOUR_MS,
    ...fields,
  });
  const parse = (historyFunds: unknown[]) => parseFunding({ data: { historyFunds } }, btc, window);

  test('a full page continues before its oldest row, a shorter one is the last', () => {
    const full = parse(Array.from({ length: 100 }, (_, i) => row(i + 1)));
    assert.deepEqual(full.next, { fromMs: window.fromMs, toMs: NEXT_MS - 100 * HOUR_MS - 1 });
    assert.equal(full.settlements[0]?.ratePct, 0.00125);
    assert.equal(parse([row(1)]).next, null);
  });

  test('bad rows: another contract, no rate', () => {
    assert.deepEqual(reasonsOf(parse([row(1, { symbol: 'ETH-USDT' }), row(2, { rate: null })])), [
      'no rate or time',
      'no rate or time',
    ]);
  });

  test('is requested in the spelling with a dash, up to and with the last millisecond', async () => {
    const sent: VenueRequest[] = [];
    const send = async (request: VenueRequest) => {
      sent.push(request);
      return { payload: { data: { historyFunds: [] } }, receivedAtMs: NEXT_MS };
    };
    await apex.settlements(btc, window, { send, contracts });
    assert.deepEqual(sent[0]?.query, {
      symbol: 'BTC-USDT',
      limit: 100,
      beginTimeInclusive: window.fromMs,
      endTimeExclusive: window.toMs + 1,
    });
  });
});

asSent('apex', {}, (reply) => {
  const list = parseSymbols(reply('symbols'));
  const sent = { receivedAtMs: Date.UTC(2026, 8, 13, 22, 59), contracts: contractsOf(list) };

  test('the lists: coins, a coin on gold, one that has ended, a share, gold, a fund', () => {
    assert.deepEqual(
      [...sent.contracts.values()].map(({ base, assetClass, status }) => [base, assetClass, status]),
      [
        ['BTC', 'crypto', 'trading'],
        ['1000PEPE', 'crypto', 'trading'],
        ['PAXG', 'crypto', 'trading'],
        ['TON', 'crypto', 'delisted'],
        ['SPCX', 'stock', 'trading'],
        ['XAU', 'commodity', 'trading'],
        ['SPY', 'index', 'trading'],
      ],
    );
    assert.deepEqual(list.rejected, []);
  });

  test('rates and figures of BTC and SpaceX', () => {
    const batch = parseTickers(reply('tickers'), sent);
    assert.deepEqual(batch.rejected, []);
    const quote = rowOfSymbol(batch.fundingQuotes, 'BTCUSDT');
    assert.deepEqual([quote.ratePct, quote.nextFundingAtMs], [-0.002065, Date.UTC(2026, 8, 13, 23)]);
    assert.equal(rowOfSymbol(batch.fundingQuotes, 'SPCXUSDT').ratePct, 0.00125);
    // 1,578.334 × 76,737.49
    const { openInterestUsdt } = rowOfSymbol(batch.marketFigures, 'BTCUSDT');
    assert.equal(Math.round(openInterestUsdt ?? 0), 121_117_390);
    assert.equal(rowOfSymbol(batch.dayVolumes, 'BTCUSDT').volume24hUsdt, 565_416_965.9734);
  });

  test('prints and a book of BTC', () => {
    const contract = sent.contracts.get('BTCUSDT');
    assert.ok(contract);
    const window = { fromMs: Date.UTC(2026, 8, 13), toMs: Date.UTC(2026, 8, 14) };
    assert.deepEqual(
      parseFunding(reply('history'), contract, window).settlements.map(({ ratePct, settledAtMs }) => [
        ratePct,
        settledAtMs,
      ]),
      [
        [0.000748, Date.UTC(2026, 8, 13, 22)],
        [0.000779, Date.UTC(2026, 8, 13, 21)],
      ],
    );
    const [top] = parseDepth(reply('depth'), contract).bookTops;
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize],
      [96565.2, 0.131, 96576.3, 0.399],
    );
  });
});

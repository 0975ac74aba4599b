import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowOfSymbol, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { BadReply } from '../reading.ts';
import { parseBookTicker, parseFundingHistory, parseFutures, parseMarkets, parseOrderbook } from './parse.ts';
import { bookTicker } from './stream.ts';
import { whitebit } from './venue.ts';

const NOW_MS = 1_790_113_000_000;
const ENDS_AT_MS = Date.UTC(2026, 8, 23, 9, 30);

const markets: unknown = JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/markets.json`, 'utf8'));

const future = (ticker_id: string, fields: object = {}) => ({
  ticker_id,
  stock_currency: ticker_id.split('_')[0],
  money_currency: 'USDT',
  last_price: '86170.1',
  stock_volume: '1000.5',
  money_volume: '86211234.5',
  bid: '86168.3',
  ask: '86168.4',
  product_type: 'Perpetual',
  open_interest: '6000',
  index_price: '86224.5',
  mark_price: '86167.8',
  funding_rate: '0.00006382',
  next_funding_rate_timestamp: '1790121600000',
  funding_interval_minutes: 480,
  funding_cap: '0.00375',
  max_leverage: 100,
  ...fields,
});

const futures = (...result: unknown[]) => ({ success: true, message: null, result });

const listed = parseMarkets({
  markets,
  futures: futures(future('BTC_PERP'), future('PEPE_PERP', { max_leverage: 50 }), null, future('TSLA_PERP')),
});
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: NOW_MS, contracts };
const contractOf = (venueSymbol: string) => {
  const contract = contracts.get(venueSymbol);
  assert.ok(contract, venueSymbol);
  return contract;
};

suite('WhiteBIT contracts', () => {
  test('both kinds of perpetuals are taken, spot is ignored, bad rows are rejected with a reason', () => {
    assert.equal(contracts.size, 8);
    assert.deepEqual([...listed.ignored], [['spot', 1]]);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODD_PERP', reason: 'unknown type options' },
      { venueSymbol: 'NONE_PERP', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no name' },
    ]);
  });

  test('delistedAt is a time in seconds to come: the contract trades on and is ending', () => {
    assert.deepEqual(
      [contractOf('STG_PERP').status, contractOf('STG_PERP').delistsAtMs],
      ['delisting', ENDS_AT_MS],
    );
    assert.deepEqual([contractOf('BTC_PERP').status, contractOf('BTC_PERP').delistsAtMs], ['trading', null]);
    assert.equal(contractOf('HALT_PERP').status, 'halted');
  });

  test('sizes are base units: stockPrec is the order step, not a contract size', () => {
    assert.deepEqual([contractOf('BTC_PERP').contractSize, contractOf('PEPE_PERP').contractSize], [1, 1]);
    assert.equal(contractOf('BTC_PERP').settle, 'USDT');
  });

  test('leverage comes from the other list and is unknown without its row', () => {
    const leverages = ['BTC_PERP', 'PEPE_PERP', 'STG_PERP'].map((name) => contractOf(name).maxLeverage);
    assert.deepEqual(leverages, [100, 50, null]);
  });

  test('traditional perpetuals are no coins: metals, stocks and currencies', () => {
    const classes = ['XAU_PERP', 'TSLA_PERP', 'EURUSD_PERP', 'PAXG_PERP'].map(
      (name) => contractOf(name).assetClass,
    );
    assert.deepEqual(classes, ['commodity', 'stock', 'forex', 'crypto']);
  });

  test('an error body, also that of a refused region, is no empty list', () => {
    const refused = {
      success: false,
      message: 'Margin trading is not available in your country.',
      errors: [],
    };
    assert.throws(() => parseMarkets({ markets: refused, futures: futures() }), BadReply);
    assert.throws(() => parseFutures(refused, context), BadReply);
  });
});

suite('WhiteBIT rates and figures', () => {
  const batch = parseFutures(
    futures(
      future('BTC_PERP'),
      future('PEPE_PERP', { funding_rate: '-0.0002', funding_interval_minutes: 240, funding_cap: '0.02' }),
      future('STG_PERP', { mark_price: '', index_price: '0', last_price: '0.15', funding_rate: '0' }),
      future('HALT_PERP', { funding_rate: '', money_volume: '5' }),
      future('NEW_PERP'),
    ),
    context,
  );
  const by = <T extends { venueSymbol: string }>(rows: T[]) =>
    new Map(rows.map((row) => [row.venueSymbol, row]));
  const quotes = by(batch.fundingQuotes);
  const figures = by(batch.marketFigures);

  test('a rate is a fraction of its own interval, given in minutes; 0 is a rate', () => {
    assert.deepEqual(
      ['BTC_PERP', 'PEPE_PERP', 'STG_PERP'].map((name) => [
        quotes.get(name)?.ratePct,
        quotes.get(name)?.intervalHours,
      ]),
      [
        [0.006382, 8],
        [-0.02, 4],
        [0, 8],
      ],
    );
    assert.equal(quotes.get('BTC_PERP')?.nextFundingAtMs, Date.UTC(2026, 8, 23));
  });

  test('the bulk list has bid and ask without sizes: no top is made of them', () => {
    assert.deepEqual(batch.bookTops, []);
  });

  test('turnover is that in USDT, open interest is coins times the mark', () => {
    assert.equal(by(batch.dayVolumes).get('BTC_PERP')?.volume24hUsdt, 86_211_234.5);
    assert.equal(figures.get('BTC_PERP')?.openInterestUsdt, 6000 * 86_167.8);
    assert.deepEqual(
      [figures.get('BTC_PERP')?.markPrice, figures.get('BTC_PERP')?.indexPrice],
      [86_167.8, 86_224.5],
    );
  });

  test('an empty mark and an index of 0 are unknown, and open interest with the mark', () => {
    assert.equal(figures.get('STG_PERP'), undefined);
    assert.equal(by(batch.dayVolumes).get('STG_PERP')?.referencePrice, null);
  });

  test('a row without a rate keeps its volume and is counted; an unknown market costs nothing', () => {
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'HALT_PERP', reason: 'no rate' }]);
    assert.equal(by(batch.dayVolumes).get('HALT_PERP')?.volume24hUsdt, 5);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });
});

suite('WhiteBIT history and books', () => {
  const window = { fromMs: Date.UTC(2026, 8, 1), toMs: Date.UTC(2026, 8, 22) };
  const print = (settledAtMs: number, fundingRate = '0.0001') => ({
    fundingTime: String(settledAtMs / 1000),
    fundingRate,
    market: 'BTC_PERP',
    settlementPrice: '86000',
    rateCalculatedTime: String(settledAtMs / 1000 - 28_800),
  });

  test('prints are in seconds: fundingTime is the settlement, rateCalculatedTime an interval before it', () => {
    const at = Date.UTC(2026, 8, 21, 16);
    const page = parseFundingHistory([print(at, '-0.00010702')], contractOf('BTC_PERP'), window);
    assert.deepEqual(page, {
      settlements: [{ venueSymbol: 'BTC_PERP', ratePct: -0.010702, settledAtMs: at }],
      rejected: [],
      next: null,
    });
  });

  test('E3: a full page continues before its oldest print, whatever the interval', () => {
    const times = Array.from({ length: 100 }, (_, i) => window.toMs - i * 4 * 3_600_000);
    const page = parseFundingHistory(
      times.map((at) => print(at)),
      contractOf('BTC_PERP'),
      window,
    );
    assert.equal(page.settlements.length, 100);
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: (times.at(-1) ?? 0) - 1 });
  });

  test('the window is requested in whole seconds inside it', async () => {
    let query: Record<string, unknown> | undefined;
    const send = async (request: { query?: Record<string, unknown> }) => {
      query = request.query;
      return { payload: [], receivedAtMs: NOW_MS };
    };
    await whitebit.settlements(
      contractOf('BTC_PERP'),
      { fromMs: 1_790_000_000_001, toMs: 1_790_086_400_999 },
      {
        send,
        contracts,
      },
    );
    assert.deepEqual(query, { startDate: 1_790_000_001, endDate: 1_790_086_400, limit: 100 });
  });

  test('a book has base units and its time in seconds; a side that is null is empty', () => {
    const book = {
      ticker_id: 'BTC_PERP',
      timestamp: 1_790_113_000,
      asks: [['2', '0.013']],
      bids: [['1', '3']],
    };
    assert.deepEqual(parseOrderbook(book, contractOf('BTC_PERP')), {
      venueSymbol: 'BTC_PERP',
      bids: [[1, 3]],
      asks: [[2, 0.013]],
      venueTimeMs: 1_790_113_000_000,
    });
    assert.deepEqual(parseOrderbook({ ...book, asks: null }, contractOf('BTC_PERP')).asks, []);
  });
});

suite('WhiteBIT stream', () => {
  const row = [
    1_790_113_236.87,
    1_790_113_268.25,
    'BTC_PERP',
    24_268_451_852,
    '86168.3',
    '0.013',
    '86168.4',
    '0.5',
  ];

  test('a top is read by position: message time in seconds, sizes in base units', () => {
    assert.deepEqual(parseBookTicker([row], context).bookTops, [
      {
        venueSymbol: 'BTC_PERP',
        bidPrice: 86_168.3,
        bidSize: 0.013,
        askPrice: 86_168.4,
        askSize: 0.5,
        venueTimeMs: 1_790_113_268_250,
      },
    ]);
    assert.deepEqual(parseBookTicker([7], context).rejected, [{ venueSymbol: null, reason: 'no market' }]);
  });

  test('one market that does not exist any more does not cost the others their tops', () => {
    const session = bookTicker.open([contractOf('BTC_PERP'), contractOf('STG_PERP')]);
    const paramsOf = (text: string | undefined) => JSON.parse(text ?? '{}').params;
    assert.deepEqual(paramsOf(session.opening[0]), ['BTC_PERP', 'STG_PERP']);
    const refusal = { error: { code: 9, message: 'market STG_PERP does not exist' }, result: null, id: 1 };
    const { batch, replies } = session.receive(refusal, context);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'STG_PERP', reason: 'subscription refused' }]);
    assert.deepEqual(paramsOf(replies?.[0]), ['BTC_PERP']);
    const push = { method: 'bookTicker_update', params: [row], id: null };
    assert.equal(session.receive(push, context).batch.bookTops.length, 1);
  });

  test('pongs and confirmations are no data; any other refusal makes the collector reconnect', () => {
    const session = bookTicker.open([contractOf('BTC_PERP')]);
    assert.deepEqual(session.receive({ error: null, result: 'pong', id: 1 }, context).batch.bookTops, []);
    const refusal = { error: { code: 1, message: 'invalid argument' }, result: null, id: 1 };
    assert.throws(() => session.receive(refusal, context), BadReply);
  });
});

asSent(
  'whitebit',
  {
    markets: () => ccxtInstruments('whitebit'),
    futures: () => sample('whitebit', 'V4__ExchangeData__GetFuturesSymbols.txt'),
    fundingHistory: () => sample('whitebit', 'V4__ExchangeData__GetFundingHistory.txt'),
    orderbook: () => sample('whitebit', 'V4__ExchangeData__GetOrderBook.txt'),
  },
  (sent) => {
    const recorded = parseMarkets({ markets: sent('markets'), futures: sent('futures') });
    const known = contractsOf(recorded);
    const bitcoin = rowOfSymbol([...known.values()], 'BTC_PERP');

    test('markets: perpetuals in base units, whatever stockPrec says; spot is left out', () => {
      assert.deepEqual(recorded.rejected, []);
      assert.deepEqual(
        rowsOf([...known.values()], 'BTC_PERP', 'DOGE_PERP').map((c) => [c.base, c.quote, c.contractSize]),
        [
          ['BTC', 'USDT', 1],
          ['DOGE', 'USDT', 1],
        ],
      );
      assert.deepEqual([bitcoin.maxLeverage, known.has('BTC_USDT')], [100, false]);
    });

    test('futures: a fraction, a time in milliseconds, turnover in USDT; without a mark price no open interest', () => {
      const batch = parseFutures(sent('futures'), { receivedAtMs: NOW_MS, contracts: known });
      assert.deepEqual(batch.rejected, []);
      assert.deepEqual(batch.fundingQuotes, [
        {
          venueSymbol: 'BTC_PERP',
          ratePct: 0.0044889033693137,
          nextFundingAtMs: Date.UTC(2022, 7, 16, 16),
          intervalHours: null,
          venueTimeMs: null,
        },
      ]);
      // The turnover agrees with its coins: 196,965.591 BTC at about 24,054.
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 4_737_879_075.7817);
      const [figures] = batch.marketFigures;
      assert.deepEqual([figures?.openInterestUsdt, figures?.indexPrice], [null, 24_019.25]);
    });

    test('settled rates in seconds, and a book', () => {
      const page = parseFundingHistory(sent('fundingHistory'), bitcoin, { fromMs: 0, toMs: NOW_MS });
      assert.deepEqual(
        page.settlements.map((settlement) => [settlement.ratePct, settlement.settledAtMs]),
        [
          [-0.01229, Date.UTC(2025, 6, 15)],
          [-0.01306, Date.UTC(2025, 6, 14, 16)],
        ],
      );
      const depth = parseOrderbook(sent('orderbook'), bitcoin);
      assert.deepEqual([depth.bids, depth.asks], [[[9181.19, 0.010873]], [[9184.41, 0.773162]]]);
    });
  },
);

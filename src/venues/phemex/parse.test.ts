import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import { fundingSymbolOf, parseProducts, priceScaleOf } from './contracts.ts';
import {
  parseCoinMarginedTickers,
  parseFundingHistory,
  parseFundingRates,
  parseOrderBook,
  parseTickers,
} from './parse.ts';
import { bookTops } from './stream.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const RECEIVED_AT_MS = 1_794_697_200_500;
const listed = parseProducts(fixture('products-plus'), RECEIVED_AT_MS);
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

const REFUSED = { error: { code: 6001, message: 'invalid argument' }, id: null, result: null };
const found = (result: unknown) => ({ error: null, id: 0, result });

suite('Phemex contracts', () => {
  test('perpetuals of both models are taken; spot, ended and USD-settled ones ignored; bad rows rejected', () => {
    assert.deepEqual(
      [...contracts.keys()],
      [
        'BTCUSDT',
        'u1000PEPEUSDT',
        'SOLUSDC',
        'XAUUSDT',
        'TSLAUSDT',
        'LEAVEUSDT',
        'SOONUSDT',
        'BTCUSD',
        'cADAUSD',
      ],
    );
    assert.deepEqual(Object.fromEntries(listed.ignored), {
      Spot: 1,
      delisted: 1,
      'old model settled in USD': 1,
    });
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYSTUSDT', reason: 'unknown status Sleeping' },
      { venueSymbol: 'NOBASEUSDT', reason: 'no base' },
      { venueSymbol: 'NOQUOTE', reason: 'no quote or settlement currency' },
      { venueSymbol: null, reason: 'no symbol' },
      { venueSymbol: 'cODDUSD', reason: 'no contract size' },
    ]);
  });

  test('a coin-margined contract is inverse with its settlement coin as base and a face value of 1 USD', () => {
    for (const [symbol, coin] of [
      ['BTCUSD', 'BTC'],
      ['cADAUSD', 'ADA'],
    ] as const) {
      const { base, quote, settle, isInverse, contractSize } = contractOf(symbol);
      assert.deepEqual([base, quote, settle, isInverse, contractSize], [coin, 'USD', coin, true, 1]);
    }
  });

  test('USDT and USDC contracts are linear with sizes in base units', () => {
    for (const [symbol, settle] of [
      ['BTCUSDT', 'USDT'],
      ['SOLUSDC', 'USDC'],
    ] as const) {
      const contract = contractOf(symbol);
      assert.deepEqual([contract.settle, contract.isInverse, contract.contractSize], [settle, false, 1]);
    }
  });

  test('a multiplied base loses the space it is spelled with, and the symbol keeps its u', () => {
    assert.equal(contractOf('u1000PEPEUSDT').base, '1000PEPE');
  });

  test('the timeline holds the listing and the scheduled delisting', () => {
    assert.equal(contractOf('BTCUSDT').listedAtMs, 1_668_470_400_000);
    assert.equal(contractOf('BTCUSDT').delistsAtMs, null);
    const leaving = contractOf('LEAVEUSDT');
    assert.deepEqual([leaving.status, leaving.delistsAtMs], ['delisting', 1_794_996_000_000]);
    const coming = contractOf('SOONUSDT');
    assert.deepEqual([coming.status, coming.listedAtMs], ['preopen', 1_795_000_000_000]);
  });

  test('stocks and metals are separated from coins', () => {
    assert.equal(contractOf('TSLAUSDT').assetClass, 'stock');
    assert.equal(contractOf('XAUUSDT').assetClass, 'commodity');
    assert.equal(contractOf('BTCUSDT').assetClass, 'crypto');
  });

  test('OPENAI and ANTHROPIC are PreMarket products on companies, not coins; SPYX is a fund', () => {
    const classOf = (base: string, perpProductSubType: string) => {
      const row = { symbol: `${base}USDT`, type: 'PerpetualV2', status: 'Listed', perpProductSubType };
      const money = { quoteCurrency: 'USDT', settleCurrency: 'USDT', baseCurrency: base };
      const data = { perpProductsV2: [{ ...row, ...money }], products: [] };
      return parseProducts({ code: 0, data }, 0).contractList?.contracts[0]?.assetClass;
    };
    assert.deepEqual(
      [
        classOf('OPENAI', 'PreMarket'),
        classOf('ANTHROPIC', 'PreMarket'),
        classOf('SPYX', 'TradFi'),
        classOf('NG', 'TradFi'),
        classOf('PAXG', 'Normal'),
      ],
      ['stock', 'stock', 'stock', 'commodity', 'crypto'],
    );
  });

  test('the interval of the list is in hours or in seconds, so it is not read at all', () => {
    for (const contract of contracts.values()) assert.equal(contract.intervalHours, null);
  });

  test('settled rates have a symbol of their own, with or without the product list', () => {
    assert.equal(fundingSymbolOf(contractOf('BTCUSDT')), '.BTCUSDTFR8H');
    assert.equal(fundingSymbolOf(contractOf('cADAUSD')), '.cADAFR8H');
    const {
      priceScale: _,
      fundingSymbol: __,
      ...bare
    } = { priceScale: 0, fundingSymbol: '', ...contractOf('BTCUSD') };
    assert.equal(fundingSymbolOf(bare), '.BTCFR8H');
    assert.equal(priceScaleOf(bare), 4);
  });

  test('an error code or another shape is a bad reply, not an empty list', () => {
    assert.throws(() => parseProducts({ code: 10500, msg: 'please try again later' }, 0), BadReply);
    assert.throws(() => parseProducts({ code: 0, data: { products: [] } }, 0), BadReply);
    assert.throws(() => parseFundingRates({ code: 10500 }, context), BadReply);
    assert.throws(() => parseTickers(REFUSED, context), BadReply);
    assert.throws(() => parseOrderBook(REFUSED, contractOf('BTCUSDT')), BadReply);
  });
});

suite('Phemex funding', () => {
  const page = parseFundingRates(fixture('real-funding-rates'), context);
  const quotes = new Map(page.batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));

  test('rates of both models are fractions, in percent without float noise; zero is a value', () => {
    assert.equal(quotes.get('BTCUSDT')?.ratePct, 0.01);
    assert.equal(quotes.get('u1000PEPEUSDT')?.ratePct, -0.000326);
    assert.equal(quotes.get('BTCUSD')?.ratePct, 0);
  });

  test('the interval is in seconds and per contract; the next settlement is a time, not the time left', () => {
    assert.equal(quotes.get('BTCUSDT')?.intervalHours, 8);
    assert.equal(quotes.get('u1000PEPEUSDT')?.intervalHours, 4);
    assert.equal(quotes.get('BTCUSDT')?.nextFundingAtMs, 1_794_700_800_000);
  });

  test('a row without schedule keeps both unknown, never 8', () => {
    assert.deepEqual(
      [quotes.get('SOLUSDC')?.intervalHours, quotes.get('SOLUSDC')?.nextFundingAtMs],
      [null, null],
    );
  });

  test('one new symbol and one bad row never lose the rest of the reply', () => {
    assert.equal(page.batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(page.batch.rejected, [{ venueSymbol: 'XAUUSDT', reason: 'no rate' }]);
    assert.deepEqual([page.rowCount, page.total], [6, 6]);
  });

  test('the bare list of the documentation is read too', () => {
    const bare = parseFundingRates(
      [{ symbol: 'BTCUSDT', fundingRate: '0.00001369', fundingInterval: 28800 }],
      context,
    );
    assert.equal(bare.batch.fundingQuotes[0]?.ratePct, 0.001369);
    assert.equal(bare.total, 1);
  });

  test('prints belong to the requested contract; a full page continues after its newest print', () => {
    const rows = [1_794_672_000_000, 1_794_686_400_000].map((fundingTime) => ({
      symbol: '.BTCUSDTFR8H',
      fundingRate: '0.00007058',
      fundingTime,
      intervalSeconds: 14_400,
    }));
    const window = { fromMs: 1_794_600_000_000, toMs: 1_794_700_000_000 };
    const reply = { code: 0, msg: 'OK', data: { rows } };
    const full = parseFundingHistory(reply, contractOf('BTCUSDT'), window, 2);
    assert.deepEqual(
      full.settlements.map((print) => [print.venueSymbol, print.ratePct, print.settledAtMs]),
      [
        ['BTCUSDT', 0.007058, 1_794_672_000_000],
        ['BTCUSDT', 0.007058, 1_794_686_400_000],
      ],
    );
    assert.deepEqual(full.next, { fromMs: 1_794_686_400_001, toMs: window.toMs });
    assert.equal(parseFundingHistory(reply, contractOf('BTCUSDT'), window, 3).next, null);
  });

  test('a print without rate or time is rejected by name', () => {
    const page = parseFundingHistory(
      { code: 0, data: { rows: [{ symbol: '.BTCFR8H', fundingTime: 1 }, null] } },
      contractOf('BTCUSD'),
      { fromMs: 0, toMs: 1 },
      100,
    );
    assert.deepEqual(page.rejected, [
      { venueSymbol: 'BTCUSD', reason: 'no rate or time' },
      { venueSymbol: 'BTCUSD', reason: 'no rate or time' },
    ]);
  });
});

suite('Phemex prices and volumes', () => {
  test('a linear turnover is in quote units, a delisted contract that still answers is ignored', () => {
    const batch = parseTickers(
      found([
        { symbol: 'BTCUSDT', markRp: '96400.5', turnoverRv: '964000.25', volumeRq: '10' },
        { symbol: 'GONEUSDT', markRp: '1', turnoverRv: '5' },
        { symbol: 'SOLUSDC', markRp: '187', volumeRq: '5' },
      ]),
      context,
    );
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTCUSDT', volume24hUsdt: 964_000.25, referencePrice: 96_400.5 },
    ]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'SOLUSDC', reason: 'no volume' }]);
    assert.deepEqual(batch.bookTops, []);
  });

  test('a coin-margined turnover counts dollars; scaled prices are unscaled, in either spelling', () => {
    const batch = parseCoinMarginedTickers(
      found([
        { symbol: 'BTCUSD', markEp: 964_000_500, volume: 125_287_131, turnoverEv: 1_399_362_834_123 },
        { symbol: 'cADAUSD', markPrice: 710_123, volume: 50, turnover: 1 },
        { symbol: 'NEWUSD', markEp: 1, volume: 1 },
        { symbol: 'BTCUSD', markEp: 1 },
      ]),
      context,
    );
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTCUSD', volume24hUsdt: 125_287_131, referencePrice: 96_400.05 },
      { venueSymbol: 'cADAUSD', volume24hUsdt: 50, referencePrice: 0.710123 },
    ]);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTCUSD', reason: 'no volume' }]);
  });

  test('books: real decimals in base units, or scaled prices with dollars over the price; time in nanoseconds', () => {
    const linear = parseOrderBook(
      found({
        orderbook_p: { asks: [['96401', '0.5']], bids: [['96400', '0.818'], 'odd', ['96399.5', '0']] },
        timestamp: Number('1794697200123456789'),
      }),
      contractOf('BTCUSDT'),
    );
    assert.deepEqual([linear.bids, linear.asks], [[[96_400, 0.818]], [[96_401, 0.5]]]);
    assert.equal(linear.venueTimeMs, 1_794_697_200_123);
    const inverse = parseOrderBook(
      found({ book: { asks: [[500_010_000, 10]], bids: [[500_000_000, 1000]] }, timestamp: 0 }),
      contractOf('BTCUSD'),
    );
    assert.deepEqual(inverse.bids, [[50_000, 1000 / 50_000]]);
    assert.deepEqual(inverse.asks, [[50_001, 10 / 50_001]]);
    assert.equal(inverse.venueTimeMs, null);
  });
});

suite('Phemex stream', () => {
  const open = () => bookTops.open([contractOf('BTCUSDT'), contractOf('cADAUSD')]);
  const linear = (type: string, bids: unknown[], asks: unknown[]) => ({
    orderbook_p: { bids, asks },
    depth: 1,
    sequence: 7,
    symbol: 'BTCUSDT',
    timestamp: 1_794_697_200_000_000_000,
    type,
  });

  test('each contract is subscribed on the channel of its kind, one to a request', () => {
    assert.deepEqual(
      open().opening.map((text) => JSON.parse(text)),
      [
        { id: 1, method: 'orderbook_p.subscribe', params: ['BTCUSDT', true, 1] },
        { id: 2, method: 'orderbook.subscribe', params: ['cADAUSD', true, 1] },
      ],
    );
  });

  test('134 contracts need 3 sockets of 50 subscriptions, of which no second has more than 20', () => {
    assert.equal(Math.ceil(134 / bookTops.contractsPerSocket), 3);
    const session = bookTops.open(Array.from({ length: 50 }, () => contractOf('BTCUSDT')));
    const sent = [session.opening.length];
    for (let second = 0; second < 5; second++)
      for (const part of [0, 400, 800]) {
        const pong = { error: null, id: 0, result: 'pong' };
        const at = { ...context, receivedAtMs: context.receivedAtMs + second * 1000 + part };
        const count = session.receive(pong, at).replies?.length ?? 0;
        if (count > 0) sent.push(count);
      }
    assert.deepEqual(sent, [15, 15, 15, 5]);
  });

  test('changes move the best level: a better price wins, a deleted one gives way to the one sent with it', () => {
    const session = open();
    const top = (message: object) => {
      const { bidPrice, bidSize, askPrice, askSize } =
        session.receive(message, context).batch.bookTops[0] ?? {};
      return [bidPrice, bidSize, askPrice, askSize];
    };
    assert.deepEqual(top(linear('snapshot', [['100', '1']], [['101', '2']])), [100, 1, 101, 2]);
    assert.deepEqual(top(linear('incremental', [['100.5', '3']], [])), [100.5, 3, 101, 2]);
    assert.deepEqual(
      top(
        linear(
          'incremental',
          [
            ['100.5', '0'],
            ['99', '4'],
          ],
          [['101', '5']],
        ),
      ),
      [99, 4, 101, 5],
    );
    assert.deepEqual(top(linear('snapshot', [['98', '1']], [['98.5', '1']])), [98, 1, 98.5, 1]);
  });

  test('a scaled price and a size in dollars become plain on a coin-margined contract', () => {
    const message = {
      book: { bids: [[500_000, 100]], asks: [[500_100, 50]] },
      symbol: 'cADAUSD',
      timestamp: 1_794_697_200_000_000_000,
      type: 'snapshot',
    };
    const top = open().receive(message, context).batch.bookTops[0];
    assert.deepEqual([top?.bidPrice, top?.bidSize, top?.askPrice], [0.5, 200, 0.5001]);
    assert.equal(top?.venueTimeMs, 1_794_697_200_000);
  });

  test('what cannot be a book top is rejected by name', () => {
    const reason = (message: object) => open().receive(message, context).batch.rejected[0]?.reason;
    assert.equal(reason(linear('incremental', [['100', '1']], [])), 'change before the snapshot');
    assert.equal(reason(linear('snapshot', [], [['101', '1']])), 'no bid or ask');
    assert.equal(reason(linear('snapshot', [['102', '1']], [['101', '1']])), 'crossed book');
    assert.equal(reason({ ...linear('snapshot', [], []), symbol: 'BTCUSD' }), 'book of the other kind');
    const unknown = open().receive({ ...linear('snapshot', [], []), symbol: 'NEWUSDT' }, context).batch;
    assert.equal(unknown.ignored.get('not in the contract list'), 1);
  });

  test('a refused subscription costs its contract only; acknowledgements and pongs say nothing', () => {
    const session = open();
    const refusal = { error: { code: 6015, message: 'subscription limit exceeded' }, id: 2, result: null };
    assert.deepEqual(session.receive(refusal, context).batch.rejected, [
      { venueSymbol: 'cADAUSD', reason: 'subscription refused' },
    ]);
    for (const result of [{ status: 'success' }, 'pong'])
      assert.deepEqual(session.receive({ error: null, id: 1, result }, context).batch.rejected, []);
  });
});

asSent(
  'phemex',
  {
    products: () => {
      const infos = ccxtInstruments('phemex') as { type: string }[];
      return {
        code: '0',
        data: {
          products: infos.filter((info) => info.type !== 'PerpetualV2'),
          perpProductsV2: infos.filter((info) => info.type === 'PerpetualV2'),
        },
      };
    },
  },
  (sent) => {
    test('products: 1 DOGE and 1 dollar a contract; spot and the old model settled in USD are ignored', () => {
      const batch = parseProducts(sent('products'), RECEIVED_AT_MS);
      assert.deepEqual(batch.rejected, []);
      assert.ok(
        (batch.ignored.get('Spot') ?? 0) > 0 && (batch.ignored.get('old model settled in USD') ?? 0) > 0,
      );
      const known = batch.contractList?.contracts ?? [];
      assert.deepEqual(
        rowsOf(known, 'DOGEUSDT', 'BTCUSD').map((c) => [
          c.base,
          c.settle,
          c.isInverse,
          c.contractSize,
          c.status,
        ]),
        [
          ['DOGE', 'USDT', false, 1, 'trading'],
          ['BTC', 'BTC', true, 1, 'trading'],
        ],
      );
      const [inverse] = rowsOf(known, 'BTCUSD');
      assert.ok(inverse && priceScaleOf(inverse) === 4 && fundingSymbolOf(inverse) === '.BTCFR8H');
    });

    test('a linear ticker: turnover in USDT; openInterestRv counts coins though its name says value', () => {
      const batch = parseTickers(sent('tickers'), context);
      // turnoverRv agrees with volumeRq: 7,406.95 BTC at about 16,854.
      assert.deepEqual(batch.dayVolumes, [
        { venueSymbol: 'BTCUSDT', volume24hUsdt: 124_835_296.0538, referencePrice: 16_830.97534951 },
      ]);
      // 1,323.596 BTC × 16,830.97534951.
      assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(2), '22277411.65');
    });

    test('a settled rate: its symbol names the rate, and it belongs to the contract that was requested', () => {
      const window = { fromMs: 1_600_000_000_000, toMs: RECEIVED_AT_MS };
      const btc = contractOf('BTCUSDT');
      assert.deepEqual(parseFundingHistory(sent('fundingRateHistory'), btc, window, 100).settlements, [
        { venueSymbol: 'BTCUSDT', ratePct: 0.01, settledAtMs: Date.UTC(2023, 3, 21, 8) },
      ]);
    });
  },
);

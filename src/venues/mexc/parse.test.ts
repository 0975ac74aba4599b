import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments, sample } from '../../../test/support/recordings.ts';
import { BadReply, isRow } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import {
  parseAnnouncements,
  parseContracts,
  parseDepth,
  parseFundingRates,
  parseSettlements,
  parseTickers,
} from './parse.ts';
import { bookStream, openSession } from './stream.ts';
import { mexc } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));
const reply = (data: unknown) => ({ success: true, code: 0, data });

const NOW_MS = 1_794_697_200_500;
const listed = parseContracts(fixture('detail'), NOW_MS);
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: NOW_MS, contracts };

suite('MEXC contracts', () => {
  test('perpetuals are taken, dated futures ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 12);
    assert.equal(listed.ignored.get('dated future'), 1);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODD_USDT', reason: 'no base, quote or settle coin' },
      { venueSymbol: 'NOSIZE_USDT', reason: 'no contract size' },
      { venueSymbol: 'MYST_USDT', reason: 'unknown status 9' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('F5, F6: inverse means settled in the base; settled in a third coin is quanto and left out', () => {
    const inverse = contracts.get('BTC_USD');
    assert.deepEqual([inverse?.isInverse, inverse?.settle, inverse?.contractSize], [true, 'BTC', 100]);
    const linear = contracts.get('BTC_USDT');
    assert.deepEqual([linear?.isInverse, linear?.settle, linear?.contractSize], [false, 'USDT', 0.0001]);
    assert.equal(listed.ignored.get('quanto'), 1);
  });

  test('F1: a multiplier stays in the base even where the venue shows the plain coin', () => {
    assert.equal(contracts.get('1000BONK_USDT')?.base, '1000BONK');
  });

  test('the venue code is resolved to the ticker that it shows, but not to a caption', () => {
    assert.equal(contracts.get('FILECOIN_USDT')?.base, 'FIL');
    assert.equal(contracts.get('MUSTOCK_USDT')?.base, 'MU');
    assert.equal(contracts.get('XAU_USDT')?.base, 'XAU');
  });

  test('F3: stocks, indices, metals and currencies are separated from coins, gold tokens are coins', () => {
    const classOf = (symbol: string) => contracts.get(symbol)?.assetClass;
    assert.deepEqual(
      ['MUSTOCK_USDT', 'QQQSTOCK_USDT', 'SPX500_USDT', 'XAU_USDT', 'EUR_USDT', 'PAXG_USDT', 'BTC_USDT'].map(
        classOf,
      ),
      ['stock', 'stock', 'index', 'commodity', 'forex', 'crypto', 'crypto'],
    );
  });

  test('G1, G4: states, and an opening time ahead means not open yet', () => {
    assert.equal(contracts.get('EUR_USDT')?.status, 'halted');
    assert.equal(contracts.get('GONE_USDT')?.status, 'delisted');
    const soon = contracts.get('SOON_USDT');
    assert.deepEqual([soon?.status, soon?.listedAtMs], ['preopen', 1_795_000_000_000]);
    assert.equal(contracts.get('BTC_USDT')?.listedAtMs, null, 'an opening time of 0 is unknown');
  });

  test('an error with HTTP 200 is a bad reply, not an empty list', () => {
    const refused = { success: false, code: 510, message: 'Requests are too frequent' };
    assert.throws(() => parseContracts(refused, NOW_MS), /code 510/);
    assert.throws(() => parseTickers(refused, context), BadReply);
    assert.throws(() => parseFundingRates(reply({}), context), BadReply);
    assert.throws(() => parseSettlements(refused, { fromMs: 0, toMs: 1 }), BadReply);
    assert.throws(() => parseAnnouncements({ code: 700_003, msg: 'no', data: null }), BadReply);
  });
});

suite('MEXC funding', () => {
  const batch = parseFundingRates(fixture('funding-rate'), context);
  const quotes = new Map(batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));

  test('A1, A4, A5: interval and next settlement come per contract from the venue: 1, 4, 8 and 24 hours', () => {
    assert.deepEqual(
      ['1000BONK_USDT', 'FILECOIN_USDT', 'BTC_USDT', 'XAU_USDT'].map((s) => quotes.get(s)?.intervalHours),
      [1, 4, 8, 24],
    );
    assert.equal(quotes.get('BTC_USDT')?.nextFundingAtMs, 1_794_700_800_000);
  });

  test('C7, B5: percent without float noise from JSON numbers and exponents, and zero is a value', () => {
    assert.deepEqual(
      ['BTC_USDT', '1000BONK_USDT', 'FILECOIN_USDT', 'XAU_USDT'].map((s) => quotes.get(s)?.ratePct),
      [0.0067, 0.00005, -0.013, 0],
    );
  });

  test('A7, D4: an interval and a next time of 0 are unknown, never 8 hours or 1970', () => {
    const soon = quotes.get('SOON_USDT');
    assert.deepEqual([soon?.intervalHours, soon?.nextFundingAtMs], [null, null]);
  });

  test('one symbol that the list does not have and one bad row never lose the rest of the reply', () => {
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'MUSTOCK_USDT', reason: 'no rate' }]);
    assert.equal(batch.fundingQuotes.length, 5);
  });

  const HOUR = 3_600_000;
  const print = (settleTime: number, fundingRate: number | string = 0.0001) => ({
    symbol: 'BTC_USDT',
    fundingRate,
    settleTime,
    collectCycle: 8,
  });
  const page = (currentPage: number, totalPage: number, resultList: unknown[]) =>
    reply({ pageSize: 100, totalCount: 9, totalPage, currentPage, resultList });

  test('E3: pages are walked by number and by the returned times until the venue has no more', () => {
    const window = { fromMs: 1_794_000_000_000, toMs: 1_794_697_200_000 };
    const newest = 1_794_697_200_000;
    const first = parseSettlements(page(1, 2, [print(newest), print(newest - 8 * HOUR)]), window);
    assert.deepEqual(first.next, { fromMs: window.fromMs, toMs: newest - 8 * HOUR - 1, cursor: '2' });
    const second = parseSettlements(
      page(2, 2, [print(newest - 8 * HOUR), print(newest - 9 * HOUR, 0)]),
      first.next ?? window,
    );
    assert.deepEqual(second.settlements, [
      { venueSymbol: 'BTC_USDT', ratePct: 0, settledAtMs: newest - 9 * HOUR },
    ]);
    assert.equal(second.next, null);
  });

  test('a page of 100 rows is requested, the largest that is surely accepted, and totalPage decides whether it is the last', async () => {
    const window = { fromMs: 1_700_000_000_000, toMs: 1_794_697_200_000 };
    const requested: unknown[] = [];
    const send = async ({ query }: VenueRequest) => {
      requested.push(query?.page_num, query?.page_size);
      const rows = Array.from({ length: 100 }, (_, i) => print(window.toMs - i * 8 * HOUR));
      return { payload: page(1, 17, rows), receivedAtMs: 0 };
    };
    const btc = contracts.get('BTC_USDT');
    assert.ok(btc);
    const { settlements, next } = await mexc.settlements(btc, window, { send, contracts });
    assert.deepEqual([settlements.length, next?.cursor], [100, '2']);
    assert.deepEqual(requested, [1, 100]);
  });

  test('the walk stops behind the beginning of the window; a bad print is rejected', () => {
    const window = { fromMs: 1_794_690_000_000, toMs: 1_794_697_200_000 };
    const last = parseSettlements(page(1, 9, [print(1_794_690_000_000), print(0), print(1, '')]), window);
    assert.equal(last.settlements.length, 1);
    assert.equal(last.next, null);
    assert.deepEqual(
      last.rejected.map((r) => r.reason),
      ['no rate or time', 'no rate or time'],
    );
  });
});

suite('MEXC volumes', () => {
  test('F8: turnover is the quote amount; of an inverse contract it is counted from its contracts', () => {
    const batch = parseTickers(
      reply([
        { symbol: 'BTC_USDT', lastPrice: 96_400.1, volume24: 500_000, amount24: 4_820_000.5 },
        { symbol: 'BTC_USD', lastPrice: 96_400, volume24: 7000, amount24: 7.26 },
        { symbol: 'XAU_USDT', lastPrice: 0, volume24: 0, amount24: 0 },
        { symbol: 'MUSTOCK_USDT', lastPrice: 100 },
        { symbol: 'MX_USDT', lastPrice: 0, volume24: 0, amount24: 0 },
      ]),
      context,
    );
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTC_USDT', volume24hUsdt: 4_820_000.5, referencePrice: 96_400.1 },
      { venueSymbol: 'BTC_USD', volume24hUsdt: 700_000, referencePrice: 96_400 },
      { venueSymbol: 'XAU_USDT', volume24hUsdt: 0, referencePrice: null },
    ]);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'MUSTOCK_USDT', reason: 'no volume' }]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });
});

suite('MEXC books', () => {
  const push = (symbol: string, bids: unknown, asks: unknown, version = 7) => ({
    symbol,
    data: { cts: 1_794_697_200_165, asks, bids, version },
    channel: 'push.depth.full',
    ts: 1_794_697_200_169,
  });

  test('one subscription per contract, and a ping that keeps the connection', () => {
    const btc = contracts.get('BTC_USDT');
    assert.ok(btc);
    assert.deepEqual(openSession([btc]).opening, [
      '{"method":"sub.depth.full","param":{"symbol":"BTC_USDT","limit":5}}',
    ]);
    assert.equal(bookStream.heartbeat?.message(0), '{"method":"ping"}');
  });

  test('sizes are contracts and become base units, dollars over price on an inverse contract', () => {
    const session = openSession([]);
    const linear = session.receive(push('BTC_USDT', [[96_400, 2500, 3]], [[96_400.1, 120, 1]]), context);
    assert.deepEqual(linear.batch.bookTops, [
      {
        venueSymbol: 'BTC_USDT',
        bidPrice: 96_400,
        bidSize: 0.25,
        askPrice: 96_400.1,
        askSize: 120 * 0.0001,
        venueTimeMs: 1_794_697_200_165,
      },
    ]);
    const inverse = session.receive(push('BTC_USD', [[50_000, 10, 1]], [[50_001, 5, 1]]), context);
    assert.equal(inverse.batch.bookTops[0]?.bidSize, (10 * 100) / 50_000);
  });

  test('a push that is older than the last one is dropped, on its own contract only', () => {
    const session = openSession([]);
    const received = (symbol: string, version: number) =>
      session.receive(push(symbol, [[100, 1, 1]], [[101, 1, 1]], version), context).batch.bookTops.length;
    assert.deepEqual(
      [received('BTC_USDT', 10), received('BTC_USDT', 9), received('BTC_USD', 9), received('BTC_USDT', 11)],
      [1, 0, 1, 1],
    );
  });

  test('one-sided, crossed and unknown books and a refused subscription are named and never end the session', () => {
    const session = openSession([]);
    const reasons = [
      push('BTC_USDT', [], [[101, 1, 1]]),
      push('BTC_USDT', [[102, 1, 1]], [[101, 1, 1]], 8),
      { channel: 'push.depth.full', symbol: 'BTC_USDT', data: null },
      { channel: 'push.depth.full', data: {} },
      { channel: 'rs.error', data: 'Contract [NOPE_USDT] not exists', ts: 1 },
    ].flatMap((message) => session.receive(message, context).batch.rejected.map((r) => r.reason));
    assert.deepEqual(reasons, [
      'no bid or ask',
      'crossed book',
      'no book',
      'no symbol',
      'subscription refused',
    ]);
    const unknown = session.receive(push('NEW_USDT', [[1, 1, 1]], [[2, 1, 1]]), context);
    assert.equal(unknown.batch.ignored.get('not in the contract list'), 1);
    const quiet = [{ channel: 'pong', data: 1 }, { channel: 'rs.sub.depth.full', data: 'success' }, 'text'];
    for (const message of quiet) assert.deepEqual(session.receive(message, context).batch.rejected, []);
  });

  test('G1: the frozen empty book of an ended contract is empty, not an error', () => {
    const btc = contracts.get('BTC_USDT');
    assert.ok(btc);
    const depth = parseDepth(
      reply({ cts: null, asks: [], bids: [], version: 1, timestamp: 1_789_455_601_090 }),
      btc,
    );
    assert.deepEqual([depth.bids, depth.asks, depth.venueTimeMs], [[], [], 1_789_455_601_090]);
  });
});

suite('MEXC announcements', () => {
  test('a notice is known by its address; a bad one is rejected', () => {
    const details = [
      {
        title: 'MEXC Futures Will List SOON_USDT',
        url: 'https://www.mexc.com/announcements/article/soon-1',
        language: 'EN',
        postTime: 1_794_600_000_000,
      },
      { title: '', url: 'https://www.mexc.com/announcements/article/x', postTime: 1_794_600_000_000 },
    ];
    const batch = parseAnnouncements({ code: 0, data: [{ details, totalPage: '3' }], msg: '' });
    assert.deepEqual(batch.announcements, [
      {
        id: 'https://www.mexc.com/announcements/article/soon-1',
        title: 'MEXC Futures Will List SOON_USDT',
        body: null,
        category: '',
        url: 'https://www.mexc.com/announcements/article/soon-1',
        publishedAtMs: 1_794_600_000_000,
      },
    ]);
    assert.deepEqual(
      batch.rejected.map((r) => r.reason),
      ['notice without id, title or time'],
    );
  });
});

asSent(
  'mexc',
  {
    detail: () => reply(ccxtInstruments('mexc').filter((row) => isRow(row) && 'settleCoin' in row)),
    detailDocumented: () => sample('mexc', 'FuturesApi__ExchangeData__GetSymbols.txt'),
    fundingRate: () => sample('mexc', 'FuturesApi__ExchangeData__GetFundingRates.txt'),
    ticker: () => sample('mexc', 'FuturesApi__ExchangeData__GetTickers.txt'),
    fundingRateHistory: () => sample('mexc', 'FuturesApi__ExchangeData__GetFundingRateHistory.txt'),
    depthPush: () => sample('mexc', 'ws__FuturesApi__PartialBook.txt'),
  },
  (sent) => {
    const documented = contractsOf(parseContracts(sent('detailDocumented'), NOW_MS));
    const known = { receivedAtMs: NOW_MS, contracts: documented };

    test('contracts: 10 TRX each, and the state "0", which is a text here, trades', () => {
      const batch = parseContracts(sent('detail'), NOW_MS);
      assert.deepEqual(batch.rejected, []);
      const [trx] = rowsOf(batch.contractList?.contracts ?? [], 'TRX_USDT');
      assert.deepEqual(
        [trx?.base, trx?.contractSize, trx?.maxLeverage, trx?.status, trx?.assetClass],
        ['TRX', 10, 200, 'trading', 'crypto'],
      );
      assert.deepEqual(
        [...documented.values()].map((c) => [c.venueSymbol, c.contractSize, c.maxLeverage]),
        [
          ['BTC_USDT', 0.0001, 125],
          ['ETH_USDT', 0.001, 100],
        ],
      );
    });

    test('rates: collectCycle is the interval in hours', () => {
      assert.deepEqual(
        parseFundingRates(sent('fundingRate'), known).fundingQuotes.map((q) => [
          q.venueSymbol,
          q.ratePct,
          q.intervalHours,
          q.nextFundingAtMs,
        ]),
        [
          ['BTC_USDT', -0.0489, 8, Date.UTC(2021, 0, 5, 8)],
          ['ETH_USDT', -0.0489, 8, Date.UTC(2021, 0, 5, 8)],
        ],
      );
    });

    test('tickers: amount24 is USDT; volume24 and holdVol count contracts of 0.0001 BTC', () => {
      const batch = parseTickers(sent('ticker'), known);
      // volume24 says about the same: 40,146,908 × 0.0001 BTC × 31,199 is 125 million.
      assert.deepEqual(batch.dayVolumes, [
        { venueSymbol: 'BTC_USDT', volume24hUsdt: 124_905_007.4428, referencePrice: 31_199 },
      ]);
      const [figures] = batch.marketFigures;
      assert.deepEqual([figures?.markPrice, figures?.indexPrice], [31_199.5, 31_016.3]);
      // 55,102,960 × 0.0001 BTC × 31,199.5.
      assert.equal(figures?.openInterestUsdt?.toFixed(3), '171918480.052');
    });

    test('settled rates: page 1 of 11', () => {
      const window = { fromMs: 1_600_000_000_000, toMs: NOW_MS };
      const { settlements, next } = parseSettlements(sent('fundingRateHistory'), window);
      assert.deepEqual(
        settlements.map((p) => [p.ratePct, p.settledAtMs]),
        [
          [0.0266, Date.UTC(2021, 0, 5)],
          [0.029, Date.UTC(2021, 0, 4, 16)],
        ],
      );
      assert.equal(next?.cursor, '2');
    });

    test('a push of the book channel with asks only is no top', () => {
      const { batch } = openSession([]).receive(sent('depthPush'), context);
      assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTC_USDT', reason: 'no bid or ask' }]);
    });
  },
);

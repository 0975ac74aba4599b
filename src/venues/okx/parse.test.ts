import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowsOf } from '../../../test/support/as-sent.ts';
import { capture, ccxtReplies, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import {
  parseAnnouncements,
  parseDepth,
  parseFundingHistory,
  parseFundingRates,
  parseIndexTickers,
  parseMarkPrices,
  parseOpenInterest,
  parseTickers,
} from './parse.ts';
import { parseInstruments } from './parse-contracts.ts';
import { okx } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const contracts = new Map(
  (parseInstruments(fixture('instruments')).contractList?.contracts ?? []).map((contract) => [
    contract.venueSymbol,
    contract,
  ]),
);
const context = { receivedAtMs: 1_794_697_200_500, contracts };
const HOUR_MS = 3_600_000;
const SETTLES_AT_MS = 1_794_700_800_000;
const BTC = contracts.get('BTC-USDT-SWAP') as Contract;
const INVERSE = contracts.get('BTC-USD-SWAP') as Contract;
const reply = (data: unknown) => ({ code: '0', msg: '', data });

suite('OKX funding', () => {
  const batch = parseFundingRates(fixture('funding-rate'), context);
  const quotes = new Map(batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));

  test('fundingRate is the running rate and settles at fundingTime, not at nextFundingTime (B1, B2)', () => {
    const quote = quotes.get('BTC-USDT-SWAP');
    assert.deepEqual(
      [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours, quote?.venueTimeMs],
      [0.01, SETTLES_AT_MS, 8, 1_794_697_200_000],
    );
  });

  test('settFundingRate is never taken, whatever settState says (B1)', () => {
    assert.equal(quotes.get('PEPE-USDT-SWAP')?.ratePct, -0.031234);
    assert.ok(batch.fundingQuotes.every((quote) => quote.ratePct < 0.9));
  });

  test('a zero rate is a value (B5)', () => {
    assert.equal(quotes.get('1INCH-USDT-SWAP')?.ratePct, 0);
  });

  test('the interval is that of the running rate, also when the next one will be shorter (A3, A5)', () => {
    assert.equal(quotes.get('1INCH-USDT-SWAP')?.intervalHours, 8);
  });

  test('without a previous settlement the interval is nextFundingTime minus fundingTime (B2)', () => {
    assert.equal(quotes.get('LEAVE-USDT-SWAP')?.intervalHours, 2);
  });

  test('a period that is not of whole hours gives way to the next one (A4)', () => {
    const row = {
      instId: 'BTC-USDT-SWAP',
      fundingRate: '0.0001',
      prevFundingTime: String(SETTLES_AT_MS - 4.25 * HOUR_MS),
      fundingTime: String(SETTLES_AT_MS),
      nextFundingTime: String(SETTLES_AT_MS + 6 * HOUR_MS),
    };
    assert.equal(parseFundingRates(reply([row]), context).fundingQuotes[0]?.intervalHours, 6);
  });

  test('an interval that the venue does not give stays unknown (A7)', () => {
    assert.equal(quotes.get('XAU-USDT-SWAP')?.intervalHours, null);
  });

  test('bad rows are named; X-Perps, announced contracts and brand-new symbols are distinguished', () => {
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'TSLA-USDT-SWAP', reason: 'no rate' },
      { venueSymbol: 'PAUSE-USDT-SWAP', reason: 'no next settlement' },
    ]);
    assert.deepEqual(
      [...batch.ignored],
      [
        ['not open yet', 1],
        ['dated future', 1],
        ['not in the contract list', 1],
      ],
    );
  });
});

suite('OKX tickers', () => {
  const batch = parseTickers(fixture('tickers'), context);
  const volumes = new Map(batch.dayVolumes.map((volume) => [volume.venueSymbol, volume]));
  const tops = new Map(batch.bookTops.map((top) => [top.venueSymbol, top]));

  test('sizes are contracts and become coins (F8)', () => {
    const top = tops.get('BTC-USDT-SWAP');
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize, top?.venueTimeMs],
      [49_999, 1.5, 50_001, 0.2, 1_794_697_200_123],
    );
    assert.equal(tops.get('PEPE-USDT-SWAP')?.askSize, 50_000_000);
    assert.equal(tops.get('BTC-USD-SWAP')?.bidSize, (10 * 100) / 49_999);
  });

  test('linear volume is volCcy24h coins times the last price, not vol24h, which counts contracts (F8)', () => {
    assert.deepEqual(
      [volumes.get('BTC-USDT-SWAP')?.volume24hUsdt, volumes.get('BTC-USDT-SWAP')?.referencePrice],
      [2_100_000, 50_000],
    );
  });

  test('inverse volume is contracts times their dollars (F8)', () => {
    assert.equal(volumes.get('BTC-USD-SWAP')?.volume24hUsdt, 700_000);
  });

  test('a contract without trades has a volume of zero', () => {
    assert.equal(volumes.get('1INCH-USDT-SWAP')?.volume24hUsdt, 0);
  });

  test('a bad part of a row keeps its other part', () => {
    assert.deepEqual(batch.rejected, [
      { venueSymbol: '1INCH-USDT-SWAP', reason: 'no bid or ask' },
      { venueSymbol: 'XAU-USDT-SWAP', reason: 'no volume' },
      { venueSymbol: 'TSLA-USDT-SWAP', reason: 'no last price' },
      { venueSymbol: 'PAUSE-USDT-SWAP', reason: 'crossed book' },
    ]);
    assert.ok(tops.has('XAU-USDT-SWAP') && tops.has('TSLA-USDT-SWAP') && volumes.has('PAUSE-USDT-SWAP'));
  });

  test('nothing is read with the unknown size of an announced contract; prices mean a newer list is due', () => {
    assert.ok(!tops.has('SOON-USDT-SWAP') && !tops.has('SLX-USDT-SWAP'));
    assert.deepEqual(
      [...batch.ignored],
      [
        ['not open yet', 1],
        ['not in the contract list', 2],
      ],
    );
  });

  test('an error code or a reply of another shape is a bad reply, not an empty one', () => {
    for (const bad of [{ code: '50011', msg: 'Too Many Requests', data: [] }, { code: '0' }, []])
      assert.throws(() => parseTickers(bad, context), BadReply);
  });
});

suite('OKX history, depth and notices', () => {
  const print = (settledAtMs: number, more: object = {}) => ({
    instId: 'BTC-USDT-SWAP',
    instType: 'SWAP',
    fundingRate: '0.0002',
    realizedRate: '0.0001',
    fundingTime: String(settledAtMs),
    ...more,
  });

  test('the realised rate is preferred, and the forecast replaces a missing one (B6)', () => {
    const rows = [print(SETTLES_AT_MS), print(SETTLES_AT_MS - HOUR_MS, { realizedRate: '' })];
    const page = parseFundingHistory(reply(rows), BTC, { fromMs: 0 }, 100);
    assert.deepEqual(
      page.settlements.map(({ ratePct }) => ratePct),
      [0.01, 0.02],
    );
  });

  test('a realised rate of zero is a value (B5)', () => {
    const page = parseFundingHistory(
      reply([print(SETTLES_AT_MS, { realizedRate: '0' })]),
      BTC,
      { fromMs: 0 },
      100,
    );
    assert.equal(page.settlements[0]?.ratePct, 0);
  });

  test('odd milliseconds of a print are kept as they are (D1)', () => {
    const page = parseFundingHistory(reply([print(SETTLES_AT_MS + 13)]), BTC, { fromMs: 0 }, 100);
    assert.equal(page.settlements[0]?.settledAtMs, SETTLES_AT_MS + 13);
  });

  test('a full page continues before its oldest print, whatever the steps between prints (E3)', () => {
    const rows = [print(SETTLES_AT_MS), print(SETTLES_AT_MS - HOUR_MS), print(SETTLES_AT_MS - 7 * HOUR_MS)];
    const window = { fromMs: SETTLES_AT_MS - 1000 * HOUR_MS };
    assert.deepEqual(parseFundingHistory(reply(rows), BTC, window, 3).next, {
      fromMs: window.fromMs,
      toMs: SETTLES_AT_MS - 7 * HOUR_MS - 1,
    });
    assert.equal(parseFundingHistory(reply(rows), BTC, window, 4).next, null);
  });

  test('history is requested by its end, and a page cut to the former limit of 100 is not the last (E1, E2)', async () => {
    const requested: VenueRequest['query'][] = [];
    const rows = Array.from({ length: 100 }, (_, i) => print(SETTLES_AT_MS - i * HOUR_MS));
    const send = async ({ query }: VenueRequest) => {
      requested.push(query);
      return { payload: reply(rows.slice(0, Number(query?.limit))), receivedAtMs: 0 };
    };
    const ofHours = (hours: number) => ({ fromMs: SETTLES_AT_MS - hours * HOUR_MS, toMs: SETTLES_AT_MS });
    const long = await okx.settlements(BTC, ofHours(500), { send, contracts });
    assert.equal(long.next?.toMs, SETTLES_AT_MS - 99 * HOUR_MS - 1);
    const short = await okx.settlements(BTC, ofHours(2), { send, contracts });
    assert.deepEqual([short.settlements.length, short.next], [3, null]);
    const query = { instId: 'BTC-USDT-SWAP', after: SETTLES_AT_MS + 1 };
    assert.deepEqual(requested, [
      { ...query, limit: 400 },
      { ...query, limit: 4 },
    ]);
    assert.equal(okx.settlementDepthDays, 90);
  });

  test('a print of another contract, or one without rate or time, is rejected (F7)', () => {
    const rows = [
      print(SETTLES_AT_MS, { instId: 'ETH-USDT-SWAP' }),
      print(SETTLES_AT_MS, { realizedRate: '', fundingRate: '' }),
      print(0),
    ];
    const page = parseFundingHistory(reply(rows), BTC, { fromMs: 0 }, 100);
    assert.deepEqual(
      page.rejected.map(({ reason }) => reason),
      ['row of another contract', 'no rate or time', 'no rate or time'],
    );
  });

  test('book levels are contracts and become coins, best first (F8)', () => {
    const book = {
      bids: [
        ['49998', '10', '0', '1'],
        ['49999', '150', '0', '2'],
      ],
      asks: [['50000', '1000', '0', '1']],
      ts: '1794697200000',
    };
    const linear = parseDepth(reply([book]), BTC);
    assert.deepEqual(linear.bids, [
      [49_999, 1.5],
      [49_998, 0.1],
    ]);
    assert.deepEqual(parseDepth(reply([book]), INVERSE).asks, [[50_000, 2]]);
    assert.throws(() => parseDepth(reply([]), BTC), BadReply);
    assert.throws(() => parseDepth(reply([book]), { ...BTC, status: 'preopen' }), BadReply);
  });

  test('a notice is the same in every language of its address', () => {
    const batch = parseAnnouncements(fixture('announcements'));
    assert.deepEqual(
      batch.announcements.map(({ id, category, body, publishedAtMs }) => [id, category, body, publishedAtMs]),
      [
        [
          'https://www.okx.com/help/okx-to-list-perpetual-futures-for-nova',
          'announcements-new-listings',
          null,
          1_794_600_300_000,
        ],
        [
          'https://www.okx.com/help/okx-to-delist-old-perpetual-futures',
          'announcements-delistings',
          null,
          1_794_500_000_000,
        ],
      ],
    );
    assert.match(batch.announcements[0]?.url ?? '', /en-sg/);
    assert.deepEqual(batch.rejected, [{ venueSymbol: null, reason: 'notice without id, title or time' }]);
  });

  test('notices are requested in English', async () => {
    const poll = okx.polls.find((candidate) => candidate.gives.includes('notices'));
    let requested: VenueRequest | undefined;
    if (poll?.kind !== 'bulk') throw new Error('notices are one call');
    await poll.collect({
      contracts,
      send: async (request) => {
        requested = request;
        return { payload: fixture('announcements'), receivedAtMs: 0 };
      },
    });
    assert.deepEqual(requested?.headers, { 'accept-language': 'en-US' });
  });
});

asSent(
  'okx',
  {
    fundingRate: () => sample('okx', 'UnifiedApi__ExchangeData__GetFundingRates.txt'),
    fundingRateHistory: () => capture('okx', 'http_get_funding_rate_history.json'),
    tickers: () => sample('okx', 'UnifiedApi__ExchangeData__GetTickers.txt'),
    markPrice: () => capture('okx', 'http_get_mark_price.json'),
    indexTickers: () => capture('okx', 'http_get_index_price.json'),
    books: () => ccxtReplies('okx', 'fetchOrderBook')[0]?.httpResponse,
    booksDocumented: () => sample('okx', 'UnifiedApi__ExchangeData__GetOrderBook.txt'),
    announcements: () => sample('okx', 'UnifiedApi__ExchangeData__GetAnnouncements.txt'),
  },
  (sent) => {
    test('funding rate: the running one, not the settled one; 16:00 to midnight is 8 hours', () => {
      const [quote] = parseFundingRates(sent('fundingRate'), context).fundingQuotes;
      // fundingTime is 16:00, nextFundingTime 00:00 of the next day.
      assert.deepEqual(
        [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours, quote?.venueTimeMs],
        [0.0079238688534, Date.UTC(2023, 11, 20, 16), 8, 1_703_070_685_309],
      );
    });

    test('funding history: realised rates, not the forecasts beside them', () => {
      const prints = (call: string, contract: Contract) =>
        parseFundingHistory(sent(call), contract, { fromMs: 0 }, 100).settlements.map(
          ({ ratePct, settledAtMs }) => [ratePct, settledAtMs],
        );
      assert.deepEqual(prints('fundingRateHistory', BTC), [
        [0.015, Date.UTC(2024, 0, 1)],
        [-0.002, Date.UTC(2023, 11, 31, 16)],
      ]);
      assert.deepEqual(prints('fundingRateHistoryDocumented', INVERSE), [
        [0.00746572360545, Date.UTC(2023, 11, 20, 8)],
        [0.02279755647389, Date.UTC(2023, 11, 20)],
      ]);
    });

    test('tickers of inverse contracts: contracts of 100 dollars', () => {
      const batch = parseTickers(sent('tickers'), context);
      assert.deepEqual(batch.rejected, []);
      // 2,222 contracts × 100 USD.
      assert.deepEqual(rowsOf(batch.dayVolumes, 'BTC-USD-SWAP')[0]?.volume24hUsdt, 222_200);
      // 5 × 100 / 8,888.88 = 0.056250; 11 × 100 / 9,999.99 = 0.110000.
      const [top] = rowsOf(batch.bookTops, 'BTC-USD-SWAP');
      assert.deepEqual([top?.bidSize?.toFixed(6), top?.askSize?.toFixed(6)], ['0.056250', '0.110000']);
    });

    test('tickers: coins times the last price, or contracts of 100 dollars; sizes in coins', () => {
      const batch = parseTickers(sent('tickersOf2026'), context);
      const symbols = ['BTC-USDT-SWAP', 'BTC-USD-SWAP'];
      // 110,381.4949 BTC × 77,769.5; 5,906,636.2 contracts × 100 USD.
      assert.deepEqual(
        rowsOf(batch.dayVolumes, ...symbols).map((volume) => volume.volume24hUsdt.toFixed(2)),
        ['8584313667.63', '590663620.00'],
      );
      // 504.48 contracts × 0.01 BTC; 220.8 × 100 USD / 77,757.2.
      assert.deepEqual(
        rowsOf(batch.bookTops, ...symbols).map((top) => top.bidSize?.toFixed(6)),
        ['5.044800', '0.283961'],
      );
      // oiUsd agrees with oi: 2,760,021.94 × 0.01 BTC at 77,765, and 4,999,186 × 100 USD.
      assert.deepEqual(
        rowsOf(parseOpenInterest(sent('openInterestOf2026'), context).marketFigures, ...symbols).map((f) =>
          f.openInterestUsdt?.toFixed(2),
        ),
        ['2146320021.55', '499918600.00'],
      );
    });

    test('mark and index price; open interest without oiUsd stays unknown', () => {
      const [mark] = parseMarkPrices(sent('markPrice'), context).marketFigures;
      assert.deepEqual([mark?.venueSymbol, mark?.markPrice], ['BTC-USDT-SWAP', 84_660.1]);
      const [index] = parseIndexTickers(sent('indexTickers'), context).marketFigures;
      assert.deepEqual([index?.venueSymbol, index?.indexPrice], ['BTC-USDT-SWAP', 103_895]);
      assert.deepEqual(parseOpenInterest(sent('openInterest'), context).marketFigures, []);
    });

    test('order books: contracts of 0.01 BTC', () => {
      const recorded = parseDepth(sent('books'), BTC);
      // 13,807 contracts × 0.01; 14,881 × 0.01.
      assert.deepEqual(
        [recorded.bids[0], recorded.asks[0]],
        [
          [43_466.3, 138.07],
          [43_466.4, 148.81],
        ],
      );
      const documented = parseDepth(sent('booksDocumented'), BTC);
      assert.deepEqual([documented.bids[0]?.[0], documented.venueTimeMs], [41_006.3, 1_629_966_436_396]);
    });

    test('announcements', () => {
      const batch = parseAnnouncements(sent('announcements'));
      assert.deepEqual(batch.rejected, []);
      assert.deepEqual(
        batch.announcements.map(({ publishedAtMs }) => publishedAtMs),
        [Date.UTC(2024, 8, 12, 8), Date.UTC(2024, 8, 10, 11, 30)],
      );
    });
  },
);

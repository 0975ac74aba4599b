import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { capture, ccxtReplies, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { VenueRequest } from '../venue.ts';
import { parseAnnouncements, parseDepth, parseFundingHistory, parseTickers } from './parse.ts';
import { parseInstruments } from './parse-contracts.ts';
import { bybit } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const contracts = new Map(
  ['linear-instruments', 'pre-launch-instruments']
    .flatMap((name) => parseInstruments(fixture(name), 'linear').batch.contractList?.contracts ?? [])
    .map((contract) => [contract.venueSymbol, contract]),
);
const context = { receivedAtMs: 1_794_697_200_500, contracts };
const HOUR_MS = 3_600_000;

const BTC = contracts.get('BTCUSDT') as Contract;
const INVERSE: Contract = { ...BTC, venueSymbol: 'BTCUSD', quote: 'USD', settle: 'BTC', isInverse: true };
const knowing = (...known: Contract[]) => ({
  receivedAtMs: 0,
  contracts: new Map(known.map((contract) => [contract.venueSymbol, contract])),
});
const reply = (result: object) => ({ retCode: 0, retMsg: 'OK', result, time: 1_794_697_200_000 });

suite('Bybit tickers', () => {
  const batch = parseTickers(fixture('linear-tickers'), context);
  const quotes = new Map(batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));

  test('rate, interval and next settlement are those of each contract (A1, A5)', () => {
    const read = ['BTCUSDT', '1000PEPEUSDT', '1INCHUSDT'].map((symbol) => {
      const quote = quotes.get(symbol);
      return [quote?.ratePct, quote?.intervalHours, quote?.nextFundingAtMs];
    });
    assert.deepEqual(read, [
      [0.01, 8, 1_794_729_600_000],
      [-0.031234, 4, 1_794_715_200_000],
      [0, 1, 1_794_700_800_000],
    ]);
  });

  test('a zero rate is a value (B5)', () => {
    assert.equal(quotes.get('1INCHUSDT')?.ratePct, 0);
  });

  test('an empty next settlement is unknown, and an empty interval is left to the contract list (D4, A7)', () => {
    const quote = quotes.get('LEAVEUSDT');
    assert.deepEqual([quote?.nextFundingAtMs, quote?.intervalHours], [null, undefined]);
  });

  test('a bad part of a row keeps its other parts, and a bad row the other rows', () => {
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'TSLAUSDT', reason: 'no rate' },
      { venueSymbol: 'XAUUSDT', reason: 'no bid or ask' },
    ]);
    assert.ok(batch.bookTops.some((top) => top.venueSymbol === 'TSLAUSDT'));
    assert.equal(quotes.get('XAUUSDT')?.ratePct, 0.005);
  });

  test('a dated future, an auction without prices and a brand-new symbol are distinguished', () => {
    assert.deepEqual(
      [...batch.ignored],
      [
        ['not open yet', 1],
        ['dated future', 1],
        ['not in the contract list', 1],
      ],
    );
  });

  test('linear sizes are base units and turnover is in the quote coin', () => {
    const top = batch.bookTops.find((candidate) => candidate.venueSymbol === 'BTCUSDT');
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize, top?.venueTimeMs],
      [100.4, 12.25, 100.6, 3.5, 1_794_697_200_000],
    );
    const volume = batch.dayVolumes.find((candidate) => candidate.venueSymbol === 'BTCUSDT');
    assert.deepEqual([volume?.volume24hUsdt, volume?.referencePrice], [7_500_000.25, 100.5]);
  });

  test('inverse turnover is in coins, so the volume in USD is taken; sizes are USD over price (F8)', () => {
    const inverse = {
      symbol: 'BTCUSD',
      lastPrice: '60000',
      turnover24h: '13250',
      volume24h: '795000000',
      fundingRate: '0.0001',
      nextFundingTime: '1794700800000',
      bid1Price: '59999',
      bid1Size: '120000',
      ask1Price: '60000',
      ask1Size: '60000',
    };
    const parsed = parseTickers(reply({ list: [inverse] }), knowing(INVERSE));
    assert.equal(parsed.dayVolumes[0]?.volume24hUsdt, 795_000_000);
    assert.deepEqual([parsed.bookTops[0]?.bidSize, parsed.bookTops[0]?.askSize], [120_000 / 59_999, 1]);
  });

  test('an error code or a reply of another shape is a bad reply, not an empty one', () => {
    const error = { retCode: 10006, retMsg: 'Too many visits!', result: {}, time: 1 };
    for (const bad of [error, reply({}), '<html>']) assert.throws(() => parseTickers(bad, context), BadReply);
  });

  test('crossed quotes and a missing volume are rejected by name', () => {
    const row = {
      symbol: 'BTCUSDT',
      fundingRate: '0.0001',
      bid1Price: '1',
      ask1Price: '2',
      turnover24h: '5',
    };
    const parsed = parseTickers(
      reply({
        list: [
          { ...row, bid1Price: '3' },
          { ...row, turnover24h: '' },
        ],
      }),
      context,
    );
    assert.deepEqual(
      parsed.rejected.map(({ reason }) => reason),
      ['crossed book', 'no volume'],
    );
  });
});

suite('Bybit history, depth and notices', () => {
  const print = (settledAtMs: number, symbol = 'BTCUSDT') => ({
    symbol,
    fundingRate: '0.0001',
    fundingRateTimestamp: String(settledAtMs),
  });
  const LAST_MS = 1_794_700_800_000;

  test('a full page continues before its oldest print, whatever the steps between prints (E3)', () => {
    const list = [print(LAST_MS), print(LAST_MS - HOUR_MS), print(LAST_MS - 5 * HOUR_MS)];
    const window = { fromMs: LAST_MS - 1000 * HOUR_MS };
    const page = parseFundingHistory(reply({ list }), BTC, window, 3);
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: LAST_MS - 5 * HOUR_MS - 1 });
    assert.equal(parseFundingHistory(reply({ list }), BTC, window, 4).next, null);
  });

  test('a page that reaches the start of the window is the last', () => {
    const page = parseFundingHistory(reply({ list: [print(LAST_MS)] }), BTC, { fromMs: LAST_MS }, 1);
    assert.equal(page.next, null);
  });

  test('a print of another contract, or one without rate or time, is rejected (F7)', () => {
    const list = [
      print(LAST_MS, 'ETHUSDT'),
      { ...print(LAST_MS), fundingRate: '' },
      print(0),
      print(LAST_MS),
    ];
    const page = parseFundingHistory(reply({ list }), BTC, { fromMs: 0 }, 200);
    assert.deepEqual(
      page.rejected.map(({ reason }) => reason),
      ['row of another contract', 'no rate or time', 'no rate or time'],
    );
    assert.equal(page.settlements.length, 1);
  });

  test('history is requested by its end, with no more rows than the window can have', async () => {
    const requested: VenueRequest['query'][] = [];
    const send = async ({ query }: VenueRequest) => {
      requested.push(query);
      return { payload: reply({ list: [print(LAST_MS), print(LAST_MS - 8 * HOUR_MS)] }), receivedAtMs: 0 };
    };
    const ofDays = (days: number) => ({ fromMs: LAST_MS - days * 24 * HOUR_MS, toMs: LAST_MS });
    await bybit.settlements(BTC, ofDays(30), { send, contracts });
    const hour = { fromMs: LAST_MS - HOUR_MS, toMs: LAST_MS };
    const page = await bybit.settlements(BTC, hour, { send, contracts });
    const query = { category: 'linear', symbol: 'BTCUSDT', endTime: LAST_MS };
    assert.deepEqual(requested, [
      { ...query, limit: 200 },
      { ...query, limit: 3 },
    ]);
    assert.deepEqual([page.settlements.length, page.next], [1, null]);
  });

  test('an inverse book is turned from USD into coins, and a book of another contract refused (F7, F8)', () => {
    const book = { s: 'BTCUSD', b: [['50000', '100000']], a: [['50001', '50001']], ts: 1_794_697_200_000 };
    const depth = parseDepth(reply(book), INVERSE);
    assert.deepEqual([depth.bids, depth.asks], [[[50_000, 2]], [[50_001, 1]]]);
    assert.throws(() => parseDepth(reply(book), BTC), BadReply);
  });

  test('a notice is known by its address and dated by its publishing', () => {
    const batch = parseAnnouncements(fixture('announcements'));
    assert.deepEqual(
      batch.announcements.map(({ category, body, publishedAtMs }) => [category, body, publishedAtMs]),
      [
        ['new_crypto,Derivatives,USDT', 'NOVAUSDT opens at 8AM UTC.', 1_794_600_300_000],
        ['delistings', null, 1_794_500_000_000],
      ],
    );
    assert.equal(batch.announcements[0]?.id, batch.announcements[0]?.url);
    assert.deepEqual(batch.rejected, [{ venueSymbol: null, reason: 'notice without id, title or time' }]);
  });
});

asSent(
  'bybit',
  {
    tickers: () => ccxtReplies('bybit', 'fetchTicker')[0]?.httpResponse,
    inverseTickers: () => sample('bybit', 'V5Api__ExchangeData__GetLinearInverseTickers.txt'),
    fundingHistory: () => capture('bybit', 'http_get_funding_history.json'),
    fundingHistoryDocumented: () => sample('bybit', 'V5Api__ExchangeData__GetFundingRateHistory.txt'),
    orderbook: () => ccxtReplies('bybit', 'fetchOrderBook')[0]?.httpResponse,
    orderbookDocumented: () => sample('bybit', 'V5Api__ExchangeData__GetOrderbook.txt'),
    announcements: () => sample('bybit', 'V5Api__ExchangeData__GetAnnouncements.txt'),
  },
  (sent) => {
    test('a linear ticker: turnover in USDT, sizes in coins, open interest counted once', () => {
      const batch = parseTickers(sent('tickers'), knowing(BTC));
      assert.deepEqual(batch.rejected, []);
      const [quote] = batch.fundingQuotes;
      assert.deepEqual([quote?.ratePct, quote?.nextFundingAtMs], [-0.046295, Date.UTC(2024, 1, 14, 16)]);
      assert.deepEqual(batch.dayVolumes, [
        { venueSymbol: 'BTCUSDT', volume24hUsdt: 2_352_063_794.0035, referencePrice: 51_444.4 },
      ]);
      const [top] = batch.bookTops;
      assert.deepEqual(
        [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize],
        [51_444.3, 55.841, 51_444.4, 491.691],
      );
      // 225,766.793 BTC of both sides / 2 × 51,444.40. The venue's openInterestValue is 11,614,437,205.81, twice as much.
      assert.equal(batch.marketFigures[0]?.openInterestUsdt?.toFixed(1), '5807218602.9');
    });

    test('an inverse ticker: volume24h counts dollars, turnover24h coins; a size of 1 is a dollar', () => {
      const batch = parseTickers(sent('inverseTickers'), knowing(INVERSE));
      assert.equal(batch.fundingQuotes[0]?.ratePct, -0.1034);
      assert.equal(batch.fundingQuotes[0]?.nextFundingAtMs, Date.UTC(2022, 11, 30, 8));
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 49_337_318);
      // 1 USD / 16,596 = 0.0000602555.
      assert.equal(batch.bookTops[0]?.bidSize?.toFixed(10), '0.0000602555');
      // 373,504,107 USD of both sides / 2.
      assert.equal(batch.marketFigures[0]?.openInterestUsdt, 186_752_053.5);
    });

    test('settled rates', () => {
      const prints = (call: string, symbol: string) =>
        parseFundingHistory(sent(call), { ...BTC, venueSymbol: symbol }, { fromMs: 0 }, 200).settlements.map(
          ({ ratePct, settledAtMs }) => [ratePct, settledAtMs],
        );
      assert.deepEqual(prints('fundingHistory', 'BTCUSDT'), [
        [0.01, Date.UTC(2024, 2, 8, 8)],
        [0.015, Date.UTC(2024, 2, 8)],
      ]);
      assert.deepEqual(prints('fundingHistoryDocumented', 'ETHPERP'), [[0.01, Date.UTC(2022, 11, 26, 8)]]);
    });

    test('order books', () => {
      const recorded = parseDepth(sent('orderbook'), BTC);
      assert.deepEqual(
        [recorded.bids[0], recorded.asks, recorded.venueTimeMs],
        [
          [42_544.7, 172.404],
          [
            [42_548, 108.998],
            [42_548.2, 75.008],
          ],
          1_706_803_948_569,
        ],
      );
      const documented = parseDepth(sent('orderbookDocumented'), BTC);
      assert.deepEqual([documented.bids, documented.asks], [[[62_710.2, 5.52]], [[62_710.3, 0.01]]]);
    });

    test('announcements', () => {
      const [notice] = parseAnnouncements(sent('announcements')).announcements;
      assert.deepEqual(
        [notice?.category, notice?.publishedAtMs],
        ['new_crypto,Spot,Spot Listings', Date.UTC(2023, 2, 17, 9, 33, 28)],
      );
    });
  },
);

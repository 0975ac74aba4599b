import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowOfSymbol } from '../../../test/support/as-sent.ts';
import { capture, ccxtInstruments } from '../../../test/support/recordings.ts';
import { DAY_MS, HOUR_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import {
  parseAnnouncements,
  parseBookSummaries,
  parseInstruments,
  parseOrderBook,
  parseTicker,
} from './parse.ts';
import { parseFundingHistory, windowToRequest } from './parse-history.ts';
import { tickers } from './stream.ts';
import { deribit } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const RECEIVED_AT_MS = 1_794_697_200_500;
const listed = parseInstruments(fixture('instruments'), RECEIVED_AT_MS);
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: RECEIVED_AT_MS, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

const reply = (result: unknown) => ({ jsonrpc: '2.0', result, usIn: 1, usOut: 2, usDiff: 1, testnet: false });
const INVALID = { jsonrpc: '2.0', error: { code: -32602, message: 'Invalid params' } };

suite('Deribit contracts', () => {
  test('perpetuals are taken; dated futures, options and spot ignored; bad rows rejected with a reason', () => {
    assert.deepEqual(
      [...contracts.keys()],
      [
        'BTC-PERPETUAL',
        'BTC_USDC-PERPETUAL',
        '1000PEPE_USDC-PERPETUAL',
        'NVDA_USDC-PERPETUAL',
        'SOON_USDC-PERPETUAL',
        'HALT_USDC-PERPETUAL',
      ],
    );
    assert.deepEqual(Object.fromEntries(listed.ignored), { 'dated future': 1, option: 1, spot: 1 });
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYST_USDC-PERPETUAL', reason: 'unknown status dreaming' },
      { venueSymbol: 'ODD_USDC-PERPETUAL', reason: 'no base, quote or settlement currency' },
      { venueSymbol: 'QUANTO-PERPETUAL', reason: 'instrument type contradicts the settlement currency' },
      { venueSymbol: 'ETH-PERPETUAL', reason: 'no contract size' },
      { venueSymbol: null, reason: 'no instrument_name' },
    ]);
  });

  test('inverse means settled in the base, with a face value of 10 USD; a linear size is one base unit', () => {
    const inverse = contractOf('BTC-PERPETUAL');
    assert.deepEqual([inverse.isInverse, inverse.settle, inverse.contractSize], [true, 'BTC', 10]);
    const linear = contractOf('BTC_USDC-PERPETUAL');
    assert.deepEqual([linear.isInverse, linear.settle, linear.contractSize], [false, 'USDC', 1]);
  });

  test('the year 3000 is no end; a real expiration of a perpetual is its scheduled delisting', () => {
    assert.equal(contractOf('BTC-PERPETUAL').delistsAtMs, null);
    assert.equal(contractOf('NVDA_USDC-PERPETUAL').delistsAtMs, 1_794_996_000_000);
    assert.equal(contractOf('NVDA_USDC-PERPETUAL').status, 'delisting');
  });

  test('the daily settlement does not stop a perpetual; a lock does', () => {
    assert.equal(contractOf('1000PEPE_USDC-PERPETUAL').status, 'trading');
    assert.equal(contractOf('HALT_USDC-PERPETUAL').status, 'halted');
  });

  test('an inactive instrument that is still to be created is preopen with its time', () => {
    assert.equal(contractOf('SOON_USDC-PERPETUAL').status, 'preopen');
    assert.equal(contractOf('SOON_USDC-PERPETUAL').listedAtMs, 1_795_000_000_000);
  });

  test('a stock perpetual is separated from coins, and a multiplied base keeps its prefix', () => {
    assert.equal(contractOf('NVDA_USDC-PERPETUAL').assetClass, 'stock');
    assert.equal(contractOf('BTC_USDC-PERPETUAL').assetClass, 'crypto');
    assert.equal(contractOf('1000PEPE_USDC-PERPETUAL').base, '1000PEPE');
  });

  test('a gold token is a coin, under whatever type the venue lists it', () => {
    const [row] = (fixture('instruments') as { result: object[] }).result;
    const gold = { ...row, base_currency: 'PAXG', settlement_currency: 'PAXG', underlying_type: 'commodity' };
    assert.equal(parseInstruments(reply([gold]), 0).contractList?.contracts[0]?.assetClass, 'crypto');
  });

  test('an error or a reply of another shape is a bad reply, not an empty list', () => {
    assert.throws(() => parseInstruments(INVALID, 0), BadReply);
    assert.throws(() => parseInstruments(reply({}), 0), BadReply);
    assert.throws(() => parseBookSummaries(INVALID, context), BadReply);
    assert.throws(() => parseOrderBook(INVALID, contractOf('BTC-PERPETUAL')), BadReply);
  });
});

suite('Deribit rows of contracts that came from Coinbase International', () => {
  const row = (base: string, underlying_type?: string) => ({
    state: 'open',
    is_active: true,
    kind: 'future',
    instrument_name: `${base}_USDC-PERPETUAL`,
    instrument_type: 'linear',
    settlement_period: 'perpetual',
    base_currency: base,
    quote_currency: 'USDC',
    settlement_currency: 'USDC',
    creation_timestamp: 1_790_845_229_000,
    expiration_timestamp: 32_503_708_800_000,
    contract_size: 0.01,
    ...(underlying_type === undefined ? {} : { underlying_type }),
  });
  const classesOf = (rows: object[]) => {
    const { contractList, rejected } = parseInstruments(reply(rows), RECEIVED_AT_MS);
    assert.deepEqual(rejected, []);
    return contractList?.contracts.map(({ base, assetClass }) => `${base} ${assetClass}`);
  };

  test('shares, funds, shares before their listing and goods have the class of their word', () => {
    const rows = [row('TSLA', 'equity'), row('SPY', 'equity_etf'), row('OPENAI', 'preipo')];
    const goods = [row('XAU', 'commodity'), row('CL', 'commodity'), row('COIN50', 'crypto_index')];
    assert.deepEqual(classesOf([...rows, ...goods]), [
      'TSLA stock',
      'SPY stock',
      'OPENAI stock',
      'XAU commodity',
      'CL commodity',
      'COIN50 index',
    ]);
  });

  test('a word that is not known is no coin: the name tells goods, indices and currencies from shares', () => {
    const names = ['SAP', 'COPPER', 'NATGAS', 'US500', 'EURUSD'].map((base) => row(base, 'tradfi'));
    assert.deepEqual(classesOf([...names, row('PAXG', 'tradfi'), row('FARTCOIN', 'crypto_meme')]), [
      'SAP stock',
      'COPPER commodity',
      'NATGAS commodity',
      'US500 index',
      'EURUSD forex',
      'PAXG crypto',
      'FARTCOIN crypto',
    ]);
  });

  test('a row without a word is read by its name', () => {
    assert.deepEqual(classesOf(['TSLA', 'XAG', 'BRENT', 'SOL'].map((base) => row(base))), [
      'TSLA stock',
      'XAG commodity',
      'BRENT commodity',
      'SOL crypto',
    ]);
  });

  test('a summary of 600 contracts is one call, gives every rate, and needs two sockets', async () => {
    const list = parseInstruments(
      reply(Array.from({ length: 600 }, (_, i) => row(`S${i}`, i % 2 ? 'equity' : 'commodity'))),
      RECEIVED_AT_MS,
    ).contractList?.contracts;
    assert.ok(list);
    const summaries = list.map(({ venueSymbol }, i) => ({
      instrument_name: venueSymbol,
      volume_usd: 1000 + i,
      open_interest: 10,
      mark_price: 200,
      current_funding: i / 1e6,
      creation_timestamp: 1_794_697_200_000,
    }));
    const calls: unknown[] = [];
    const send = async (request: { query?: Record<string, unknown> }) => {
      calls.push(request.query);
      return { payload: reply(summaries), receivedAtMs: RECEIVED_AT_MS };
    };
    const poll = deribit.polls.find(({ name }) => name === 'book summaries');
    assert.ok(poll?.kind === 'bulk');
    const held = new Map(list.map((contract) => [contract.venueSymbol, contract]));
    const batch = await poll.collect({ send, contracts: held });
    assert.deepEqual(calls, [{ currency: 'USDC', kind: 'future' }]);
    assert.deepEqual([batch.fundingQuotes.length, batch.dayVolumes.length, batch.rejected], [600, 600, []]);
    assert.equal(batch.fundingQuotes[599]?.ratePct, 0.0599);
    assert.equal(batch.marketFigures[0]?.openInterestUsdt, 2000);
    assert.equal(Math.ceil(list.length / tickers.contractsPerSocket), 2);
  });
});

suite('Deribit funding', () => {
  const summary = (venueSymbol: string, current_funding: unknown) =>
    parseBookSummaries(
      reply([
        {
          instrument_name: venueSymbol,
          volume_usd: 1,
          mark_price: 1,
          current_funding,
          funding_8h: 0.0000512,
          creation_timestamp: 1_794_697_200_000,
        },
      ]),
      context,
    );

  test('BTC at 03:24 UTC on 2026-09-23: the running 0.01423 % of eight hours, not the past 0.00512 %', () => {
    assert.deepEqual(summary('BTC-PERPETUAL', 1.423e-4).fundingQuotes, [
      {
        venueSymbol: 'BTC-PERPETUAL',
        ratePct: 0.01423,
        nextFundingAtMs: null,
        intervalHours: 8,
        venueTimeMs: 1_794_697_200_000,
      },
    ]);
  });

  test('rates in exponent form and with float digits stay exact to eight decimals; zero is a value', () => {
    const rate = (value: unknown) => summary('BTC-PERPETUAL', value).fundingQuotes[0]?.ratePct;
    assert.equal(rate(-6.55e-6), -0.000655);
    assert.equal(rate(0.00025056853702101664), 0.02505685);
    assert.equal(rate(0), 0);
  });

  test('a missing rate is rejected by name and leaves the volume; a halted contract needs none', () => {
    const batch = summary('BTC-PERPETUAL', null);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTC-PERPETUAL', reason: 'no rate' }]);
    assert.equal(batch.dayVolumes.length, 1);
    assert.deepEqual(summary('HALT_USDC-PERPETUAL', null).rejected, []);
  });

  test('BNB: the summary rounds its rate to four decimals, so only the ticker channel gives it', () => {
    const bnb = { ...contractOf('BTC_USDC-PERPETUAL'), base: 'BNB', venueSymbol: 'BNB_USDC-PERPETUAL' };
    const bnbContext = { ...context, contracts: new Map([[bnb.venueSymbol, bnb]]) };
    const row = { instrument_name: bnb.venueSymbol, volume_usd: 1, mark_price: 900 };
    const rounded = parseBookSummaries(reply([{ ...row, current_funding: 0 }]), bnbContext);
    assert.deepEqual([rounded.fundingQuotes, rounded.rejected], [[], []]);
    const fields = { best_bid_price: 899, best_ask_price: 900, current_funding: 0.0000423 };
    const ticker = parseTicker({ ...row, ...fields, timestamp: 1_794_697_200_000 }, bnbContext);
    assert.equal(ticker.fundingQuotes[0]?.ratePct, 0.00423);
  });

  test('one call a currency gives every rate: no poll is made per contract, and prints stay hourly', () => {
    assert.ok(deribit.polls.every((poll) => poll.kind === 'bulk'));
    assert.equal(deribit.printIntervalHours, 1);
  });

  const window = { fromMs: 1_790_000_000_000, toMs: 1_790_000_000_000 + 45 * DAY_MS };
  const prints = (count: number, fromMs: number) =>
    Array.from({ length: count }, (_, i) => ({
      timestamp: fromMs + i * HOUR_MS,
      index_price: 96_000,
      prev_index_price: 95_900,
      interest_1h: 1e-7,
      interest_8h: 9e-7,
    }));

  test('history takes the hourly interest, never the trailing eight hours', () => {
    const page = parseFundingHistory(reply(prints(2, window.fromMs)), contractOf('BTC-PERPETUAL'), window);
    assert.deepEqual(
      page.settlements.map((print) => [print.venueSymbol, print.ratePct, print.settledAtMs]),
      [
        ['BTC-PERPETUAL', 0.00001, window.fromMs],
        ['BTC-PERPETUAL', 0.00001, window.fromMs + HOUR_MS],
      ],
    );
  });

  test('a window longer than a page is requested in parts; an empty part does not end the walk', () => {
    assert.deepEqual(windowToRequest(window), { fromMs: window.fromMs, toMs: window.fromMs + 30 * DAY_MS });
    const empty = parseFundingHistory(reply([]), contractOf('BTC-PERPETUAL'), window);
    assert.deepEqual(empty.next, { fromMs: window.fromMs + 30 * DAY_MS + 1, toMs: window.toMs });
    const last = { fromMs: window.toMs - DAY_MS, toMs: window.toMs };
    assert.equal(parseFundingHistory(reply([]), contractOf('BTC-PERPETUAL'), last).next, null);
  });

  test('a page that was cut is continued after its newest returned timestamp', () => {
    const page = parseFundingHistory(reply(prints(744, window.fromMs)), contractOf('BTC-PERPETUAL'), window);
    assert.deepEqual(page.next, { fromMs: window.fromMs + 743 * HOUR_MS + 1, toMs: window.toMs });
  });

  test('a print without rate or time is rejected by name', () => {
    const page = parseFundingHistory(reply([{ timestamp: 1 }, null]), contractOf('BTC-PERPETUAL'), window);
    assert.deepEqual(page.rejected[0], { venueSymbol: 'BTC-PERPETUAL', reason: 'no rate or time' });
    assert.equal(page.rejected.length, 2);
  });
});

suite('Deribit prices and volumes', () => {
  const top = (venueSymbol: string, fields: object) =>
    parseTicker({ instrument_name: venueSymbol, timestamp: 1_794_697_200_000, ...fields }, context);

  test('a linear amount is base units as it is, not a number of contracts', () => {
    const book = top('BTC_USDC-PERPETUAL', {
      best_bid_price: 96_000,
      best_bid_amount: 0.0012,
      best_ask_price: 96_001,
      best_ask_amount: 0.3001,
    }).bookTops[0];
    assert.deepEqual([book?.bidSize, book?.askSize], [0.0012, 0.3001]);
  });

  test('an inverse amount is dollars, so its size is the amount over the price', () => {
    const book = top('BTC-PERPETUAL', {
      best_bid_price: 50_000,
      best_bid_amount: 1000,
      best_ask_price: 50_001,
      best_ask_amount: 10,
    }).bookTops[0];
    assert.equal(book?.bidSize, 1000 / 50_000);
    const depth = parseOrderBook(
      reply({ bids: [[50_000, 1000]], asks: [[50_001, 20], 'odd'], timestamp: 1_794_697_200_000 }),
      contractOf('BTC-PERPETUAL'),
    );
    assert.deepEqual(depth.bids, [[50_000, 0.02]]);
    assert.deepEqual(depth.asks, [[50_001, 20 / 50_001]]);
  });

  test('an empty side and a crossed book are rejected by name, an unknown instrument ignored', () => {
    const reason = (bid: number, ask: number) =>
      top('BTC-PERPETUAL', { best_bid_price: bid, best_ask_price: ask }).rejected[0]?.reason;
    assert.equal(reason(0, 50_000), 'no bid or ask');
    assert.equal(reason(50_001, 50_000), 'crossed book');
    assert.equal(top('NEW_USDC-PERPETUAL', {}).ignored.get('not in the contract list'), 1);
  });

  test('turnover is in dollars for both kinds; dated futures in the summary are ignored', () => {
    const batch = parseBookSummaries(
      reply([
        {
          instrument_name: 'BTC-PERPETUAL',
          volume: 7,
          volume_usd: 700_000,
          mark_price: 96_000,
          current_funding: 0,
        },
        {
          instrument_name: 'BTC_USDC-PERPETUAL',
          volume: 1,
          volume_notional: 96_000,
          last: 96_000,
          current_funding: 0,
        },
        { instrument_name: 'BTC-26MAR27', volume_usd: 5 },
        { instrument_name: 'HALT_USDC-PERPETUAL', volume: null },
        { instrument_name: 'NEW_USDC-PERPETUAL', volume_usd: 5 },
      ]),
      context,
    );
    assert.deepEqual(
      batch.dayVolumes.map((row) => [row.venueSymbol, row.volume24hUsdt, row.referencePrice]),
      [
        ['BTC-PERPETUAL', 700_000, 96_000],
        ['BTC_USDC-PERPETUAL', 96_000, 96_000],
      ],
    );
    assert.deepEqual(Object.fromEntries(batch.ignored), { 'dated future': 1, 'not in the contract list': 1 });
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'HALT_USDC-PERPETUAL', reason: 'no volume' }]);
  });
});

suite('Deribit notices', () => {
  test('announcements have an id, a title and a time; one without is rejected', () => {
    const batch = parseAnnouncements(
      reply([
        {
          id: 17,
          title: 'New perpetual',
          body: '<p>SOON</p>',
          publication_timestamp: 1_794_600_000_000,
          important: true,
        },
        { id: 18, title: '', publication_timestamp: 1_794_600_000_000 },
        null,
      ]),
    );
    assert.deepEqual(batch.announcements, [
      {
        id: '17',
        title: 'New perpetual',
        body: '<p>SOON</p>',
        category: 'important',
        url: null,
        publishedAtMs: 1_794_600_000_000,
      },
    ]);
    assert.equal(batch.rejected.length, 2);
  });
});

suite('Deribit stream', () => {
  const session = tickers.open([contractOf('BTC-PERPETUAL'), contractOf('BTC_USDC-PERPETUAL')]);

  test('a heartbeat is set and every channel is subscribed in one call', () => {
    const sent = session.opening.map((text) => JSON.parse(text));
    assert.deepEqual(
      sent.map((request) => [request.method, request.params]),
      [
        ['public/set_heartbeat', { interval: 30 }],
        ['public/subscribe', { channels: ['ticker.BTC-PERPETUAL.agg2', 'ticker.BTC_USDC-PERPETUAL.agg2'] }],
      ],
    );
  });

  test('a channel that the answer leaves out was refused', () => {
    const { batch } = session.receive({ id: 2, result: ['ticker.BTC-PERPETUAL.agg2'] }, context);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTC_USDC-PERPETUAL', reason: 'subscription refused' }]);
  });

  test('halted and announced instruments are neither subscribed to nor polled for a rate', () => {
    const names = [...contracts.values()].filter(tickers.applies).map((contract) => contract.venueSymbol);
    assert.ok(!names.includes('SOON_USDC-PERPETUAL') && !names.includes('HALT_USDC-PERPETUAL'));
  });
});

asSent(
  'deribit',
  {
    instruments: () => capture('deribit', 'http_get_instruments.json'),
    combos: () => capture('deribit', 'http_get_instruments_future_combo.json'),
    linearInstruments: () => reply(ccxtInstruments('deribit').filter((info) => info !== null)),
    orderBook: () => capture('deribit', 'http_get_order_book.json'),
  },
  (sent) => {
    test('instruments: contracts of 10 dollars; the year 3000 is no end; dated futures, options and combos are ignored', () => {
      const batch = parseInstruments(sent('instruments'), 0);
      assert.deepEqual(batch.rejected, []);
      const [btc] = batch.contractList?.contracts ?? [];
      assert.deepEqual(
        [
          btc?.venueSymbol,
          btc?.isInverse,
          btc?.contractSize,
          btc?.status,
          btc?.maxLeverage,
          btc?.delistsAtMs,
        ],
        ['BTC-PERPETUAL', true, 10, 'trading', 50, null],
      );
      assert.equal(btc?.listedAtMs, Date.UTC(2018, 7, 13, 13, 42, 34));
      assert.deepEqual([batch.ignored.get('dated future'), batch.ignored.get('option')], [1, 1]);
      const combos = parseInstruments(sent('combos'), 0);
      assert.deepEqual([combos.contractList?.contracts, combos.rejected], [[], []]);
      assert.ok((combos.ignored.get('future_combo') ?? 0) > 0);
    });

    test('linear instruments count base units, whatever contract_size says; spot is ignored', () => {
      const batch = parseInstruments(sent('linearInstruments'), 0);
      assert.deepEqual(batch.rejected, []);
      const btc = rowOfSymbol(batch.contractList?.contracts ?? [], 'BTC_USDT-PERPETUAL');
      assert.deepEqual([btc.isInverse, btc.settle, btc.contractSize], [false, 'USDT', 1]);
      assert.ok((batch.ignored.get('spot') ?? 0) > 0);
    });

    test('a book: amounts are dollars and become bitcoins', () => {
      const depth = parseOrderBook(sent('orderBook'), contractOf('BTC-PERPETUAL'));
      // 199,190 USD / 87,002.5 and 125,090 USD / 87,003.
      assert.deepEqual(
        [depth.bids[0], depth.asks[0]].map((level) => [level?.[0], level?.[1].toFixed(6)]),
        [
          [87_002.5, '2.289474'],
          [87_003, '1.437767'],
        ],
      );
      assert.equal(depth.venueTimeMs, 1_766_554_855_140);
    });

    test('stream: a ticker, the request for a sign of life, an error', () => {
      const session = tickers.open([contractOf('BTC-PERPETUAL')]);
      const { batch } = session.receive(sent('ticker'), context);
      const [top] = batch.bookTops;
      // 117,660 USD / 92,283.5 and 186,520 USD / 92,284.
      assert.deepEqual(
        [top?.bidPrice, top?.bidSize?.toFixed(6), top?.askPrice, top?.askSize?.toFixed(6), top?.venueTimeMs],
        [92_283.5, '1.274984', 92_284, '2.021152', 1_765_541_474_086],
      );
      assert.equal(batch.marketFigures[0]?.indexPrice, 92_263.55);
      const answer = session.receive(sent('testRequest'), context).replies?.[0];
      assert.equal(JSON.parse(answer ?? '{}').method, 'public/test');
      assert.throws(() => session.receive(sent('error'), context), BadReply);
    });

    test('settled rates are those of one hour, interest_1h; interest_8h is the sum of eight', () => {
      const window = { fromMs: 1_569_800_000_000, toMs: 1_569_900_000_000 };
      const { settlements } = parseFundingHistory(
        sent('fundingRateHistory'),
        contractOf('BTC-PERPETUAL'),
        window,
      );
      // -4.739622041017375e-7 × 100, to ten decimals.
      assert.deepEqual(
        settlements.map((print) => [print.ratePct.toFixed(8), print.settledAtMs]),
        [['-0.00004740', Date.UTC(2019, 9, 1, 1)]],
      );
    });
  },
);

// There are no recorded replies of Bitunix beside the checkout. The rows marked below were measured on 2026-09-23.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowsOf } from '../../../test/support/as-sent.ts';
import { BadReply } from '../reading.ts';
import { parseDepth, parseHistory, parsePairs, parseRates, parseTickers } from './parse.ts';
import { tops } from './stream.ts';
import { bitunix } from './venue.ts';

const listed = parsePairs(
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/trading-pairs.json`, 'utf8')),
);
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const NOW_MS = Date.UTC(2026, 8, 23, 1, 25);
const context = { receivedAtMs: NOW_MS, contracts };
const contractOf = (venueSymbol: string) => {
  const contract = contracts.get(venueSymbol);
  assert.ok(contract, venueSymbol);
  return contract;
};
const reply = (data: unknown) => ({ code: 0, data, msg: 'Success' });

const rate = (symbol: string, fields: object = {}) => ({
  symbol,
  markPrice: '86688.3',
  lastPrice: '86699.6',
  indexPrice: '86720.6',
  fundingRate: '0.003757',
  fundingInterval: 8,
  nextFundingTime: String(Date.UTC(2026, 8, 23, 8)),
  maxFundingRate: '0.3',
  minFundingRate: '-0.3',
  ...fields,
});

suite('Bitunix contracts', () => {
  test('linear contracts are taken, coin-margined ignored, bad rows rejected with a reason', () => {
    assert.equal(contracts.size, 9);
    assert.deepEqual([...listed.ignored], [['coin-margined, with sizes in an undocumented unit', 1]]);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODDUSDT', reason: 'unknown status SLEEP' },
      { venueSymbol: 'BTCEUR', reason: 'no quote' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('1000PEPEUSDT is a thousand PEPE, whatever base says', () => {
    assert.deepEqual(
      [contractOf('1000PEPEUSDT').base, contractOf('1000PEPEUSDT').contractSize],
      ['1000PEPE', 1],
    );
    assert.deepEqual([contractOf('BTCUSDC').base, contractOf('BTCUSDC').settle], ['BTC', 'USDC']);
  });

  test('PREVIEW is before the opening, CANCEL_ONLY and STOP are halted', () => {
    const states = ['BTCUSDT', 'FDUSDUSDT', 'ENDUSDT', 'STOPUSDT'].map((name) => contractOf(name).status);
    assert.deepEqual(states, ['trading', 'preopen', 'halted', 'halted']);
    assert.equal(contractOf('BTCUSDT').maxLeverage, 125);
  });

  test('what takes no orders by API is a stock; metals are known by name', () => {
    const classes = ['MSFTUSDT', 'XAUUSDT', 'BTCUSDT'].map((name) => contractOf(name).assetClass);
    assert.deepEqual(classes, ['stock', 'commodity', 'crypto']);
  });

  test('errors come with HTTP 200: they are bad replies, and two of the codes demand a pause', () => {
    const error = { code: 10005, data: null, msg: 'Too many requests, please try again later' };
    assert.throws(() => parsePairs(error), BadReply);
    assert.throws(() => parseRates({ code: 404, data: null, msg: 'Not Found' }, context), BadReply);
    assert.deepEqual(bitunix.tooManyCodes?.codes, ['10005', '10006']);
  });
});

suite('Bitunix rates', () => {
  test('the running rate is a percent, the settled one a fraction: ETHUSD on 2026-09-23 had 0.01 and 0.0001', () => {
    const [quote] = parseRates(reply([rate('BTCUSDT', { fundingRate: '0.01' })]), context).fundingQuotes;
    const window = { fromMs: 0, toMs: NOW_MS };
    const rows = [{ fundingRate: '0.0001', fundingTime: String(Date.UTC(2026, 8, 23)), markPrice: '86000' }];
    const [print] = parseHistory(reply(rows), contractOf('BTCUSDT'), window).settlements;
    assert.deepEqual([quote?.ratePct, print?.ratePct], [0.01, 0.01]);
  });

  test('a rate has its own interval in hours; 0 is a rate', () => {
    const rows = [
      rate('BTCUSDT', { fundingRate: '-0.003173' }),
      rate('1000PEPEUSDT', { fundingRate: '0', fundingInterval: 1 }),
      rate('BTCUSDC', { fundingInterval: null }),
    ];
    const quotes = parseRates(reply(rows), context).fundingQuotes;
    assert.deepEqual(
      quotes.map(({ ratePct, intervalHours }) => [ratePct, intervalHours]),
      [
        [-0.003173, 8],
        [0, 1],
        [0.003757, null],
      ],
    );
    assert.equal(quotes[0]?.nextFundingAtMs, Date.UTC(2026, 8, 23, 8));
  });

  test('a contract may settle off the grid from midnight: MTLUSDT, every 4 hours, at 05:00', () => {
    const at = Date.UTC(2026, 8, 23, 5);
    const row = rate('MTLUSDT', { fundingInterval: 4, nextFundingTime: String(at) });
    assert.equal(parseRates(reply([row]), context).fundingQuotes[0]?.nextFundingAtMs, at);
  });

  test('delisted and coming contracts have a rate of 0 and a time just past: no quote is made of them', () => {
    const idle = {
      fundingRate: '0',
      nextFundingTime: String(NOW_MS - 7001),
      markPrice: '0',
      indexPrice: null,
    };
    const batch = parseRates(
      reply([rate('MILKUSDT', idle), rate('FDUSDUSDT', idle), rate('BTCUSDT')]),
      context,
    );
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => quote.venueSymbol),
      ['BTCUSDT'],
    );
    assert.deepEqual(
      [...batch.ignored],
      [
        ['not in the contract list', 1],
        ['no settlements', 1],
      ],
    );
    assert.deepEqual(batch.rejected, []);
  });

  test('mark and index come with the rate; a row without a rate keeps them and is counted', () => {
    const batch = parseRates(reply([rate('BTCUSDT', { fundingRate: '' })]), context);
    assert.deepEqual(batch.marketFigures, [
      { venueSymbol: 'BTCUSDT', markPrice: 86_688.3, indexPrice: 86_720.6, openInterestUsdt: null },
    ]);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTCUSDT', reason: 'no rate' }]);
  });

  test('quoteVol is the turnover in USDT', () => {
    const row = {
      symbol: 'BTCUSDT',
      markPrice: '60240',
      lastPrice: '60250',
      quoteVol: '723000',
      baseVol: '12',
    };
    assert.deepEqual(parseTickers(reply([row]), context).dayVolumes, [
      { venueSymbol: 'BTCUSDT', volume24hUsdt: 723_000, referencePrice: 60_250 },
    ]);
  });
});

suite('Bitunix history and books', () => {
  const window = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 8, 23) };

  test('E3: a full page continues before its oldest print; rows name no contract', () => {
    const times = Array.from({ length: 200 }, (_, i) => window.toMs - i * 3_600_000);
    const rows = times.map((at) => ({ fundingRate: '-0.0000077', fundingTime: String(at) }));
    const page = parseHistory(reply(rows), contractOf('BTCUSDT'), window);
    assert.deepEqual(page.settlements[0], {
      venueSymbol: 'BTCUSDT',
      ratePct: -0.00077,
      settledAtMs: window.toMs,
    });
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: (times.at(-1) ?? 0) - 1 });
    assert.equal(parseHistory(reply(rows.slice(1)), contractOf('BTCUSDT'), window).next, null);
  });

  test('both ends are requested, the start in the spelling of the documentation', async () => {
    let query: Record<string, unknown> | undefined;
    const send = async (request: { query?: Record<string, unknown> }) => {
      query = request.query;
      return { payload: reply([]), receivedAtMs: NOW_MS };
    };
    await bitunix.settlements(contractOf('BTCUSDT'), window, { send, contracts });
    assert.deepEqual(query, { symbol: 'BTCUSDT', starTime: window.fromMs, endTime: window.toMs, limit: 200 });
  });

  test('a book has base units, and levels of empty texts are none', () => {
    const data = {
      asks: [['86699.7', '0.7095']],
      bids: [
        ['86699.6', '2.274'],
        ['', ''],
      ],
    };
    const depth = parseDepth(reply(data), contractOf('BTCUSDT'));
    assert.deepEqual([depth.bids, depth.asks], [[[86_699.6, 2.274]], [[86_699.7, 0.7095]]]);
  });
});

suite('Bitunix stream', () => {
  const session = tops.open([contractOf('BTCUSDT'), contractOf('1000PEPEUSDT')]);
  const push = (symbol: string, b: unknown, a: unknown) => ({
    ch: 'depth_book1',
    symbol,
    ts: 1_790_126_515_693,
    data: { b, a },
  });

  test('one request subscribes to all contracts of a socket', () => {
    assert.deepEqual(
      session.opening.map((text) => JSON.parse(text)),
      [
        {
          op: 'subscribe',
          args: [
            { symbol: 'BTCUSDT', ch: 'depth_book1' },
            { symbol: '1000PEPEUSDT', ch: 'depth_book1' },
          ],
        },
      ],
    );
  });

  test('a push is the whole top, in base units, as measured on 2026-09-23', () => {
    const message = push('BTCUSDT', [['86699.6', '2.274']], [['86699.7', '0.7095']]);
    assert.deepEqual(session.receive(message, context).batch.bookTops, [
      {
        venueSymbol: 'BTCUSDT',
        bidPrice: 86_699.6,
        bidSize: 2.274,
        askPrice: 86_699.7,
        askSize: 0.7095,
        venueTimeMs: 1_790_126_515_693,
      },
    ]);
  });

  test('an unknown symbol gets a push without prices, which is counted and no top', () => {
    const { batch } = session.receive(push('FDUSDUSDT', [['', '']], [['', '']]), context);
    assert.deepEqual(
      [batch.bookTops, batch.rejected],
      [[], [{ venueSymbol: 'FDUSDUSDT', reason: 'no bid or ask' }]],
    );
  });

  test('pongs are no data, a refusal makes the collector reconnect', () => {
    const pong = { op: 'ping', pong: 1_790_126_498, ping: 1_790_126_491 };
    assert.deepEqual(session.receive(pong, context).batch.bookTops, []);
    const refusal = { op: 'subscribe', data: { msg: 'subscribe channel > 300', nonce: '', result: false } };
    assert.throws(() => session.receive(refusal, context), BadReply);
    assert.deepEqual(JSON.parse(tops.heartbeat?.message(1_790_126_498_765) ?? ''), {
      op: 'ping',
      ping: 1_790_126_498,
    });
  });
});

asSent('bitunix', {}, (sent) => {
  const list = parsePairs(sent('tradingPairs'));
  const known = { receivedAtMs: Date.UTC(2026, 8, 23, 1, 25), contracts: contractsOf(list) };

  test('contracts: 1000PEPEUSDT is a thousand PEPE though base says PEPE; PREVIEW is not open', () => {
    assert.deepEqual(
      rowsOf([...known.contracts.values()], 'BTCUSDT', '1000PEPEUSDT', 'FDUSDUSDT').map((c) => [
        c.base,
        c.status,
        c.maxLeverage,
      ]),
      [
        ['BTC', 'trading', 125],
        ['1000PEPE', 'trading', null],
        ['FDUSD', 'preopen', null],
      ],
    );
  });

  test('rates are percents, of 8 hours and of one; the row of an ended contract is left out', () => {
    const { fundingQuotes } = parseRates(sent('fundingRateBatch'), known);
    assert.deepEqual(
      fundingQuotes.map((q) => [q.venueSymbol, q.ratePct, q.intervalHours, q.nextFundingAtMs]),
      [
        ['BTCUSDT', 0.003757, 8, Date.UTC(2026, 8, 23, 8)],
        ['GUSDT', -0.030226, 1, Date.UTC(2026, 8, 23, 2)],
      ],
    );
  });

  test('settled rates are fractions; a book', () => {
    const window = { fromMs: 1_790_000_000_000, toMs: known.receivedAtMs };
    const [btc] = rowsOf([...known.contracts.values()], 'BTCUSDT');
    assert.ok(btc);
    assert.deepEqual(parseHistory(sent('fundingRateHistory'), btc, window).settlements, [
      { venueSymbol: 'BTCUSDT', ratePct: -0.00077, settledAtMs: Date.UTC(2026, 8, 23) },
    ]);
    const depth = parseDepth(sent('depth'), btc);
    assert.deepEqual(
      [depth.bids[0], depth.asks[0]],
      [
        [0.1, 1],
        [0.1001, 0.1],
      ],
    );
  });
});

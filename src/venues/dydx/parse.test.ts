import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowsOf } from '../../../test/support/as-sent.ts';
import { capture } from '../../../test/support/recordings.ts';
import { BadReply } from '../reading.ts';
import { parseHistoricalFunding, parseMarkets, parseOrderbook } from './parse.ts';
import { orderbookStream, subscription } from './stream.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const AT_MS = Date.UTC(2026, 10, 14, 22, 20, 5);
const listed = parseMarkets(fixture('perpetual-markets'), AT_MS);
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const btc = contracts.get('BTC-USD');
assert.ok(btc);

suite('dYdX contracts', () => {
  test('markets are linear, quoted in USD, settled in USDC, in plain base units', () => {
    assert.deepEqual(
      [btc.base, btc.quote, btc.settle, btc.isInverse, btc.contractSize, btc.maxLeverage],
      ['BTC', 'USD', 'USDC', false, 1, 50],
    );
  });

  test('a market that is named by its price source has the first part as its base', () => {
    assert.equal(contracts.get('FART,RAYDIUM,9BB6NFEC-USD')?.base, 'FART');
  });

  test('XAG-USD and WTI-USD are commodities; PAXG-USD is a coin', () => {
    const names = ['XAG-USD', 'WTI-USD', 'PAXG-USD', 'BTC-USD'];
    const markets = Object.fromEntries(names.map((ticker) => [ticker, { ticker, status: 'ACTIVE' }]));
    assert.deepEqual(
      parseMarkets({ markets }, 0).contractList?.contracts.map((contract) => contract.assetClass),
      ['commodity', 'commodity', 'crypto', 'crypto'],
    );
  });

  test('every status has its place in a contract life, and an unknown one is rejected by name', () => {
    assert.deepEqual(
      ['BTC-USD', 'SOON-USD', 'HALT-USD', 'GONE-USD'].map((symbol) => contracts.get(symbol)?.status),
      ['trading', 'preopen', 'halted', 'delisted'],
    );
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYST-USD', reason: 'unknown status SLEEPING' },
      { venueSymbol: 'NORATE-USD', reason: 'no rate' },
      { venueSymbol: 'NOVOL-USD', reason: 'no volume' },
      { venueSymbol: 'ODD', reason: 'no base or quote in the ticker' },
    ]);
  });

  test('an error body is a bad reply, not an empty list', () => {
    assert.throws(() => parseMarkets({ errors: [{ msg: 'Too many requests' }] }, AT_MS), BadReply);
    assert.throws(() => parseMarkets({ markets: [] }, AT_MS), BadReply);
  });
});

suite('dYdX funding', () => {
  const rates = new Map(listed.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));

  test('C7: nextFundingRate is a fraction of one hour, given in percent; zero is a value', () => {
    assert.equal(rates.get('BTC-USD')?.ratePct, 0.000125);
    assert.equal(rates.get('PEPE-USD')?.ratePct, -0.013181818181818182);
    assert.equal(rates.get('ZERO-USD')?.ratePct, 0);
  });

  test('D7: settlements are hourly and the next one is the next full hour', () => {
    assert.equal(rates.get('BTC-USD')?.intervalHours, 1);
    assert.equal(rates.get('BTC-USD')?.nextFundingAtMs, Date.UTC(2026, 10, 14, 23));
  });

  test('G1: a market in final settlement or not yet open has neither rate nor volume', () => {
    assert.equal(rates.has('GONE-USD'), false);
    assert.equal(rates.has('SOON-USD'), false);
    assert.equal(
      listed.dayVolumes.some((volume) => volume.venueSymbol === 'GONE-USD'),
      false,
    );
    assert.equal(rates.get('HALT-USD')?.ratePct, 0.002);
  });

  test('volume is in USD already', () => {
    assert.deepEqual(listed.dayVolumes[0], {
      venueSymbol: 'BTC-USD',
      volume24hUsdt: 151_000_000.25,
      referencePrice: 96_400.5,
    });
  });

  test('E3: pages run from new to old, and a full one continues before its oldest returned time', () => {
    const row = { ticker: 'BTC-USD', rate: '0.0000125', price: '96000', effectiveAtHeight: '1' };
    const reply = {
      historicalFunding: [
        { ...row, effectiveAt: '2026-11-14T22:00:00.219Z' },
        { ...row, effectiveAt: '2026-11-14T21:00:00.586Z', rate: '0' },
        { ...row, effectiveAt: 'yesterday' },
      ],
    };
    const window = { fromMs: Date.UTC(2026, 10, 14), toMs: AT_MS };
    const page = parseHistoricalFunding(reply, window, 3);
    assert.deepEqual(
      page.settlements.map((print) => [print.ratePct, print.settledAtMs]),
      [
        [0.00125, Date.UTC(2026, 10, 14, 22, 0, 0, 219)],
        [0, Date.UTC(2026, 10, 14, 21, 0, 0, 586)],
      ],
    );
    assert.deepEqual(page.rejected, [{ venueSymbol: 'BTC-USD', reason: 'no rate or time' }]);
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: Date.UTC(2026, 10, 14, 21, 0, 0, 585) });
    assert.equal(parseHistoricalFunding(reply, window, 4).next, null);
  });

  test('the walk ends with a page that is not full, or with a row that is older than the window', () => {
    const window = { fromMs: Date.UTC(2026, 10, 14, 22), toMs: AT_MS };
    assert.equal(parseHistoricalFunding({ historicalFunding: [] }, window, 1).next, null);
    const old = { ticker: 'BTC-USD', rate: '0.1', effectiveAt: '2026-11-14T21:00:00.586Z' };
    const page = parseHistoricalFunding({ historicalFunding: [old] }, window, 1);
    assert.deepEqual([page.settlements, page.next], [[], null]);
  });
});

suite('dYdX order books over the socket', () => {
  const context = { receivedAtMs: AT_MS, contracts };
  const about = (type: string, contents: unknown, id = 'BTC-USD') => ({
    type,
    channel: 'v4_orderbook',
    id,
    contents,
  });
  const snapshot = about('subscribed', {
    bids: [
      { price: '96400', size: '0.5' },
      { price: '96399', size: '1' },
    ],
    asks: [
      { price: '96401', size: '0.25' },
      { price: '96402', size: '2' },
    ],
  });
  const topsOf = (session: ReturnType<typeof orderbookStream.open>, message: unknown) =>
    session
      .receive(message, context)
      .batch.bookTops.map((top) => [top.bidPrice, top.bidSize, top.askPrice, top.askSize]);

  test('a snapshot gives the top, batched changes move it, size 0 removes a level', () => {
    const session = orderbookStream.open([btc]);
    assert.ok(session.opening.includes(subscription('BTC-USD')));
    assert.deepEqual(topsOf(session, { type: 'connected', message_id: 0 }), []);
    assert.deepEqual(topsOf(session, snapshot), [[96_400, 0.5, 96_401, 0.25]]);
    const batched = about('channel_batch_data', [{ bids: [['96400', '0']] }, { asks: [['96400.5', '3']] }]);
    assert.deepEqual(topsOf(session, batched), [[96_399, 1, 96_400.5, 3]]);
    // Short decimals arrive as numbers (`sendsDecimalTexts`), others as texts: both name the same levels.
    const numbers = about('channel_batch_data', [{ bids: [[96_400.5, 0]], asks: [[96_400.5, 0]] }]);
    assert.deepEqual(topsOf(session, numbers), [[96_399, 1, 96_401, 0.25]]);
  });

  test('a change of one side before any snapshot is not taken for a book', () => {
    const session = orderbookStream.open([btc]);
    assert.deepEqual(topsOf(session, about('channel_data', { bids: [['96400', '1']] })), []);
  });

  test('a crossed book loses the older level, as the venue advises', () => {
    const session = orderbookStream.open([btc]);
    topsOf(session, snapshot);
    assert.deepEqual(topsOf(session, about('channel_data', { bids: [['96401', '4']] })), [
      [96_401, 4, 96_402, 2],
    ]);
  });

  test('levels of one message that cross are rejected by name', () => {
    const session = orderbookStream.open([btc]);
    const crossed = about('subscribed', {
      bids: [{ price: '2', size: '1' }],
      asks: [{ price: '1', size: '1' }],
    });
    assert.deepEqual(session.receive(crossed, context).batch.rejected, [
      { venueSymbol: 'BTC-USD', reason: 'crossed book' },
    ]);
  });

  test('an empty side is no error and takes the held top away', () => {
    const session = orderbookStream.open([btc]);
    topsOf(session, snapshot);
    const batch = session.receive(
      about('channel_data', {
        bids: [
          ['96400', '0'],
          ['96399', '0'],
        ],
      }),
      context,
    ).batch;
    assert.deepEqual([batch.bookTops, batch.rejected], [[], []]);
    assert.equal(batch.ignored.get('one-sided book'), 1);
  });

  test('a quiet book is repeated while blocks prove that the socket is alive', () => {
    const session = orderbookStream.open([btc]);
    topsOf(session, snapshot);
    const block = { type: 'channel_data', channel: 'v4_block_height', id: 'v4_block_height', contents: {} };
    const later = { ...context, receivedAtMs: AT_MS + 15_000 };
    assert.equal(session.receive(block, later).batch.bookTops[0]?.bidPrice, 96_400);
    assert.deepEqual(session.receive(block, later).batch.bookTops, []);
  });

  test('a refused market is retried later and costs no other; an error about all ends the socket', () => {
    const session = orderbookStream.open([btc]);
    const refusal = { ...about('error', undefined), message: 'Internal error, could not fetch data' };
    const first = session.receive(refusal, context);
    assert.deepEqual(first.batch.rejected, [{ venueSymbol: 'BTC-USD', reason: 'subscription refused' }]);
    assert.deepEqual(first.replies, []);
    const later = { ...context, receivedAtMs: AT_MS + 30_000 };
    assert.deepEqual(session.receive({ type: 'connected' }, later).replies, [subscription('BTC-USD')]);
    assert.throws(
      () => session.receive({ type: 'error', message: 'Too many subscribe attempts' }, context),
      BadReply,
    );
  });

  test('no socket carries more books than the venue allows, and none a closed market', () => {
    assert.equal(orderbookStream.contractsPerSocket, 32);
    const applies = (symbol: string) => {
      const contract = contracts.get(symbol);
      return contract !== undefined && orderbookStream.applies(contract);
    };
    assert.deepEqual(['BTC-USD', 'SOON-USD', 'GONE-USD'].map(applies), [true, false, false]);
  });
});

const resultIn = (file: string) => () => (capture('dydx', file) as { result: unknown }).result;

asSent(
  'dydx',
  {
    perpetualMarkets: resultIn('http_get_perpetual_markets.json'),
    historicalFunding: resultIn('http_get_historical_funding.json'),
    orderbook: resultIn('http_get_orderbook.json'),
  },
  (sent) => {
    test('perpetualMarkets: a fraction of one hour, dollars of volume, a leverage of 1 / initial margin', () => {
      const batch = parseMarkets(sent('perpetualMarkets'), Date.UTC(2025, 11, 8, 16, 12));
      assert.deepEqual(batch.rejected, []);
      const symbols = ['BTC-USD', 'SOL-USD'];
      assert.deepEqual(
        rowsOf(batch.fundingQuotes, ...symbols).map((q) => [q.ratePct, q.intervalHours, q.nextFundingAtMs]),
        [
          [0.000254545454545455, 1, Date.UTC(2025, 11, 8, 17)],
          [-0.000143181818181818, 1, Date.UTC(2025, 11, 8, 17)],
        ],
      );
      assert.deepEqual(
        rowsOf(batch.dayVolumes, ...symbols).map((v) => [v.volume24hUsdt, v.referencePrice]),
        [
          [247_500_844.6834, 89_919.2],
          [54_043_106.256, 135.3],
        ],
      );
      // 1 / 0.02 and 1 / 0.05.
      assert.deepEqual(
        rowsOf(batch.contractList?.contracts ?? [], ...symbols).map((c) => c.maxLeverage),
        [50, 20],
      );
      // 381.7348 BTC × 89,919.2 and 41,917.9 SOL × 135.3.
      assert.deepEqual(
        rowsOf(batch.marketFigures, ...symbols).map((f) => f.openInterestUsdt?.toFixed(2)),
        ['34325287.83', '5671491.87'],
      );
    });

    test('historicalFunding: hourly prints, newest first', () => {
      const window = { fromMs: Date.UTC(2025, 11, 8, 15), toMs: Date.UTC(2025, 11, 8, 17) };
      const page = parseHistoricalFunding(sent('historicalFunding'), window, 1000);
      assert.deepEqual(
        page.settlements.map((print) => [print.ratePct, print.settledAtMs]),
        [
          [0.0002375, Date.UTC(2025, 11, 8, 16, 0, 0, 219)],
          [0.0000375, Date.UTC(2025, 11, 8, 15, 0, 0, 586)],
        ],
      );
    });

    test('a book', () => {
      const depth = parseOrderbook(sent('orderbook'), btc);
      assert.deepEqual(
        [depth.bids[0], depth.asks[1]],
        [
          [89_947, 0.0002],
          [89_959, 0.1829],
        ],
      );
    });

    test('socket messages: snapshot, change, a block and an error', () => {
      const session = orderbookStream.open([btc]);
      const context = { receivedAtMs: AT_MS, contracts };
      const topAfter = (call: string) => {
        const [top] = session.receive(sent(call), context).batch.bookTops;
        return [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize];
      };
      assert.deepEqual(topAfter('bookSubscribed'), [43_240, 1.5, 43_250, 1.2]);
      // The ask of 43,250 has gone, and 43,252 is better than the next of the snapshot.
      assert.deepEqual(topAfter('bookUpdate'), [43_240, 2, 43_252, 3]);
      assert.deepEqual(session.receive(sent('blockHeight'), context).batch.rejected, []);
      assert.equal(session.receive(sent('error'), context).batch.rejected[0]?.reason, 'subscription refused');
    });
  },
);

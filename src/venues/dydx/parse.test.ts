import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { capture, recordingsMissing } from '../../../test/support/recordings.ts';
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

suite('dYdX recordings', { skip: recordingsMissing }, () => {
  const result = (file: string) => (capture('dydx', file) as { result: unknown }).result;

  test('recorded perpetualMarkets: three markets with hourly rates far below a percent', () => {
    const batch = parseMarkets(result('http_get_perpetual_markets.json'), Date.UTC(2025, 11, 8, 16, 12));
    assert.deepEqual(batch.rejected, []);
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct, quote.nextFundingAtMs]),
      [
        ['BTC-USD', 0.000254545454545455, Date.UTC(2025, 11, 8, 17)],
        ['ETH-USD', 0.000125, Date.UTC(2025, 11, 8, 17)],
        ['SOL-USD', -0.000143181818181818, Date.UTC(2025, 11, 8, 17)],
      ],
    );
    assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 247_500_844.6834);
    assert.deepEqual(
      batch.contractList?.contracts.map((contract) => contract.maxLeverage),
      [50, 50, 20],
    );
  });

  test('recorded historicalFunding: three hourly prints, newest first', () => {
    const window = { fromMs: Date.UTC(2025, 11, 8, 14), toMs: Date.UTC(2025, 11, 8, 17) };
    const page = parseHistoricalFunding(result('http_get_historical_funding.json'), window, 1000);
    assert.deepEqual(
      page.settlements.map((print) => [print.ratePct, print.settledAtMs]),
      [
        [0.0002375, Date.UTC(2025, 11, 8, 16, 0, 0, 219)],
        [0.0000375, Date.UTC(2025, 11, 8, 15, 0, 0, 586)],
        [0.0000625, Date.UTC(2025, 11, 8, 14, 0, 0, 112)],
      ],
    );
  });

  test('recorded order book', () => {
    const depth = parseOrderbook(result('http_get_orderbook.json'), btc);
    assert.deepEqual(
      [depth.bids[0], depth.asks[0], depth.bids.length],
      [[89_947, 0.0002], [89_958, 0.1177], 5],
    );
  });

  test('recorded socket messages: snapshot, change and error', () => {
    const session = orderbookStream.open([btc]);
    const context = { receivedAtMs: AT_MS, contracts };
    const receive = (file: string) => session.receive(capture('dydx', file), context).batch;
    const first = receive('ws_orderbook_subscribed.json').bookTops[0];
    assert.deepEqual(
      [first?.bidPrice, first?.bidSize, first?.askPrice, first?.askSize],
      [43_240, 1.5, 43_250, 1.2],
    );
    const moved = receive('ws_orderbook_update.json').bookTops[0];
    assert.deepEqual(
      [moved?.bidPrice, moved?.bidSize, moved?.askPrice, moved?.askSize],
      [43_240, 2, 43_252, 3],
    );
    assert.deepEqual(receive('ws_block_height_subscribed.json').rejected, []);
    assert.deepEqual(receive('ws_block_height_update.json').rejected, []);
    assert.equal(receive('ws_error.json').rejected[0]?.reason, 'subscription refused');
  });
});

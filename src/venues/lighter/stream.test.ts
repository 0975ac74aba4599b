import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { capture } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { marketStream, subscription } from './stream.ts';

const AT_MS = Date.UTC(2026, 10, 14, 22, 20, 5);

const contractOf = (venueSymbol: string, id: number): Contract => ({
  venueSymbol,
  venueId: String(id),
  base: venueSymbol,
  quote: 'USDC',
  settle: 'USDC',
  isInverse: false,
  contractSize: 1,
  status: 'trading',
  venueStatus: 'active',
  assetClass: 'crypto',
  listedAtMs: null,
  delistsAtMs: null,
  maxLeverage: null,
  intervalHours: 1,
});
const eth = contractOf('ETH', 0);
const btc = contractOf('BTC', 1);
const known = (...list: Contract[]) => new Map(list.map((contract) => [contract.venueSymbol, contract]));
const context = { receivedAtMs: AT_MS, contracts: known(eth, btc) };

const stats = (fields: object) => ({
  channel: 'market_stats:all',
  type: 'update/market_stats',
  timestamp: AT_MS - 40,
  market_stats: {
    '1': {
      symbol: 'BTC',
      market_id: 1,
      mark_price: '96400.1',
      last_trade_price: '96400.5',
      current_funding_rate: '-0.0028',
      funding_rate: '0.0012',
      funding_timestamp: AT_MS - 1_205_000,
      daily_quote_token_volume: 1_500_000.5,
      best_bid_price: '96400.0',
      best_ask_price: '96400.2',
      ...fields,
    },
  },
});

const ticker = (id: number, bid: string, ask: string) => ({
  channel: `ticker:${id}`,
  type: 'update/ticker',
  timestamp: AT_MS - 10,
  last_updated_at: (AT_MS - 10) * 1000,
  ticker: {
    s: 'X',
    b: { price: bid, size: bid && '0.5' },
    a: { price: ask, size: ask && '2' },
  },
});

suite('Lighter stream', () => {
  test('B1, C2: the running rate is current_funding_rate in percent, not the one last paid', () => {
    const batch = marketStream.open([btc]).receive(stats({}), context).batch;
    assert.deepEqual(batch.fundingQuotes, [
      {
        venueSymbol: 'BTC',
        ratePct: -0.0028,
        nextFundingAtMs: Date.UTC(2026, 10, 14, 23),
        intervalHours: 1,
        venueTimeMs: AT_MS - 40,
      },
    ]);
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTC', volume24hUsdt: 1_500_000.5, referencePrice: 96_400.5 },
    ]);
  });

  test('a zero rate is a value and never minus zero', () => {
    const batch = marketStream.open([btc]).receive(stats({ current_funding_rate: '-0.0000' }), context).batch;
    assert.ok(Object.is(batch.fundingQuotes[0]?.ratePct, 0));
  });

  test('best prices of market_stats stand in without sizes until the ticker of the market has come', () => {
    const session = marketStream.open([btc]);
    const bridge = session.receive(stats({}), context).batch.bookTops[0];
    assert.deepEqual([bridge?.bidPrice, bridge?.bidSize, bridge?.askPrice], [96_400, null, 96_400.2]);
    const top = session.receive(ticker(1, '96399.9', '96400.1'), context).batch.bookTops[0];
    assert.deepEqual(
      [top?.venueSymbol, top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize, top?.venueTimeMs],
      ['BTC', 96_399.9, 0.5, 96_400.1, 2, AT_MS - 10],
    );
    assert.deepEqual(session.receive(stats({}), context).batch.bookTops, []);
  });

  test('market_stats without best prices gives no top and is no error', () => {
    const message = stats({ best_bid_price: '', best_ask_price: undefined });
    const batch = marketStream.open([btc]).receive(message, context).batch;
    assert.deepEqual([batch.bookTops, batch.rejected], [[], []]);
  });

  test('bad figures are rejected by name, unknown markets ignored, closed ones not taken', () => {
    const session = marketStream.open([btc]);
    const bad = session.receive(stats({ current_funding_rate: '' }), context).batch;
    assert.deepEqual(bad.rejected, [{ venueSymbol: 'BTC', reason: 'no rate' }]);
    const noVolume = session.receive(stats({ daily_quote_token_volume: null }), context).batch;
    assert.deepEqual(noVolume.rejected, [{ venueSymbol: 'BTC', reason: 'no volume' }]);
    const other = session.receive(stats({ market_id: 170 }), context).batch;
    assert.equal(other.ignored.get('not in the contract list'), 1);
    const closed = { ...context, contracts: known({ ...btc, status: 'delisted' }) };
    assert.deepEqual(session.receive(stats({}), closed).batch.fundingQuotes, []);
  });

  test('an empty side of a ticker is no error; crossed prices are rejected', () => {
    const session = marketStream.open([btc]);
    const empty = session.receive(ticker(1, '', '96400.1'), context).batch;
    assert.deepEqual([empty.bookTops, empty.rejected], [[], []]);
    const crossed = session.receive(ticker(1, '96401', '96400'), context).batch;
    assert.deepEqual(crossed.rejected, [{ venueSymbol: 'BTC', reason: 'crossed book' }]);
  });

  test('an update/ticker without a ticker costs neither the socket nor the held top', () => {
    const session = marketStream.open([eth, btc]);
    session.receive(ticker(1, '96400.0', '96400.2'), context);
    const { ticker: _ticker, ...empty } = ticker(1, '', '');
    assert.equal(session.receive(empty, context).batch.ignored.get('message without content'), 1);
    const later = { ...context, receivedAtMs: AT_MS + 15_000 };
    const { bookTops } = session.receive({ type: 'pong' }, later).batch;
    assert.deepEqual(
      bookTops.map((top) => [top.venueSymbol, top.bidPrice]),
      [['BTC', 96_400]],
    );
    const { market_stats: _stats, ...bare } = stats({});
    assert.equal(session.receive(bare, context).batch.ignored.get('message without content'), 1);
  });

  test('a quiet ticker is repeated while other messages prove that the socket is alive', () => {
    const session = marketStream.open([btc]);
    session.receive(ticker(1, '96399.9', '96400.1'), context);
    const later = { ...context, receivedAtMs: AT_MS + 15_000 };
    assert.equal(session.receive({ type: 'pong' }, later).batch.bookTops[0]?.bidPrice, 96_399.9);
  });

  test('subscriptions keep below 50 unanswered and 200 a minute, and all are sent in the end', () => {
    const many = Array.from({ length: 240 }, (_, i) => contractOf(`C${i}`, i));
    const session = marketStream.open(many);
    const all = { ...context, contracts: known(...many) };
    const sent = [...session.opening];
    assert.ok(sent.includes(subscription('market_stats/all')) && sent.length < 50);
    let answered = 1;
    const perMinute: number[] = [];
    for (let second = 0; second < 300; second++) {
      const receivedAtMs = AT_MS + second * 1000;
      const before = sent.length;
      const id = /ticker\/(\d+)/.exec(sent[answered] ?? '')?.[1];
      const message = id === undefined ? { type: 'pong' } : ticker(Number(id), '1', '2');
      if (id !== undefined) answered++;
      sent.push(...(session.receive(message, { ...all, receivedAtMs }).replies ?? []));
      assert.ok(sent.length - answered < 50, `${sent.length - answered} unanswered`);
      perMinute[Math.floor(second / 60)] = (perMinute[Math.floor(second / 60)] ?? 0) + sent.length - before;
    }
    assert.ok(
      perMinute.every((count) => count <= 100),
      perMinute.join(),
    );
    assert.equal(new Set(sent).size, 241);
  });

  test('after an error message no subscription is sent for a minute, then the unanswered ones again', () => {
    const session = marketStream.open([btc]);
    const error = { error: { code: 30009, message: 'Too Many Websocket Messages!' } };
    const refused = session.receive(error, context);
    assert.deepEqual(refused.batch.rejected, [{ venueSymbol: null, reason: 'error message' }]);
    assert.deepEqual(refused.replies, []);
    const later = { ...context, receivedAtMs: AT_MS + 60_000 };
    assert.deepEqual(session.receive({ type: 'pong' }, later).replies, [subscription('ticker/1')]);
  });

  test('a ping of the venue is answered', () => {
    const { replies } = marketStream.open([btc]).receive({ type: 'ping' }, context);
    assert.deepEqual(replies, ['{"type":"pong"}']);
  });
});

asSent(
  'lighter',
  {
    marketStats: () => capture('lighter', 'ws_market_stats_subscribed_single.json'),
    marketStatsAll: () => capture('lighter', 'ws_market_stats_update_all.json'),
    ticker: () => capture('lighter', 'ws_ticker_update.json'),
    tickerEmpty: () => capture('lighter', 'ws_ticker_subscribed_empty.json'),
  },
  (sent) => {
    const receive = (call: string) => marketStream.open([eth, btc]).receive(sent(call), context).batch;

    test('C2: market_stats is in percent: its clamps are 0.05 % and 4 %, the base interest 0.01 %', () => {
      const batch = receive('marketStats');
      assert.deepEqual(batch.rejected, []);
      // current_funding_rate runs; funding_rate beside it, -0.0005, was paid at funding_timestamp.
      assert.deepEqual(
        [batch.fundingQuotes[0]?.venueSymbol, batch.fundingQuotes[0]?.ratePct],
        ['BTC', -0.0028],
      );
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 1_531_624_159.687143);
      assert.equal(batch.marketFigures[0]?.openInterestUsdt, 102_123_609.308856);
    });

    test('market_stats of all markets', () => {
      const batch = receive('marketStatsAll');
      assert.deepEqual(batch.rejected, []);
      assert.equal(batch.dayVolumes[0]?.volume24hUsdt, 471_193_598.847246);
      assert.equal(batch.fundingQuotes[0]?.venueTimeMs, 1_774_883_844_933);
    });

    test('tickers: full, empty, and one of a market that is not ours', () => {
      const [top] = receive('ticker').bookTops;
      assert.deepEqual(
        [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize],
        [2064.3, 1.0392, 2064.48, 0.495],
      );
      assert.deepEqual(receive('tickerEmpty').bookTops, []);
      const ada = contractOf('ADA', 39);
      const { batch } = marketStream
        .open([ada])
        .receive(sent('tickerEmpty'), { ...context, contracts: known(ada) });
      assert.equal(batch.ignored.get('one-sided book'), 1);
    });
  },
);

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import { parseMetaAndAssetCtxs } from './parse.ts';
import { bboStream, openBboSession, PING } from './stream.ts';

const NOW_MS = 1_794_697_200_500;
const universe = [{ name: 'BTC' }, { name: 'OLDIE', isDelisted: true }, { name: 'HYPE' }];
const contracts = new Map<string, Contract>(
  parseMetaAndAssetCtxs([{ universe }, [{}, {}, {}]], NOW_MS).contractList?.contracts.map((contract) => [
    contract.venueSymbol,
    contract,
  ]),
);
const context = { receivedAtMs: NOW_MS, contracts };

suite('Hyperliquid book tops over the stream', () => {
  const bbo = (coin: string, bid: unknown, ask: unknown) => ({
    channel: 'bbo',
    data: { coin, time: NOW_MS - 300, bbo: [bid, ask] },
  });
  const level = (px: string, sz: string) => ({ px, sz, n: 2 });
  const btc = bbo('BTC', level('96415.0', '1.25'), level('96416.0', '0.5'));

  test('only listed coins are subscribed: an unknown one would close the whole connection', () => {
    const wanted = [...contracts.values()].filter((contract) => bboStream.applies(contract));
    assert.equal(
      wanted.some((contract) => contract.venueSymbol === 'OLDIE'),
      false,
    );
    assert.equal(
      openBboSession(wanted).opening[0],
      '{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}',
    );
  });

  test('best bid and ask come with sizes in base units', () => {
    assert.deepEqual(openBboSession([]).receive(btc, context).batch.bookTops, [
      {
        venueSymbol: 'BTC',
        bidPrice: 96_415,
        bidSize: 1.25,
        askPrice: 96_416,
        askSize: 0.5,
        venueTimeMs: NOW_MS - 300,
      },
    ]);
  });

  test('tops are sent on change only, so a pong repeats the held ones', () => {
    const session = openBboSession([]);
    assert.equal(bboStream.heartbeat?.message(0), PING);
    const pong = () => session.receive({ channel: 'pong' }, context).batch.bookTops;
    assert.deepEqual(pong(), []);
    session.receive(btc, context);
    assert.deepEqual(
      pong().map((top) => [top.venueSymbol, top.bidPrice]),
      [['BTC', 96_415]],
    );
  });

  test('a top that lost a side is rejected and not repeated', () => {
    const session = openBboSession([]);
    session.receive(btc, context);
    const { batch } = session.receive(bbo('BTC', level('96415.0', '1'), null), context);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTC', reason: 'no bid or ask' }]);
    assert.deepEqual(session.receive({ channel: 'pong' }, context).batch.bookTops, []);
  });

  test('a coin that has been delisted is not repeated', () => {
    const session = openBboSession([]);
    session.receive(btc, context);
    const btcContract = contracts.get('BTC');
    assert.ok(btcContract);
    const later = new Map(contracts).set('BTC', { ...btcContract, status: 'delisted' });
    const { batch } = session.receive({ channel: 'pong' }, { receivedAtMs: NOW_MS, contracts: later });
    assert.deepEqual(batch.bookTops, []);
  });

  test('crossed tops, unknown coins and messages without a coin are named', () => {
    const session = openBboSession([]);
    const crossed = session.receive(bbo('BTC', level('2', '1'), level('1', '1')), context).batch;
    assert.deepEqual(crossed.rejected, [{ venueSymbol: 'BTC', reason: 'crossed book' }]);
    const unknown = session.receive(bbo('NEWCOIN', level('1', '1'), level('2', '1')), context).batch;
    assert.equal(unknown.ignored.get('not in the contract list'), 1);
    const empty = session.receive({ channel: 'bbo', data: null }, context).batch;
    assert.deepEqual(empty.rejected, [{ venueSymbol: null, reason: 'no coin' }]);
  });

  test('acknowledgements say nothing, errors are counted, anything else than an object ends the connection', () => {
    const session = openBboSession([]);
    const quiet = session.receive({ channel: 'subscriptionResponse', data: {} }, context).batch;
    assert.deepEqual([quiet.bookTops, quiet.rejected], [[], []]);
    const error = session.receive({ channel: 'error', data: 'Already subscribed: {}' }, context).batch;
    assert.deepEqual(error.rejected, [{ venueSymbol: null, reason: 'error message' }]);
    assert.throws(() => session.receive('<html>', context), BadReply);
  });
});

asSent('hyperliquid', { bbo: () => sample('hyperliquid', 'ws__BookTicker.txt') }, (sent) => {
  test('a bbo message', () => {
    const [top] = openBboSession([]).receive(sent('bbo'), context).batch.bookTops;
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize, top?.venueTimeMs],
      [23.757, 42.09, 23.758, 100.26, 1_766_566_375_292],
    );
  });
});

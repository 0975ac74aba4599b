import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pack } from '../../cluster/envelope.ts';
import { parseCall } from './calls.ts';

const pairCall = {
  kind: 'ask-pair',
  id: 'a1',
  replyTo: 'perpwire:x:replies:y',
  name: { coin: 'BTC', exchangeA: 'Binance', exchangeB: 'OKX', sizeUsd: 100 },
};

suite('calls to collectors', () => {
  test('a call for a pair is read with its name and where to reply', () => {
    assert.deepEqual(parseCall(pack(pairCall)), pairCall);
  });

  test('a call for knowledge names one venue, or null for all', () => {
    for (const slug of ['okx', null]) {
      const call = { kind: 'ask-knowledge', slug };
      assert.deepEqual(parseCall(pack(call)), call);
    }
  });

  for (const [name, bytes] of [
    ['an empty message', Buffer.alloc(0)],
    ['a message of another program', Buffer.from('hello')],
    ['an unknown kind', pack({ kind: 'ask-weather' })],
    ['no kind', pack({ slug: null })],
    ['a venue that is a number', pack({ kind: 'ask-knowledge', slug: 7 })],
    ['no venue', pack({ kind: 'ask-knowledge' })],
    ['no id', pack({ ...pairCall, id: undefined })],
    ['no channel to reply to', pack({ ...pairCall, replyTo: null })],
    ['no pair', pack({ ...pairCall, name: undefined })],
    ['a pair without its coin', pack({ ...pairCall, name: { ...pairCall.name, coin: null } })],
    ['a pair with one venue', pack({ ...pairCall, name: { ...pairCall.name, exchangeB: undefined } })],
    ['a size that is not sampled', pack({ ...pairCall, name: { ...pairCall.name, sizeUsd: 123 } })],
  ] as const) {
    test(`${name} is dropped`, () => assert.equal(parseCall(bytes), null));
  }
});

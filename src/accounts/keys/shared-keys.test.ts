import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseWaits } from '../attempts/redis.ts';
import { parseRevision } from './shared-directory.ts';
import { parseBlock } from './shared-rejected-keys.ts';

describe('parseBlock', () => {
  test('reads an IPv4 address', () =>
    assert.deepEqual(parseBlock('59000 203.0.113.7 a-b'), {
      group: '203.0.113.7',
      waitMs: 59_000,
      senderId: 'a-b',
    }));
  test('reads an IPv6 group', () =>
    assert.deepEqual(parseBlock('1 2001:db8:1:2::/64'), {
      group: '2001:db8:1:2::/64',
      waitMs: 1,
      senderId: '',
    }));

  const bad: [string, string][] = [
    ['an empty message', ''],
    ['a message without an address', '1000 '],
    ['a message without a time', ' 203.0.113.7'],
    ['a time that is no number', 'long 203.0.113.7'],
    ['a negative time', '-1 203.0.113.7'],
    ['a time longer than a block lasts', '60001 203.0.113.7'],
    ['a time of many digits', '999999999999 203.0.113.7'],
    ['a second address', '1000 203.0.113.7 203.0.113.8'],
    ['an address of any length', `1000 ${'1'.repeat(65)}`],
    ['characters that no address has', '1000 <script>'],
  ];
  for (const [name, text] of bad) test(`refuses ${name}`, () => assert.equal(parseBlock(text), null));
});

describe('parseWaits', () => {
  test('reads two waits', () => assert.deepEqual(parseWaits([-1, 500]), { beforeMs: -1, afterMs: 500 }));

  const bad: [string, unknown][] = [
    ['nothing', null],
    ['a number', 5],
    ['one wait', [5]],
    ['three waits', [5, 5, 5]],
    ['a wait that is text', ['5', 5]],
    ['a wait that is not finite', [5, Number.NaN]],
  ];
  for (const [name, reply] of bad) test(`refuses ${name}`, () => assert.equal(parseWaits(reply), null));
});

describe('parseRevision', () => {
  test('reads a revision', () => assert.equal(parseRevision('17'), 17));
  test('a Redis without a revision has none', () => assert.equal(parseRevision(null), null));

  const bad: [string, unknown][] = [
    ['a list', ['17']],
    ['an empty text', ''],
    ['a negative number', '-1'],
    ['a word', 'new'],
    ['more digits than a number holds', '12345678901234567890'],
  ];
  for (const [name, reply] of bad)
    test(`refuses ${name}`, () => assert.equal(parseRevision(reply), 'unreadable'));
});

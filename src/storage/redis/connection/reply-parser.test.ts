import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RedisErrorReply } from '../redis.ts';
import { ReplyParser } from './reply-parser.ts';

/** The replies in these pieces. Each piece is overwritten afterwards, as the buffer of a socket is. */
function repliesOf(pieces: readonly Uint8Array[], wantsBytes = false): unknown[] {
  const replies: unknown[] = [];
  const parser = new ReplyParser({ wantsBytes: () => wantsBytes, onReply: (reply) => replies.push(reply) });
  for (const piece of pieces) {
    const buffer = Buffer.from(piece);
    parser.feed(buffer);
    buffer.fill('?');
  }
  return replies;
}

const replies: [name: string, text: string, expected: unknown][] = [
  ['a number', ':12\r\n', 12],
  ['zero', ':0\r\n', 0],
  ['a negative number', ':-7\r\n', -7],
  ['the largest exact number', ':9007199254740991\r\n', Number.MAX_SAFE_INTEGER],
  ['the largest number of a Redis, rounded', ':9223372036854775807\r\n', 2 ** 63],
  ['a status', '+OK\r\n', 'OK'],
  ['an empty status', '+\r\n', ''],
  ['a string', '$5\r\nhello\r\n', 'hello'],
  ['an empty string', '$0\r\n\r\n', ''],
  ['a string with line ends', '$4\r\n\r\n\r\n\r\n', '\r\n\r\n'],
  ['a string that is no ASCII', '$7\r\näö€\r\n', 'äö€'],
  ['no string', '$-1\r\n', null],
  ['no list', '*-1\r\n', null],
  ['an empty list', '*0\r\n', []],
  ['a list of numbers', '*3\r\n:1\r\n:-2\r\n:1763305200000\r\n', [1, -2, 1_763_305_200_000]],
  ['a list with all kinds', '*5\r\n+OK\r\n:1\r\n$-1\r\n$1\r\na\r\n*-1\r\n', ['OK', 1, null, 'a', null]],
  [
    'lists in lists',
    '*3\r\n*2\r\n:1\r\n*1\r\n$1\r\na\r\n*0\r\n*2\r\n*0\r\n:2\r\n',
    [[1, ['a']], [], [[], 2]],
  ],
];

describe('ReplyParser', () => {
  for (const [name, text, expected] of replies) {
    const bytes = Buffer.from(text);
    test(`reads ${name}`, () => assert.deepEqual(repliesOf([bytes]), [expected]));
    test(`reads ${name} in two pieces, split at every byte`, () => {
      for (let at = 1; at < bytes.length; at++)
        assert.deepEqual(repliesOf([bytes.subarray(0, at), bytes.subarray(at)]), [expected], `at ${at}`);
    });
    test(`reads ${name} byte by byte, and again what follows`, () => {
      const twice = Buffer.concat([bytes, bytes]);
      assert.deepEqual(repliesOf(Array.from(twice, (byte) => Uint8Array.of(byte))), [expected, expected]);
    });
  }

  test('reads many replies of one piece in their order', () => {
    const all = Buffer.from(replies.map(([, text]) => text).join(''));
    const expected = replies.map(([, , value]) => value);
    assert.deepEqual(repliesOf([all]), expected);
    for (const size of [2, 3, 7, 50]) {
      const pieces = [];
      for (let at = 0; at < all.length; at += size) pieces.push(all.subarray(at, at + size));
      assert.deepEqual(repliesOf(pieces), expected, `pieces of ${size}`);
    }
  });

  test('an error is an error, with its text', () => {
    const [error] = repliesOf([Buffer.from('-NOSCRIPT No matching script.\r\n')]);
    assert.ok(error instanceof RedisErrorReply);
    assert.equal(error.message, 'NOSCRIPT No matching script.');
  });

  test('an error in a list leaves the other values', () => {
    const [list] = repliesOf([Buffer.from('*2\r\n-ERR one\r\n:2\r\n')]);
    assert.ok(Array.isArray(list) && list[0] instanceof RedisErrorReply);
    assert.equal(list[1], 2);
  });

  test('strings are bytes if they are wanted', () => {
    const text = Buffer.from('*2\r\n$3\r\na\r\n\r\n+OK\r\n');
    assert.deepEqual(repliesOf([text.subarray(0, 9), text.subarray(9)], true), [
      [Buffer.from('a\r\n'), Buffer.from('OK')],
    ]);
  });

  test('a string of a megabyte in small pieces is put together once', () => {
    const value = 'x'.repeat(1 << 20);
    const bytes = Buffer.from(`$${value.length}\r\n${value}\r\n:1\r\n`);
    const pieces = [];
    for (let at = 0; at < bytes.length; at += 1_000) pieces.push(bytes.subarray(at, at + 1_000));
    assert.deepEqual(repliesOf(pieces), [value, 1]);
  });

  for (const [name, text] of [
    ['an answer of a web server', 'HTTP/1.1 400 Bad Request\r\n'],
    ['a number without digits', ':\r\n'],
    ['a number with a sign only', ':-\r\n'],
    ['a number with letters', ':1x\r\n'],
    ['a length with letters', '$five\r\n'],
    ['a list of unknown length', '*?\r\n'],
    ['a map of RESP3', '%1\r\n'],
  ] as const)
    test(`refuses ${name}`, () => assert.throws(() => repliesOf([Buffer.from(text)]), /Redis/));
});

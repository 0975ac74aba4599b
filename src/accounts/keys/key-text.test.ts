import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { checkKeyShape, generateKey, hashKey, randomId } from './key-text.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('key format', () => {
  test('prefix, 43 base62 characters, underscore, 6 base62 characters', () => {
    assert.match(generateKey('live').text, /^pw_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
    assert.match(generateKey('test').text, /^pw_test_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
  });

  test('the last six characters are the CRC32 of all before the underscore', () => {
    const { text } = generateKey('live');
    const [body, check] = [text.slice(0, -7), text.slice(-6)];
    const number = [...check].reduce((sum, character) => sum * 62 + ALPHABET.indexOf(character), 0);
    assert.equal(number, crc32(body));
  });

  test('the SHA-256 and a short prefix identify a key', () => {
    const key = generateKey('live');
    assert.equal(key.hash, createHash('sha256').update(key.text).digest('hex'));
    assert.equal(key.keyPrefix, key.text.slice(0, 14));
  });

  test('every character of the alphabet occurs, and no key twice', () => {
    const keys = Array.from({ length: 400 }, () => generateKey('live').text);
    assert.equal(new Set(keys).size, keys.length);
    const seen = new Set(keys.flatMap((key) => [...key.slice(9, 51)]));
    assert.equal(seen.size, 62);
  });

  test('ids are 16 characters after their prefix', () => {
    assert.match(randomId('acc_'), /^acc_[0-9A-Za-z]{16}$/);
  });
});

describe('checkKeyShape', () => {
  const { text } = generateKey('live');

  test('accepts a live key', () => assert.equal(checkKeyShape(text), 'live'));
  test('accepts a test key', () => assert.equal(checkKeyShape(generateKey('test').text), 'test'));

  test('refuses any one character changed', () => {
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom(...ALPHABET, '_', '-', ' '),
        (place, character) => {
          const changed = text.slice(0, place) + character + text.slice(place + 1);
          assert.equal(checkKeyShape(changed), changed === text ? 'live' : null);
        },
      ),
    );
  });

  const bad: [string, string][] = [
    ['an empty text', ''],
    ['the prefix alone', 'pw_live_'],
    ['another prefix', text.replace('pw_live_', 'sk_live_')],
    ['an upper-case prefix', text.replace('pw_live_', 'PW_LIVE_')],
    ['a live key relabelled as test', text.replace('pw_live_', 'pw_test_')],
    ['a missing checksum', text.slice(0, -7)],
    ['one character too few', text.slice(0, -1)],
    ['one character too many', `${text}0`],
    ['a line break at the end', `${text}\n`],
    ['a space before', ` ${text}`],
    ['letters beyond ASCII', text.replace(/.{6}$/, 'äöüßéà')],
    ['a very long text', text.repeat(2_000)],
  ];
  for (const [name, value] of bad) test(`refuses ${name}`, () => assert.equal(checkKeyShape(value), null));

  test('a hash is of the whole key', () => assert.notEqual(hashKey(text), hashKey(text.slice(0, -7))));
});

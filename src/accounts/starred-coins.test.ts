import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MOST_STARRED, readStarred, starredText, withStar } from './starred-coins.ts';

suite('starred coins', () => {
  test('a star is added at the end and taken off again', () => {
    assert.deepEqual(withStar(['BTC'], 'ETH', true), ['BTC', 'ETH']);
    assert.deepEqual(withStar(['BTC', 'ETH'], 'BTC', false), ['ETH']);
  });

  test('a second star on the same coin changes nothing but its place', () => {
    assert.deepEqual(withStar(['BTC', 'ETH'], 'BTC', true), ['ETH', 'BTC']);
  });

  test('one too many takes the oldest away', () => {
    const all = Array.from({ length: MOST_STARRED }, (_, i) => `C${i}`);
    const after = withStar(all, 'NEW', true);
    assert.equal(after.length, MOST_STARRED);
    assert.deepEqual([after[0], after.at(-1)], ['C1', 'NEW']);
  });

  test('tickers of other scripts are kept', () => {
    assert.deepEqual(withStar([], '币安人生', true), ['币安人生']);
  });

  for (const [name, coin] of [
    ['a comma', 'BTC,ETH'],
    ['a space', 'BTC ETH'],
    ['a line break', 'BTC\n'],
    ['nothing', ''],
    ['a text that is too long', 'B'.repeat(25)],
  ] as const)
    test(`${name} is no ticker`, () => assert.deepEqual(withStar(['ETH'], coin, true), ['ETH']));

  test('what is stored is read back; none is null', () => {
    assert.deepEqual(readStarred(starredText(['BTC', 'ETH'])), ['BTC', 'ETH']);
    assert.equal(starredText([]), null);
    assert.deepEqual(readStarred(null), []);
  });

  test('a changed text: repeated and unusable entries are left out', () => {
    assert.deepEqual(readStarred('BTC,,BTC, ,ETH'), ['BTC', 'ETH']);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Problem } from '../base/problems.ts';
import { coins, coinText, integer, number, text } from './kinds.ts';
import { readParameters } from './parameter.ts';

const PARAMETERS = {
  coin: coins('coin', 'Tickers'),
  min_rate_pct: number('min_rate_pct', 'Lowest'),
  max_rate_pct: number('max_rate_pct', 'Highest'),
  limit: integer('limit', { min: 1, max: 500 }, 'Rows'),
  q: text('q', 24, 'Text'),
  days: { ...integer('days', { min: 1, max: 9 }, 'Days'), ignoredWith: ['from'] },
  from: text('from', 9, 'Start'),
};

const read = (query: string) => {
  const raw = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) raw.set(name, [...(raw.get(name) ?? []), value]);
  return { ...readParameters(PARAMETERS, raw) };
};

const refused = (query: string, detail: RegExp) =>
  assert.throws(
    () => read(query),
    (error) => error instanceof Problem && error.code === 'invalid-parameter' && detail.test(error.detail),
  );

suite('readParameters', () => {
  test('leaves out what was not sent', () => assert.deepEqual(read(''), {}));
  test('ignores names it does not know', () => {
    assert.deepEqual(read('colour=red&__proto__=1&constructor=2&toString=3&limit=5'), { limit: 5 });
  });
  test('takes a repeated list as one list', () => {
    assert.deepEqual(read('coin=btc&coin=eth,sol'), { coin: ['BTC', 'ETH', 'SOL'] });
  });
  test('counts a repeated list as a whole', () => {
    const ten = Array.from({ length: 10 }, (_, i) => `c${i}`).join(',');
    refused(`coin=${ten}&coin=${ten}&coin=x`, /"coin" takes at most 20 values; got 21/);
  });
  test('refuses anything else that is repeated', () => {
    refused('limit=5&limit=5', /"limit" was sent 2 times; send it once/);
  });
  test('refuses an empty value', () =>
    refused('limit=', /"limit" is empty; leave it out or give it a value/));
  test('refuses an empty one among a repeated list', () => refused('coin=btc&coin=', /"coin" is empty/));
  test('takes an empty q', () => assert.deepEqual(read('q='), { q: '' }));
  test('refuses crossed bounds, naming both', () => {
    refused('min_rate_pct=2&max_rate_pct=1', /"min_rate_pct" \(2\) must not be above "max_rate_pct" \(1\)/);
  });
  test('ignores a parameter whose value another one replaces, also if it is wrong, empty or repeated', () => {
    assert.deepEqual(read('days=5'), { days: 5 });
    for (const days of ['days=5', 'days=x', 'days=', 'days=5&days=6', 'days=99'])
      assert.deepEqual(read(`${days}&from=now`), { from: 'now' }, days);
    refused('days=x', /"days" must be an integer/);
  });
  test('takes equal bounds', () => {
    assert.deepEqual(read('min_rate_pct=1&max_rate_pct=1'), { min_rate_pct: 1, max_rate_pct: 1 });
  });
  test('says what a missing one is for', () => {
    assert.throws(
      () => readParameters({ coin: coinText('coin', 'Ticker of the coin') }, new Map()),
      (error) => error instanceof Problem && /"coin" is required: Ticker of the coin/.test(error.detail),
    );
  });
});

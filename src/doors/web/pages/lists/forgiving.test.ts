import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import { funding } from '../../../../operations/funding.ts';
import { OPERATIONS } from '../../../../operations/registry.ts';
import { VENUES } from '../../../../venues/registry.ts';
import { plainNumber } from '../../markup/plain-number.ts';
import { forgiving } from './forgiving.ts';
import { filterText, hasLabel } from './labels.ts';

suite('what people type in filters', () => {
  for (const [typed, meant] of [
    ['1m', '1000000'],
    ['1M', '1000000'],
    ['1,000,000', '1000000'],
    ['$2.5 M', '2500000'],
    ['50k', '50000'],
    ['−0.01 %', '-0.01'],
    ['.5', '0.5'],
    ['1e3', '1e3'],
    ['lots', 'lots'],
  ] as const)
    test(`"${typed}" means ${meant}`, () => assert.equal(plainNumber(typed), meant));

  test('venues in any case, names of coins, and a list from several fields', () => {
    const sent = new Map([
      ['exchange', ['binance', 'OKX']],
      ['coin', ['bitcoin, sol']],
      ['interval_hours', ['1', '4']],
      ['min_volume_usdt', ['1m']],
      ['max_rate_pct', ['']],
    ]);
    assert.deepEqual(
      [...forgiving(funding, sent, VENUES)],
      [
        ['exchange', ['Binance,OKX']],
        ['coin', ['BTC,SOL']],
        ['interval_hours', ['1,4']],
        ['min_volume_usdt', ['1000000']],
      ],
    );
  });

  test('a clean query is not changed again', () => {
    const sent = new Map([
      ['exchange', ['nowhere,okx']],
      ['hold_days', ['7']],
      ['zzz', ['a', 'b']],
    ]);
    const once = forgiving(arbitrage, sent, VENUES);
    assert.deepEqual(forgiving(arbitrage, once, VENUES), once);
  });
});

suite('labels of filters', () => {
  const OTHER = new Set(['cursor', 'fields', 'limit', 'sort']);
  for (const { id, parameters } of OPERATIONS.filter(({ rows }) => rows))
    test(`every filter of ${id} has a label for people`, () => {
      const bare = Object.values(parameters).filter(({ name }) => !OTHER.has(name) && !hasLabel(name));
      assert.deepEqual(
        bare.map(({ name }) => name),
        [],
      );
    });

  test('active filters in words', () => {
    assert.equal(filterText('min_volume_usdt', '1000000'), '24 h volume from $1\u00a0M');
    assert.equal(filterText('interval_hours', '1,4'), 'Settles every 1 h or 4 h');
    assert.equal(filterText('max_rate_pct', '0.01'), 'Rate as paid up to 0.01 %');
    assert.equal(filterText('is_inverse', 'false'), 'Linear only');
  });
});

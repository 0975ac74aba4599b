import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { madeLegs } from '../../../test/operations/made-arbitrage.ts';
import { Table } from '../../market/tables/table.ts';
import { PairMaker } from './pairs.ts';

const ORIGINAL_LEGS = madeLegs({ coins: ['BTC', 'ETH'], exchanges: ['A', 'B', 'C', 'D'], asOfMs: 0 });

/** The pairs of BTC when venues copy as given. */
function pairsWith(mirrors: Readonly<Record<string, string>>): string[] {
  const exchanges = ORIGINAL_LEGS.texts('exchange');
  const values = ['', ...Object.values(mirrors)];
  const codes = exchanges.codes.map((code) =>
    Math.max(0, values.indexOf(mirrors[exchanges.values[code] as string] ?? '')),
  );
  const legs = new Table(
    ORIGINAL_LEGS.spec,
    ORIGINAL_LEGS.rowCount,
    { get: (name) => ORIGINAL_LEGS.numbers(name) },
    { get: (name) => (name === 'mirrors' ? { codes, values } : ORIGINAL_LEGS.texts(name)) },
  );
  const { count, long, short } = new PairMaker().pairsOf(legs);
  const names = Array.from({ length: count }, (_, pair) =>
    [long[pair], short[pair]]
      .map((leg) => `${legs.text('coin', leg as number)} ${legs.text('exchange', leg as number)}`)
      .sort(),
  );
  return names
    .filter(([first]) => first?.startsWith('BTC'))
    .map((two) => two.join('').replaceAll('BTC ', ''))
    .sort();
}

suite('pairs of venues', () => {
  test('are all of a coin while no venue copies another', () => {
    assert.deepEqual(pairsWith({}), ['AB', 'AC', 'AD', 'BC', 'BD', 'CD']);
  });

  test('leave out a copy and its original', () => {
    assert.deepEqual(pairsWith({ C: 'A' }), ['AB', 'AD', 'BC', 'BD', 'CD']);
  });

  test('leave out two copies of one original, also of one that has no leg', () => {
    assert.deepEqual(pairsWith({ C: 'A', D: 'A' }), ['AB', 'BC', 'BD']);
    assert.deepEqual(pairsWith({ C: 'Elsewhere', D: 'Elsewhere' }), ['AB', 'AC', 'AD', 'BC', 'BD']);
  });
});

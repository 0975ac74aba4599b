import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { madeArbitrage } from '../../../test/operations/made-arbitrage.ts';
import { atOnce } from '../../base/async/in-turns.ts';
import { arbitrage } from '../../operations/arbitrage/arbitrage.ts';
import { setAllRows, wordsFor } from '../../query/row-bits.ts';
import { between } from '../../query/row-filters.ts';
import { orderOf } from '../../query/sorting.ts';
import { askedAgainSteps, firstQuestionSteps } from './first-question.ts';

const AS_OF_MS = Date.UTC(2026, 10, 14, 17, 5);

const madeTable = () => {
  const making = { coins: ['BTC', 'ETH', 'SOL'], exchanges: ['Binance', 'OKX', 'Bybit'], asOfMs: AS_OF_MS };
  const table = madeArbitrage(making).at(0, AS_OF_MS)?.table;
  assert.ok(table);
  return table;
};

suite('the default order of a list, computed ahead', () => {
  const { sorts, defaultSort, ties } = arbitrage.rows ?? assert.fail('arbitrage is a list');
  const sort = sorts[defaultSort] ?? assert.fail('it has a default order');

  test('is the one that a request computes', () => {
    const [ahead, asked] = [madeTable(), madeTable()];
    atOnce(firstQuestionSteps(arbitrage, ahead));
    const order = ahead.permutation(defaultSort, () => assert.fail('computed again'));
    assert.deepEqual(order, orderOf(asked, defaultSort, sort, ties));
  });

  test('a request between its steps gets the whole order, and keeps it', () => {
    const table = madeTable();
    const steps = firstQuestionSteps(arbitrage, table);
    steps.next();
    const order = orderOf(table, defaultSort, sort, ties);
    assert.equal(order.length, table.rowCount);
    while (!steps.next().done);
    assert.equal(orderOf(table, defaultSort, sort, ties), order);
  });

  test('another order can be computed ahead as well', () => {
    const [name, other] = Object.entries(sorts).find(([one]) => one !== defaultSort) ?? assert.fail('it has');
    const [ahead, asked] = [madeTable(), madeTable()];
    atOnce(firstQuestionSteps(arbitrage, ahead, name));
    const order = ahead.permutation(name, () => assert.fail('computed again'));
    assert.deepEqual(order, orderOf(asked, name, other, ties));
  });

  test('an order that the list does not have is refused', () => {
    assert.throws(() => atOnce(firstQuestionSteps(arbitrage, madeTable(), 'no_such_order')), /no_such_order/);
  });
});

suite('what was asked of the table before, computed ahead', () => {
  const { sorts, defaultSort, ties } = arbitrage.rows ?? assert.fail('arbitrage is a list');
  const [name, sort] = Object.entries(sorts).find(([one]) => one !== defaultSort) ?? assert.fail('it has');

  test('is an order that a request needed', () => {
    const [before, table, asked] = [madeTable(), madeTable(), madeTable()];
    orderOf(before, name, sort, ties);
    atOnce(askedAgainSteps(arbitrage, before, table));
    const order = table.permutation(name, () => assert.fail('computed again'));
    assert.deepEqual(order, orderOf(asked, name, sort, ties));
  });

  test('is a column that a request had a bound on', () => {
    const [before, table] = [madeTable(), madeTable()];
    const kept = (of: typeof table) => {
      const bits = new Uint32Array(wordsFor(of.rowCount));
      setAllRows(bits, of.rowCount);
      between(of, 'net_apr_pct', 0, undefined).keep(bits);
      return bits;
    };
    const expected = kept(before);
    const steps = [...askedAgainSteps(arbitrage, before, table)];
    assert.equal(steps.length, 2, 'the column and its index');
    assert.deepEqual(kept(table), expected);
  });

  test('takes no time for an order that is there already', () => {
    const [before, table] = [madeTable(), madeTable()];
    orderOf(before, name, sort, ties);
    orderOf(table, name, sort, ties);
    assert.deepEqual([...askedAgainSteps(arbitrage, before, table)], []);
  });

  test('is nothing that was only computed ahead, so that it ends when nobody asks', () => {
    const [first, second, third] = [madeTable(), madeTable(), madeTable()];
    orderOf(first, name, sort, ties);
    atOnce(askedAgainSteps(arbitrage, first, second));
    assert.deepEqual([...askedAgainSteps(arbitrage, second, third)], []);
  });

  test('is nothing for the first table', () => {
    assert.deepEqual([...askedAgainSteps(arbitrage, null, madeTable())], []);
  });
});

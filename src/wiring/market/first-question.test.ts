import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { madeArbitrage } from '../../../test/operations/made-arbitrage.ts';
import { atOnce } from '../../base/async/in-turns.ts';
import { arbitrage } from '../../operations/arbitrage/arbitrage.ts';
import { orderOf } from '../../query/sorting.ts';
import { firstQuestionSteps } from './first-question.ts';

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

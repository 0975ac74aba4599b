import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ShapeError } from '../../base/parsing.ts';
import { usualRule } from '../../engines/backtest/rule.ts';
import { runCall } from './calls.ts';
import { LocalBacktest } from './host.ts';

const basis = { rule: usualRule(), takerFeesPct: { OKX: 0.05 } };
const contract = { id: 1, exchange: 'OKX', venueSymbol: 'BTC-USDT-SWAP', coin: 'BTC', quote: 'USDT' };
const request = { block: new Uint8Array(), contracts: [contract], reportAt: [7] };
const pair = { coin: 'BTC', exchangeA: 'Binance', exchangeB: 'OKX', sizeUsd: 100 };

suite('calls to the backtest thread', () => {
  test('the calls of a run reach the engine', async () => {
    const host = new LocalBacktest();
    const begun = await runCall(host, { method: 'begin', args: [basis, null, [contract]] });
    assert.equal(begun.result, null);
    const taken = await runCall(host, { method: 'take', args: [request] });
    assert.ok(taken.result && typeof taken.result === 'object' && 'minute' in taken.result);
    assert.equal((await runCall(host, { method: 'pair', args: [pair] })).result, null);
  });

  test('columns of a report are moved, not copied', async () => {
    const host = new LocalBacktest();
    await host.begin(basis, null, []);
    const { moved } = await runCall(host, { method: 'report', args: [] });
    assert.ok(moved.length > 0);
    assert.ok(moved.every((buffer) => buffer instanceof ArrayBuffer));
  });

  for (const [name, method, args, message] of [
    ['an unknown method', 'explode', [], /no method "explode"/],
    ['closing', 'close', [], /no method "close"/],
    ['a method that is no text', 7, [], /no method "7"/],
    ['arguments that are no list', 'state', {}, /args is not a list/],
    ['no basis', 'begin', [], /basis is not an object/],
    [
      'a rule without its window',
      'begin',
      [{ ...basis, rule: {} }, null, []],
      /windowMinutes is not a number/,
    ],
    [
      'a fee as text',
      'begin',
      [{ ...basis, takerFeesPct: { OKX: '0.05' } }, null, []],
      /OKX is not a number/,
    ],
    ['a state that is no bytes', 'begin', [basis, 'state', []], /state is not a Uint8Array/],
    ['contracts that are no list', 'begin', [basis, null, {}], /contracts is not a list/],
    ['a contract without id', 'begin', [basis, null, [{ ...contract, id: null }]], /id is not a number/],
    ['a block as text', 'take', [{ ...request, block: 'x' }], /block is not a Uint8Array/],
    ['a minute as text', 'take', [{ ...request, reportAt: ['7'] }], /reportAt\[0\] is not a number/],
    ['a pair without coin', 'pair', [{ ...pair, coin: undefined }], /coin is not a text/],
    ['a size that is not sampled', 'pair', [{ ...pair, sizeUsd: 101 }], /sizeUsd is none of 25, 100, 500/],
    ['blocks that are no bytes', 'pack', [['x']], /blocks\[0\] is not a Uint8Array/],
  ] as const) {
    test(`${name} fails the call and nothing else`, async () => {
      await assert.rejects(
        runCall(new LocalBacktest(), { method, args }),
        (error) => error instanceof ShapeError && message.test(error.message),
      );
    });
  }
});

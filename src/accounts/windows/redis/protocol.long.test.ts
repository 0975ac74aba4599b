import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { RULE, violation } from '../../../../test/cluster/windows-model.ts';

suite('the protocol of shared windows, exhaustively over 80 s', () => {
  test('no pair of failures lets more than the limit through a minute', () => {
    const { way, states } = violation({ faults: 2, lastTick: 4 }, RULE);
    assert.deepEqual(way ?? [], []);
    assert.ok(states > 100_000, `${states} states`);
  });
});

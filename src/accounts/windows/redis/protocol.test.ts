import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FORGETS_THE_DEAD, RULE, violation } from '../../../../test/cluster/windows-model.ts';

suite('the protocol of shared windows, exhaustively over 20 s', () => {
  test('no pair of failures lets more than the limit through a minute', () => {
    const { way, states } = violation({ faults: 2, lastTick: 1 }, RULE);
    assert.deepEqual(way ?? [], []);
    assert.ok(states > 1_000, `${states} states`);
  });

  test('the model finds the fault of a rule that forgets dead processes', () => {
    const { way } = violation({ faults: 2, lastTick: 1 }, FORGETS_THE_DEAD);
    assert.ok(way?.some((name) => name.startsWith('death of ')));
  });
});

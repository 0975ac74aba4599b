import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { isTurnLong } from './turn-length.ts';

function work(forMs: number): void {
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs);
}

suite('the length of a turn of the event loop', () => {
  test('is long after long work, and for all that ask in the same turn', async () => {
    await endOfTurn();
    isTurnLong();
    await endOfTurn();
    work(6);
    assert.equal(isTurnLong(), true);
    assert.equal(isTurnLong(), true);
  });

  test('is short again in some turn without work', async () => {
    work(6);
    // Other programs may take the processor in any of them, but not in all.
    do await endOfTurn();
    while (isTurnLong());
  });
});

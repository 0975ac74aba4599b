import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from '../log.ts';
import { openAll } from './open-all.ts';

const log = createLog('silent');

suite('opening several things', () => {
  test('a failure closes what was opened, the last one first, and is passed on', async () => {
    const closed: string[] = [];
    const opening = openAll(log, async (onFailure) => {
      onFailure(() => closed.push('first'));
      onFailure(async () => closed.push('second'));
      throw new Error('the third cannot be opened');
    });
    await assert.rejects(opening, /the third cannot be opened/);
    assert.deepEqual(closed, ['second', 'first']);
  });

  test('what cannot be closed does not keep the others from being closed, nor hides the failure', async () => {
    const closed: string[] = [];
    const opening = openAll(log, async (onFailure) => {
      onFailure(() => closed.push('first'));
      onFailure(() => {
        throw new Error('cannot be closed');
      });
      throw new Error('cannot be opened');
    });
    await assert.rejects(opening, /cannot be opened/);
    assert.deepEqual(closed, ['first']);
  });

  test('without a failure nothing is closed', async () => {
    const opened = await openAll(log, async (onFailure) => {
      onFailure(() => assert.fail('closed'));
      return 'opened';
    });
    assert.equal(opened, 'opened');
  });
});

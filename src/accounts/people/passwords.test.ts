import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AccountsError } from '../accounts-error.ts';
import { hashPassword, isRightPassword } from './passwords.ts';

suite('password hashes', () => {
  test('a flood of hashes is cut off: the queue is finite and the rest is told when to come back', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, () => hashPassword('a flood of hashes')),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    assert.equal(results.length - refused.length, 31, 'one runs, thirty wait');
    for (const error of refused) {
      assert.ok(error instanceof AccountsError);
      assert.equal(error.fault, 'busy');
      assert.equal(error.retryAfterSeconds, 5);
    }
    const stored = await hashPassword('after the flood');
    assert.ok(await isRightPassword('after the flood', stored));
    assert.ok(!(await isRightPassword('another password', stored)));
  });
});

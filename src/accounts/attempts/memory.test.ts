import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { AttemptLimit, refundAll, takeAll } from './memory.ts';

suite('names that a limit of attempts holds', () => {
  const rules = { most: 3, withinMs: 60_000 };
  const opened = () => {
    const clock = new ManualClock(1_800_000_000_000);
    return { clock, limit: new AttemptLimit(rules, clock) };
  };

  test('at most 50,000, and of more the newest', () => {
    const { limit } = opened();
    for (let i = 0; i < 3; i++) limit.note('the oldest');
    assert.equal(limit.waitSeconds('the oldest'), 60);
    for (let i = 1; i < 50_000; i++) limit.note(`name ${i}`);
    assert.equal(limit.nameCount, 50_000);
    assert.equal(limit.waitSeconds('the oldest'), 60);
    limit.note('one more');
    assert.equal(limit.nameCount, 50_000);
    assert.equal(limit.waitSeconds('the oldest'), null);
  });

  test('only while their attempts count', () => {
    const { clock, limit } = opened();
    limit.note('first');
    clock.advanceMs(30_000);
    limit.note('second');
    clock.advanceMs(30_000);
    limit.sweep();
    assert.equal(limit.nameCount, 1);
    clock.advanceMs(30_000);
    limit.sweep();
    assert.equal(limit.nameCount, 0);
  });

  test('the attempts of others drop them too', () => {
    const { clock, limit } = opened();
    for (let i = 0; i < 100; i++) limit.note(`name ${i}`);
    clock.advanceMs(60_000);
    limit.note('another');
    assert.equal(limit.nameCount, 1);
  });

  test('not after the refund of the only attempt, and not after an attempt that another limit refuses', async () => {
    const { limit: pairs } = opened();
    const { limit: places } = opened();
    for (let i = 0; i < 3; i++) places.note('full');
    assert.equal(
      await takeAll([
        [pairs, 'full ada@example.com'],
        [places, 'full'],
      ]),
      60,
    );
    assert.equal(pairs.nameCount, 0);
    pairs.note('ada@example.com');
    pairs.note('ada@example.com');
    await refundAll([[pairs, 'ada@example.com']]);
    assert.equal(pairs.nameCount, 1, 'one attempt is left');
    await refundAll([[pairs, 'ada@example.com']]);
    assert.equal(pairs.nameCount, 0);
  });
});

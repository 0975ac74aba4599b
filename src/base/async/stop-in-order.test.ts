import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stopInOrder } from './stop-in-order.ts';

suite('stopping in order', () => {
  test('each begins after the one before it has ended, and a quick stop names nothing', async () => {
    const events: string[] = [];
    await stopInOrder(
      [
        ['the first', async () => events.push('first')],
        ['the second', () => events.push('second')],
      ],
      (what) => events.push(what),
    );
    assert.deepEqual(events, ['first', 'second']);
  });

  test('what it waits for is named, also a later one', async () => {
    const named: string[] = [];
    const waiting = new Map<string, () => void>();
    const onWait = (what: string) => {
      named.push(what);
      waiting.get(what)?.();
    };
    const untilNamed = (what: string) => () => new Promise<void>((done) => waiting.set(what, done));
    await stopInOrder(
      [
        ['quick', () => undefined],
        ['requests', untilNamed('requests')],
        ['the database', untilNamed('the database')],
        ['quick too', () => undefined],
      ],
      onWait,
    );
    assert.deepEqual(named, ['requests', 'the database']);
  });

  test('a failure ends it', async () => {
    const failing = async () => {
      throw new Error('cannot stop');
    };
    await assert.rejects(
      stopInOrder([
        ['a', failing],
        ['b', () => assert.fail()],
      ]),
      /cannot stop/,
    );
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from '../log.ts';
import { Opened, openInto } from './opened.ts';

const log = createLog('silent');

suite('closing what was opened', () => {
  test('the last one is closed first, each after the one before it, and a quick stop names nothing', async () => {
    const events: string[] = [];
    const opened = new Opened(log);
    opened.add('the first', () => events.push('first'));
    opened.add('the second', async () => events.push('second'));
    await opened.close((what) => events.push(what));
    assert.deepEqual(events, ['second', 'first']);
  });

  test('what it waits for is named, also a later one', async () => {
    const named: string[] = [];
    const waiting = new Map<string, () => void>();
    const untilNamed = (what: string) => () => new Promise<void>((done) => waiting.set(what, done));
    const opened = new Opened(log);
    opened.add('quick', () => undefined);
    opened.add('the database', untilNamed('the database'));
    opened.add('requests', untilNamed('requests'));
    opened.add('quick too', () => undefined);
    await opened.close((what) => {
      named.push(what);
      waiting.get(what)?.();
    });
    assert.deepEqual(named, ['requests', 'the database']);
  });

  test('what cannot be closed is logged, and the rest is closed', async () => {
    const lines: string[] = [];
    const closed: string[] = [];
    const opened = new Opened(createLog('error', { write: (line) => void lines.push(line) }));
    opened.add('the first', () => closed.push('first'));
    opened.add('the second', () => {
      throw new Error('cannot stop');
    });
    await opened.close();
    assert.deepEqual(closed, ['first']);
    assert.match(lines.join(''), /the second.*could not be closed/);
  });
});

suite('opening several things', () => {
  test('a failure closes what was opened, the last one first, and is passed on', async () => {
    const closed: string[] = [];
    const opening = openInto(log, async (opened) => {
      opened.add('the first', () => closed.push('first'));
      opened.add('the second', async () => closed.push('second'));
      throw new Error('the third cannot be opened');
    });
    await assert.rejects(opening, /the third cannot be opened/);
    assert.deepEqual(closed, ['second', 'first']);
  });

  test('what cannot be closed hides neither the failure nor the others', async () => {
    const closed: string[] = [];
    const opening = openInto(log, async (opened) => {
      opened.add('the first', () => closed.push('first'));
      opened.add('the second', () => {
        throw new Error('cannot be closed');
      });
      throw new Error('cannot be opened');
    });
    await assert.rejects(opening, /cannot be opened/);
    assert.deepEqual(closed, ['first']);
  });

  test('without a failure nothing is closed', async () => {
    const { result } = await openInto(log, async (opened) => {
      opened.add('it', () => assert.fail('closed'));
      return 'opened';
    });
    assert.equal(result, 'opened');
  });
});

import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, suite, test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { RequestBatch } from './request-batch.ts';

suite('requests that arrive together', () => {
  let answered: string[];
  let batch: RequestBatch<string>;
  beforeEach(() => {
    answered = [];
    const answer = (name: string) => {
      if (name === 'broken') throw new Error('not caught by its handler');
      answered.push(name);
    };
    batch = new RequestBatch(answer);
  });

  const add = (name: string, socket: { destroyed: boolean } = { destroyed: false }) =>
    batch.add(name, { socket } as IncomingMessage, {} as ServerResponse);

  test('are answered in their order at the end of the turn', async () => {
    for (const name of ['a', 'b', 'c']) add(name);
    assert.deepEqual(answered, []);
    await endOfTurn();
    assert.deepEqual(answered, ['a', 'b', 'c']);
  });

  test('are each answered once, also those of the next turn', async () => {
    add('a');
    await endOfTurn();
    add('b');
    await endOfTurn();
    assert.deepEqual(answered, ['a', 'b']);
  });

  test('do not wait for more than 32', async () => {
    for (let i = 0; i < 33; i++) add(`${i}`);
    assert.equal(answered.length, 32);
    await endOfTurn();
    assert.equal(answered.length, 33);
  });

  test('are not answered on a connection that is gone', async () => {
    const socket = { destroyed: false };
    add('a');
    add('b', socket);
    socket.destroyed = true;
    await endOfTurn();
    assert.deepEqual(answered, ['a']);
  });

  test('are answered although a handler throws', async () => {
    for (const name of ['a', 'broken', 'b']) add(name);
    assert.throws(() => batch.answerAll(), /not caught/);
    assert.deepEqual(answered, ['a']);
    await endOfTurn();
    assert.deepEqual(answered, ['a', 'b']);
  });
});

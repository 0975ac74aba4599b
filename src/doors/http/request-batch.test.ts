import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beforeEach, suite, test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { RequestBatch } from './request-batch.ts';

suite('requests that arrive together', () => {
  let answered: string[];
  let batch: RequestBatch<string>;
  /** How many of the next turns are long. */
  let longTurns: number;
  beforeEach(() => {
    answered = [];
    longTurns = 0;
    const answer = (name: string) => {
      if (name === 'broken') throw new Error('not caught by its handler');
      answered.push(name);
    };
    batch = new RequestBatch(answer, () => longTurns-- > 0);
  });

  const add = (name: string, socket: { destroyed: boolean } = { destroyed: false }) =>
    batch.add(name, { socket } as IncomingMessage, {} as ServerResponse);

  test('are answered in their order at the end of the turn', async () => {
    for (const name of ['a', 'b', 'c']) add(name);
    assert.deepEqual(answered, []);
    await endOfTurn();
    assert.deepEqual(answered, ['a', 'b', 'c']);
  });

  test('wait for the turn after a long one, with those that arrive meanwhile', async () => {
    longTurns = 1;
    add('a');
    await endOfTurn();
    assert.deepEqual(answered, []);
    add('b');
    await endOfTurn();
    assert.deepEqual(answered, ['a', 'b']);
  });

  test('wait for one turn only, even if all turns are long', async () => {
    longTurns = 1000;
    add('a');
    await endOfTurn();
    assert.deepEqual(answered, []);
    await endOfTurn();
    assert.deepEqual(answered, ['a']);
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

  test('are answered before the end of a connection is handled', () => {
    const socket = new EventEmitter();
    socket.on('end', () => answered.push('end'));
    batch.watch(socket as Socket);
    add('a');
    socket.emit('end');
    assert.deepEqual(answered, ['a', 'end']);
  });

  test('are answered although a handler throws', async () => {
    for (const name of ['a', 'broken', 'b']) add(name);
    assert.throws(() => batch.answerAll(), /not caught/);
    assert.deepEqual(answered, ['a']);
    await endOfTurn();
    assert.deepEqual(answered, ['a', 'b']);
  });
});

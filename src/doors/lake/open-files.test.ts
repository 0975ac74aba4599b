import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { suite, test } from 'node:test';
import { Problem } from '../../base/problems.ts';
import { MOST_OPEN_FILES, OpenFiles } from './open-files.ts';

const connection = () => ({}) as Socket;

suite('files of the lake that are being sent', () => {
  test('on one connection, each waits for those before it, also when one of them fails', async () => {
    const files = new OpenFiles();
    const done: string[] = [];
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
    const socket = connection();
    const send = (name: string, sending: Promise<void>) =>
      files.inLine(socket, async (before) => {
        if (name === 'refused') throw new Error('refused at once');
        await before;
        done.push(`${name} opened`);
        await sending;
        done.push(`${name} sent`);
      });
    const first = send('first', isRead);
    const refused = assert.rejects(send('refused', Promise.resolve()));
    const third = send('third', Promise.resolve());
    await refused;
    assert.deepEqual(done, ['first opened']);
    read();
    await Promise.all([first, third]);
    assert.deepEqual(done, ['first opened', 'first sent', 'third opened', 'third sent']);
  });

  test('connections do not wait for each other', async () => {
    const files = new OpenFiles();
    const never = files.inLine(connection(), () => new Promise<void>(() => undefined));
    assert.equal(await files.inLine(connection(), async (before) => await before), undefined);
    assert.ok(never);
  });

  test('an account has 32 at a time, others have their own', () => {
    const files = new OpenFiles();
    const closing = Array.from({ length: MOST_OPEN_FILES }, () => files.open('ada'));
    assert.throws(
      () => files.open('ada'),
      (error) => error instanceof Problem && error.status === 429 && error.headers['retry-after'] === '5',
    );
    files.open('grace');
    closing[0]?.();
    files.open('ada');
  });
});

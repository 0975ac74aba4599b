import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeCommand } from './commands.ts';

const encoded = (...args: (string | Buffer)[]) =>
  Buffer.concat(encodeCommand(args).map((piece) => Buffer.from(piece as string)));

describe('encodeCommand', () => {
  test('text is one piece, with the lengths of its arguments in bytes', () => {
    assert.deepEqual(encodeCommand(['SET', 'ä', '']), ['*3\r\n$3\r\nSET\r\n$2\r\nä\r\n$0\r\n\r\n']);
  });
  test('bytes stay as they are', () => {
    assert.deepEqual(
      encoded('SET', Buffer.from([0, 255, 13, 10]), 'after', Buffer.alloc(0)),
      Buffer.concat([
        Buffer.from('*4\r\n$3\r\nSET\r\n$4\r\n'),
        Buffer.from([0, 255, 13, 10]),
        Buffer.from('\r\n$5\r\nafter\r\n$0\r\n\r\n'),
      ]),
    );
  });
});

import assert from 'node:assert/strict';
import type { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { encodeArguments, type RedisArgument } from '../redis.ts';
import { CommandWriter } from './commands.ts';

/** Writes each list of commands, one after the other, and returns all bytes. */
function writtenInTurns(...turns: RedisArgument[][][]): Buffer {
  const pieces: Buffer[] = [];
  const socket = {
    write: (piece: string | Buffer, encoding?: 'latin1' | 'utf8') =>
      pieces.push(typeof piece === 'string' ? Buffer.from(piece, encoding) : piece),
    cork: () => undefined,
    uncork: () => undefined,
  };
  const writer = new CommandWriter();
  for (const commands of turns) {
    for (const command of commands) writer.add(command);
    writer.writeTo(socket as unknown as Writable);
  }
  return Buffer.concat(pieces);
}

const written = (...commands: RedisArgument[][]) => writtenInTurns(commands);

describe('CommandWriter', () => {
  test('arguments have their lengths in bytes', () => {
    assert.equal(written(['SET', 'ä', '']).toString(), '*3\r\n$3\r\nSET\r\n$2\r\nä\r\n$0\r\n\r\n');
  });
  test('bytes stay as they are', () => {
    const bytes = Buffer.from([0, 255, 13, 10]);
    assert.deepEqual(
      written(['SET', bytes, 'after ä', Buffer.alloc(0)]),
      Buffer.concat([
        Buffer.from('*4\r\n$3\r\nSET\r\n$4\r\n'),
        bytes,
        Buffer.from('\r\n$8\r\nafter ä\r\n$0\r\n\r\n'),
      ]),
    );
  });
  test('encoded arguments count as many', () => {
    assert.equal(
      written(['DEL', encodeArguments(['a', 'ö']), 'c']).toString(),
      '*4\r\n$3\r\nDEL\r\n$1\r\na\r\n$2\r\nö\r\n$1\r\nc\r\n',
    );
  });
  test('commands follow each other, text after bytes after text', () => {
    assert.equal(
      written(['GET', 'ä'], ['SET', 'k', Buffer.from('v')], ['PING']).toString(),
      '*2\r\n$3\r\nGET\r\n$2\r\nä\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n*1\r\n$4\r\nPING\r\n',
    );
  });
  test('is empty after writing', () => {
    assert.equal(writtenInTurns([['ä']], [['b']]).toString(), '*1\r\n$2\r\nä\r\n*1\r\n$1\r\nb\r\n');
  });
});

import type { Writable } from 'node:stream';
import { EncodedArguments, type RedisArgument } from '../redis.ts';

/** Collects commands as Redis reads them, lists of strings with their lengths, until they are written together. */
export class CommandWriter {
  /** What comes before `#text`. Bytes are written as they are, without a copy. */
  #pieces: (string | Buffer)[] = [];
  #text = '';
  #isAscii = true;

  add(args: readonly RedisArgument[]): void {
    let count = 0;
    for (const argument of args) count += argument instanceof EncodedArguments ? argument.count : 1;
    this.#text += `*${count}\r\n`;
    for (const argument of args) {
      if (typeof argument === 'string') {
        const bytes = Buffer.byteLength(argument);
        if (bytes !== argument.length) this.#isAscii = false;
        this.#text += `$${bytes}\r\n${argument}\r\n`;
      } else if (argument instanceof EncodedArguments) {
        if (!argument.isAscii) this.#isAscii = false;
        this.#text += argument.text;
      } else {
        this.#pieces.push(`${this.#text}$${argument.length}\r\n`, argument);
        this.#text = '\r\n';
      }
    }
  }

  writeTo(socket: Pick<Writable, 'write' | 'cork' | 'uncork'>): void {
    const [pieces, text] = [this.#pieces, this.#text];
    // For text in UTF-8 Node reserves three bytes a character, and writes it later if that is more than 16 kB.
    const encoding = this.#isAscii ? 'latin1' : 'utf8';
    this.#text = '';
    this.#isAscii = true;
    if (pieces.length === 0) {
      socket.write(text, encoding);
      return;
    }
    this.#pieces = [];
    socket.cork();
    for (const piece of pieces) {
      if (typeof piece === 'string') socket.write(piece, encoding);
      else socket.write(piece);
    }
    socket.write(text, encoding);
    socket.uncork();
  }
}

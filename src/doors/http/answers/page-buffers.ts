import type { AnswerRows } from '../../../operations/answer/answer.ts';
import { HEAD_ROOM_BYTES, type Latin1Buffer, RoomyBytes, roomyBuffer } from './roomy-bytes.ts';

/** A part of an answer: JSON text, or rows separated by commas. */
export type Piece = string | AnswerRows;

const COMMA = 0x2c;

/** The bytes of one answer in a buffer that is reused afterwards. */
export interface LentPage {
  readonly body: RoomyBytes;
  /** Returns the buffer to the pool; call it when the bytes have been sent or copied. */
  giveBack(): void;
}

/**
 * A pool of buffers that answers with table rows are written into. Most queries come once, and concatenating their rows
 * as strings copies everything twice, into newly allocated memory.
 */
export class PageBuffers {
  readonly #bufferBytes: number;
  readonly #maxFree: number;
  readonly #free: Latin1Buffer[] = [];

  constructor(bufferBytes: number, maxFree: number) {
    this.#bufferBytes = bufferBytes;
    this.#maxFree = maxFree;
  }

  /** Writes the pieces, whose texts must be ASCII. Null if they do not fit or a row is not ASCII. */
  write(pieces: readonly Piece[]): LentPage | null {
    const buffer = this.#free.pop() ?? roomyBuffer(this.#bufferBytes);
    const giveBack = () => {
      if (this.#free.length < this.#maxFree) this.#free.push(buffer);
    };
    let at = HEAD_ROOM_BYTES;
    for (const piece of pieces) {
      at = typeof piece === 'string' ? writeText(buffer, at, piece) : writeRows(buffer, at, piece);
      if (at < 0) {
        giveBack();
        return null;
      }
    }
    return { body: new RoomyBytes(buffer, at), giveBack };
  }
}

/** The offset after the text; -1 if it does not fit. */
function writeText(buffer: Latin1Buffer, at: number, text: string): number {
  return at + text.length > buffer.length ? -1 : at + buffer.latin1Write(text, at);
}

/** The offset after the rows; -1 if they do not fit or are not ASCII. */
function writeRows(buffer: Latin1Buffer, start: number, { table, numbers, columns }: AnswerRows): number {
  // Only whole rows are kept as JSON by their table, which also knows whether they are ASCII.
  if (columns !== null) return -1;
  const texts = table.rowsJson(numbers);
  // A loop of its own: rows are spread over memory, and without a call in the loop the processor fetches several at once.
  let end = start + texts.length;
  for (let i = 0; i < texts.length; i++) end += (texts[i] as string).length;
  if (end > buffer.length || !table.isAscii(numbers)) return -1;
  let at = start;
  for (let i = 0; i < texts.length; i++) {
    if (i > 0) buffer[at++] = COMMA;
    at += buffer.latin1Write(texts[i] as string, at);
  }
  return at;
}

/** Escapes a text for use inside a JSON string. */
export function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

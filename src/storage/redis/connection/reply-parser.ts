import { RedisErrorReply } from '../redis.ts';

/** A list of a reply whose last elements have not arrived. */
interface OpenList {
  readonly values: unknown[];
  missing: number;
}

export interface ReplyParserOptions {
  /** Whether the strings of the reply that begins now are to be Buffers instead of text. */
  wantsBytes(): boolean;
  onReply(reply: unknown): void;
}

const CR = 13;
const CRLF_BYTES = 2;
const MINUS = 45;
const [ZERO, NINE] = [48, 57];
const [TEXT, ERROR, NUMBER, STRING, LIST] = [43, 45, 58, 36, 42];

/**
 * Parses the replies of a Redis (RESP2), however they are split into pieces. Numbers are doubles; an error inside a list is
 * a value of that list.
 */
export class ReplyParser {
  readonly #options: ReplyParserOptions;
  /** The beginning of an element that has not arrived whole, and how many bytes it needs at least. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #neededBytes = 0;
  readonly #open: OpenList[] = [];
  #isInReply = false;
  #wantsBytes = false;
  /** Results of the methods below: where the next byte is, and the number that was read. */
  #at = 0;
  #number = 0;

  constructor(options: ReplyParserOptions) {
    this.#options = options;
  }

  /** The piece is not kept: the caller may write the next one into the same memory. Throws if it is no reply of a Redis. */
  feed(piece: Buffer): void {
    let bytes = piece;
    if (this.#keptBytes > 0) {
      this.#kept.push(Buffer.from(piece));
      this.#keptBytes += piece.length;
      if (this.#keptBytes < this.#neededBytes) return;
      bytes = Buffer.concat(this.#kept, this.#keptBytes);
      this.#kept = [];
      this.#keptBytes = 0;
    }
    this.#at = 0;
    while (this.#at < bytes.length) {
      this.#readNumbers(bytes);
      const start = this.#at;
      if (start === bytes.length) return;
      if (this.#readElement(bytes)) continue;
      this.#kept = [Buffer.from(bytes.subarray(start))];
      this.#keptBytes = bytes.length - start;
      return;
    }
  }

  /** Reads numbers of the innermost list, up to its last element. Replies of scripts are mostly such lists. */
  #readNumbers(bytes: Buffer): void {
    const list = this.#open.at(-1);
    if (list === undefined) return;
    while (list.missing > 1 && bytes[this.#at] === NUMBER && this.#readNumber(bytes, this.#at + 1)) {
      list.values.push(this.#number);
      list.missing--;
    }
  }

  /** Reads a number, a string or the head of a list. False if it has not arrived whole. */
  #readElement(bytes: Buffer): boolean {
    if (!this.#isInReply) {
      this.#isInReply = true;
      this.#wantsBytes = this.#options.wantsBytes();
    }
    const start = this.#at;
    switch (bytes[start]) {
      case NUMBER:
        if (!this.#readNumber(bytes, start + 1)) return false;
        this.#add(this.#number);
        return true;
      case STRING:
        return this.#readString(bytes, start);
      case LIST:
        if (!this.#readNumber(bytes, start + 1)) return false;
        if (this.#number > 0) this.#open.push({ values: [], missing: this.#number });
        else this.#add(this.#number < 0 ? null : []);
        return true;
      case TEXT:
      case ERROR: {
        const end = this.#lineEnd(bytes, start);
        if (end < 0) return false;
        const text = bytes.toString('utf8', start + 1, end);
        if (bytes[start] === ERROR) this.#add(new RedisErrorReply(text));
        else this.#add(this.#wantsBytes ? Buffer.from(text) : text);
        return true;
      }
      default:
        throw new Error('the reply is not that of a Redis');
    }
  }

  #readString(bytes: Buffer, start: number): boolean {
    if (!this.#readNumber(bytes, start + 1)) return false;
    if (this.#number < 0) {
      this.#add(null);
      return true;
    }
    const from = this.#at;
    const end = from + this.#number;
    if (end + CRLF_BYTES > bytes.length) {
      this.#neededBytes = end + CRLF_BYTES - start;
      return false;
    }
    this.#at = end + CRLF_BYTES;
    this.#add(this.#wantsBytes ? Buffer.from(bytes.subarray(from, end)) : bytes.toString('utf8', from, end));
    return true;
  }

  /** Reads digits and the end of their line. */
  #readNumber(bytes: Buffer, start: number): boolean {
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let number = 0;
    let byte = bytes[at];
    while (byte !== undefined && byte >= ZERO && byte <= NINE) {
      number = number * 10 + (byte - ZERO);
      byte = bytes[++at];
    }
    if (at + 1 >= bytes.length) {
      if (byte !== undefined && byte !== CR) throw new Error('the reply of the Redis has a damaged number');
      this.#neededBytes = 0;
      return false;
    }
    if (byte !== CR || at === first) throw new Error('the reply of the Redis has a damaged number');
    this.#at = at + CRLF_BYTES;
    // Beyond this, sums of digits are rounded in each step.
    if (number > Number.MAX_SAFE_INTEGER) number = Number(bytes.toString('latin1', first, at));
    this.#number = isNegative ? -number : number;
    return true;
  }

  #lineEnd(bytes: Buffer, start: number): number {
    const end = bytes.indexOf(CR, start);
    if (end < 0 || end + 1 >= bytes.length) {
      this.#neededBytes = 0;
      return -1;
    }
    this.#at = end + CRLF_BYTES;
    return end;
  }

  /** A value of the innermost list that is not complete, or the reply itself. */
  #add(value: unknown): void {
    let complete = value;
    for (let list = this.#open.at(-1); list !== undefined; list = this.#open.at(-1)) {
      list.values.push(complete);
      if (--list.missing > 0) return;
      this.#open.pop();
      complete = list.values;
    }
    this.#isInReply = false;
    this.#options.onReply(complete);
  }
}

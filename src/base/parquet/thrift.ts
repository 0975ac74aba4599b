import { ParquetFault } from './fault.ts';

const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12];
const MOST_DEPTH = 16;

/**
 * Walks a struct of Thrift's compact protocol, in which Parquet writes its headers, and stores nothing but whole numbers. The
 * reader of the package reserves memory for as many items as a list says it has; here every item has to be there.
 */
export class ThriftWalk {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** The whole numbers of a struct by the ids of their fields, such as `8.1`; the last one of a list. */
  numbers(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    this.#struct('', 0, found);
    return found;
  }

  #struct(path: string, depth: number, found: Map<string, number>): void {
    if (depth > MOST_DEPTH) throw new ParquetFault('has headers that are nested too deep');
    let id = 0;
    for (let head = this.#byte(); (head & 0x0f) !== 0; head = this.#byte()) {
      const step = head >> 4;
      id = step === 0 ? this.#whole() : id + step;
      this.#value(head & 0x0f, path === '' ? String(id) : `${path}.${id}`, depth, found);
    }
  }

  #value(type: number, path: string, depth: number, found: Map<string, number>): void {
    if (type === TRUE || type === FALSE) return;
    if (type === BYTE) this.#skip(1);
    else if (type === I16 || type === I32) found.set(path, this.#whole());
    else if (type === I64) this.#varint(10);
    else if (type === DOUBLE) this.#skip(8);
    else if (type === BINARY) this.#skip(this.#varint(5));
    else if (type === LIST) this.#list(path, depth + 1, found);
    else if (type === STRUCT) this.#struct(path, depth + 1, found);
    else throw new ParquetFault('has a header that is not Parquet');
  }

  #list(path: string, depth: number, found: Map<string, number>): void {
    if (depth > MOST_DEPTH) throw new ParquetFault('has headers that are nested too deep');
    const head = this.#byte();
    const type = head & 0x0f;
    const items = head >> 4 === 15 ? this.#varint(5) : head >> 4;
    for (let i = 0; i < items; i++)
      if (type === TRUE || type === FALSE) this.#skip(1);
      else this.#value(type, path, depth, found);
  }

  /** As the package reads it: 32 bits, the lowest is the sign. */
  #whole(): number {
    const value = this.#varint(5);
    return (value >>> 1) ^ -(value & 1);
  }

  #varint(mostBytes: number): number {
    let value = 0;
    for (let i = 0; i < mostBytes; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte >= 0x80) continue;
      if (mostBytes === 5 && value >= 2 ** 32) break;
      return value;
    }
    throw new ParquetFault('has a header with a number that is too long');
  }

  #skip(count: number): void {
    this.at += count;
    if (this.at > this.#bytes.length) throw new ParquetFault('has a header that is cut off');
  }

  #byte(): number {
    this.#skip(1);
    return this.#bytes[this.at - 1] as number;
  }
}

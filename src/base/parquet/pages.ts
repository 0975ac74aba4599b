import { zstdDecompressSync } from 'node:zlib';
import { snappyUncompress } from 'hyparquet';
import { isTooLarge } from '../http/bounded-body.ts';
import { ParquetFault } from './fault.ts';
import { ThriftWalk } from './thrift.ts';

const [DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2] = [0, 2, 3];
const [PLAIN, PLAIN_DICTIONARY, RLE, RLE_DICTIONARY] = [0, 2, 3, 8];
const MOST_INDEX_BITS = 32;

/** A column without lists, in one row group. */
export interface CheckedColumn {
  codec: string;
  isOptional: boolean;
  isBoolean: boolean;
}

/** What is left of the unpacked bytes of a row group. */
export interface UnpackedBudget {
  bytes: number;
}

/** Unpacks a page, which has to have the size that its header states. */
export function unpackedPage(bytes: Uint8Array, size: number, codec: string): Uint8Array {
  if (codec === 'UNCOMPRESSED') return bytes;
  if (codec === 'SNAPPY') {
    const page = new Uint8Array(size);
    snappyUncompress(bytes, page);
    return page;
  }
  if (codec !== 'ZSTD') throw new ParquetFault(`is compressed with ${codec}, which is not read`);
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw new ParquetFault(
      isTooLarge(error)
        ? 'has a page that unpacks to more than its header says'
        : 'has a page that is damaged',
    );
  }
}

/**
 * Checks the pages of a column before the package reads them: it believes every count that it finds in them, and a run of
 * equal values takes a few bytes however long it is.
 */
export function checkPages(
  chunk: Uint8Array,
  column: CheckedColumn,
  rows: number,
  budget: UnpackedBudget,
): void {
  const walk = new ThriftWalk(chunk);
  for (let row = 0; row < rows; ) {
    const header = walk.numbers();
    const number = (path: string, most: number) => {
      const value = header.get(path) ?? 0;
      if (value < 0 || value > most)
        throw new ParquetFault('has a page with more in it than the file may have');
      return value;
    };
    const size = number('2', budget.bytes);
    budget.bytes -= size;
    const packed = number('3', chunk.length - walk.at);
    const bytes = chunk.subarray(walk.at, walk.at + packed);
    walk.at += packed;
    const type = header.get('1');
    if (type === DICTIONARY_PAGE) {
      number('7.1', rows);
      unpackedPage(bytes, size, column.codec);
    } else if (type === DATA_PAGE) {
      const values = number('5.1', rows - row);
      const page = new Runs(unpackedPage(bytes, size, column.codec));
      const present = column.isOptional ? page.levels(page.length(), values) : values;
      page.values(header.get('5.2'), present, column.isBoolean);
      row += values;
    } else if (type === DATA_PAGE_V2) {
      const values = number('8.1', rows - row);
      const present = values - number('8.2', values);
      number('8.3', rows);
      const levelBytes = number('8.6', size) + number('8.5', size);
      if (levelBytes > Math.min(size, packed)) throw new ParquetFault('has a page that is damaged');
      const levels = new Runs(bytes.subarray(number('8.6', size), levelBytes));
      if (column.isOptional) levels.levels(number('8.5', size), values);
      const page = unpackedPage(
        bytes.subarray(column.isOptional ? levelBytes : number('8.6', size)),
        size - levelBytes,
        column.codec,
      );
      new Runs(page).values(header.get('8.4'), present, column.isBoolean);
      row += values;
    } else throw new ParquetFault('has a page of an unknown kind');
  }
}

/** The runs of a page: equal values, or values of a few bits each. */
class Runs {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Of what follows. */
  length(): number {
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    if (this.#at + 4 > view.byteLength) throw new ParquetFault('has a page that is damaged');
    this.#at += 4;
    return view.getUint32(this.#at - 4, true);
  }

  /** Of an optional column; returns how many of its values are not null. */
  levels(bytes: number, values: number): number {
    const end = this.#at + bytes;
    const present = this.#check(1, values);
    this.#at = end;
    return present;
  }

  values(encoding: number | undefined, count: number, isBoolean: boolean): void {
    if (encoding === PLAIN) return;
    if (encoding === RLE && isBoolean) {
      this.length();
      this.#check(1, count);
      return;
    }
    if (encoding !== PLAIN_DICTIONARY && encoding !== RLE_DICTIONARY)
      throw new ParquetFault('has values in an encoding that is not read');
    const bits = this.#byte();
    if (bits > MOST_INDEX_BITS) throw new ParquetFault('has a page that is damaged');
    if (bits > 0) this.#check(bits, count);
  }

  /** Returns how many of the values are odd, which for levels are those that are there. */
  #check(bits: number, count: number): number {
    let odd = 0;
    for (let seen = 0; seen < count; ) {
      const head = this.#varint();
      const isPacked = (head & 1) === 1;
      const values = isPacked ? (head >>> 1) * 8 : head >>> 1;
      // Packed ones fill whole groups, of which some writers add empty ones; they take their place in the page.
      const end = this.#at + (isPacked ? (values / 8) * bits : Math.ceil(bits / 8));
      if (values === 0 || end > this.#bytes.length || (!isPacked && values > count - seen))
        throw new ParquetFault('has a run that is longer than its page');
      const used = Math.min(values, count - seen);
      const start = this.#at;
      this.#at = end;
      if (bits === 1) odd += isPacked ? this.#ones(start, used) : ((this.#bytes[start] ?? 0) & 1) * used;
      seen += values;
    }
    return odd;
  }

  #ones(start: number, count: number): number {
    let ones = 0;
    for (let i = 0; i < count; i++) ones += ((this.#bytes[start + (i >> 3)] ?? 0) >> (i & 7)) & 1;
    return ones;
  }

  #varint(): number {
    let value = 0;
    for (let i = 0; i < 4; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) << (7 * i);
      if (byte < 0x80) return value;
    }
    throw new ParquetFault('has a run that is longer than its page');
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new ParquetFault('has a page that is damaged');
    return byte;
  }
}

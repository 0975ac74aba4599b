import * as zlib from 'node:zlib';

/**
 * Gzip whose parts are compressed once and sent to any number of clients. Each part is deflated with an empty window and
 * ends on a byte boundary (a full flush), so it fits behind any other part. Only the checksum at the end of the file
 * depends on all parts; it is combined from the checksums of the parts.
 */
export interface GzipPart {
  bytes: Buffer;
  /** CRC-32 and length of the plain bytes. */
  crc: number;
  length: number;
  /** Moves the checksum of what came before past this part. */
  shift: number;
}

/** Magic number, deflate, no flags, no time, unknown system (RFC 1952). */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block with fixed codes. */
const LAST_BLOCK = [0x03, 0x00];
const LEVEL = 5;

export function gzipPart(plain: Buffer): GzipPart {
  return {
    bytes: zlib.deflateRawSync(plain, { level: LEVEL, finishFlush: zlib.constants.Z_FULL_FLUSH }),
    crc: zlib.crc32(plain),
    length: plain.length,
    shift: powerOfX(plain.length * 8),
  };
}

/** Checksum and length of the parts that one client has been sent. */
export class GzipTrailer {
  #crc = 0;
  #length = 0;

  add({ crc, length, shift }: GzipPart): void {
    this.#crc = (multiplied(shift, this.#crc) ^ crc) >>> 0;
    this.#length = (this.#length + length) >>> 0;
  }

  /** The end of the file: the last block, the checksum and the length. */
  bytes(): Buffer {
    const end = Buffer.alloc(LAST_BLOCK.length + 8);
    end.set(LAST_BLOCK);
    end.writeUInt32LE(this.#crc, LAST_BLOCK.length);
    end.writeUInt32LE(this.#length, LAST_BLOCK.length + 4);
    return end;
  }
}

/** The polynomial of CRC-32. As in zlib, the highest bit is the coefficient of x to the power of 0. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const X = 0x40000000;

/** The product of two polynomials modulo that of CRC-32. */
function multiplied(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}

/** x to this power, by repeated squaring. */
function powerOfX(exponent: number): number {
  let result = ONE;
  let square = X;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiplied(square, result);
    square = multiplied(square, square);
  }
  return result;
}

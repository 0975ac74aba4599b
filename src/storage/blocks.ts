import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * The layout of the blocks that are stored for years: which key a block has, and how its numbers become bytes. Changing
 * anything here makes stored data unreadable, unless a migration rewrites it.
 */

/** Settled prints of one contract are stored in blocks of this many days, counted from the epoch. */
export const SETTLEMENT_BLOCK_DAYS = 32;
/** A packed block of depth samples; it starts on a full hour. */
export const DEPTH_BLOCK_MINUTES = 60;
export const CONTRACTS_PER_SETTLEMENT_BLOCK = 2 ** 20;

/** Keys grow with time, then by contract: the rows that one settlement hour writes are next to each other. */
export function settlementBlockId(block: number, contractId: number): number {
  return block * CONTRACTS_PER_SETTLEMENT_BLOCK + contractId;
}

export function blockNumberOf(settlementBlockId: number): number {
  return Math.floor(settlementBlockId / CONTRACTS_PER_SETTLEMENT_BLOCK);
}

export function contractIdOf(settlementBlockId: number): number {
  return settlementBlockId % CONTRACTS_PER_SETTLEMENT_BLOCK;
}

/** A day of a contract on the tape is stored in this many blocks. */
export const TAPE_DAY_PARTS = 3;

/** Keys of the tape grow with the day since 1970, then by part and contract: blocks of similar size are side by side. */
export function tapeDayId(day: number, contractId: number, part = 0): number {
  return (day * TAPE_DAY_PARTS + part) * CONTRACTS_PER_SETTLEMENT_BLOCK + contractId;
}

/** The keys of all blocks of a day. */
export function tapeDayIds(day: number, contractId: number): number[] {
  return Array.from({ length: TAPE_DAY_PARTS }, (_, part) => tapeDayId(day, contractId, part));
}

export function tapeDayOf(tapeDayId: number): { day: number; part: number; contractId: number } {
  const contractId = tapeDayId % CONTRACTS_PER_SETTLEMENT_BLOCK;
  const dayAndPart = (tapeDayId - contractId) / CONTRACTS_PER_SETTLEMENT_BLOCK;
  const part = dayAndPart % TAPE_DAY_PARTS;
  return { day: (dayAndPart - part) / TAPE_DAY_PARTS, part, contractId };
}

/** Maps 32-bit integers to unsigned ones so that small magnitudes stay small: 0, -1, 1, -2 become 0, 1, 2, 3. */
export function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

export function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

export function bytesOf(array: Float64Array | Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** All first bytes of the numbers, then all second bytes and so on: equal bytes next to each other compress well. */
export function shuffled(bytes: Uint8Array, width: 4 | 8): Uint8Array {
  const count = bytes.length / width;
  const out = new Uint8Array(bytes.length);
  // Four bytes at a time: one pass per byte takes twice as long.
  for (let byte = 0; byte < width; byte += 4) {
    for (let i = 0, from = byte, to = byte * count; i < count; i++, from += width, to++) {
      out[to] = bytes[from] as number;
      out[to + count] = bytes[from + 1] as number;
      out[to + 2 * count] = bytes[from + 2] as number;
      out[to + 3 * count] = bytes[from + 3] as number;
    }
  }
  return out;
}

export function unshuffled(bytes: Uint8Array, width: 4 | 8): Uint8Array<ArrayBuffer> {
  const count = bytes.length / width;
  const out = new Uint8Array(bytes.length);
  for (let byte = 0; byte < width; byte += 4) {
    for (let i = 0, from = byte * count, to = byte; i < count; i++, from++, to += width) {
      out[to] = bytes[from] as number;
      out[to + 1] = bytes[from + count] as number;
      out[to + 2] = bytes[from + 2 * count] as number;
      out[to + 3] = bytes[from + 3 * count] as number;
    }
  }
  return out;
}

/**
 * Length of the head, the head as JSON, then the columns; all of it compressed. zstd can add a checksum of the content
 * (xxHash), which every reader verifies; readers of blocks without one, and older readers, need no change.
 */
export function packColumns(
  head: unknown,
  columns: readonly Uint8Array[],
  { hasChecksum = false, level = constants.ZSTD_CLEVEL_DEFAULT } = {},
): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return zstdCompressSync(Buffer.concat([length, json, ...columns]), {
    params: {
      [constants.ZSTD_c_checksumFlag]: hasChecksum ? 1 : 0,
      [constants.ZSTD_c_compressionLevel]: level,
    },
  });
}

export function unpackColumns(bytes: Uint8Array): { head: unknown; columns: Buffer } {
  const raw = zstdDecompressSync(bytes);
  const columnsAt = 4 + raw.readUInt32LE(0);
  const head: unknown = JSON.parse(raw.toString('utf8', 4, columnsAt));
  return { head, columns: raw.subarray(columnsAt) };
}

import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type MinuteSample, PRICE_COLUMNS } from './model.ts';

/**
 * A block of minutes, laid out by column. Inside a column a contract's minutes stand side by side, and a price is the
 * distance, counted in representable numbers, to the price that it is most like: the same contract's a minute ago,
 * or the next smaller size's. Most distances are small or zero, and zstd does the rest.
 */
const VERSION = 1;
const ZSTD_LEVEL = 3;
const HEADER_WORDS = 6;
/** For each price column the one of the same minute that it is told by; the first is told by the minute before. */
const TOLD_BY = [-1, 0, 1, 0, 3, 4] as const;

export class SampleBlockError extends Error {}

export function encodeSamples(samples: readonly MinuteSample[]): Buffer {
  const series = seriesOf(samples);
  const ids = Uint32Array.from([...series.keys()].sort((a, b) => a - b));
  const minutes = Uint32Array.from(samples, (sample) => sample.minute);
  const rowCount = samples.reduce((sum, sample) => sum + sample.ids.length, 0);
  const counts = new Uint32Array(ids.length);
  const volumes = new Float32Array(ids.length);
  const minuteIndexes = new Uint32Array(rowCount);
  const masks = new Uint8Array(rowCount);
  const distances = Array.from({ length: PRICE_COLUMNS }, () => new Uint32Array(rowCount));
  const bits = new Int32Array(PRICE_COLUMNS);
  const last = new Int32Array(PRICE_COLUMNS);
  let row = 0;
  for (const [at, id] of ids.entries()) {
    const places = series.get(id) ?? [];
    counts[at] = places.length / 2;
    last.fill(0);
    let indexBefore = -1;
    for (let i = 0; i < places.length; i += 2, row++) {
      const index = places[i] as number;
      const place = places[i + 1] as number;
      const sample = samples[index] as MinuteSample;
      volumes[at] = sample.volumesUsdt[place] as number;
      minuteIndexes[row] = index - indexBefore - 1;
      indexBefore = index;
      const words = new Int32Array(sample.prices.buffer, sample.prices.byteOffset, sample.prices.length);
      let mask = 0;
      for (let column = 0; column < PRICE_COLUMNS; column++) {
        const price = sample.prices[place * PRICE_COLUMNS + column] as number;
        bits[column] = words[place * PRICE_COLUMNS + column] as number;
        if (price > 0) mask |= 1 << column;
      }
      masks[row] = mask;
      for (let column = 0; column < PRICE_COLUMNS; column++) {
        if ((mask & (1 << column)) === 0) continue;
        const distance = ((bits[column] as number) - toldBy(column, mask, bits, last)) | 0;
        (distances[column] as Uint32Array)[row] = (distance << 1) ^ (distance >> 31);
      }
      remember(mask, bits, last);
    }
  }
  const header = Uint32Array.of(VERSION, samples.length, ids.length, rowCount, 0, 0);
  const body = Buffer.concat([
    bytesOf(header),
    bytesOf(minutes),
    bytesOf(ids),
    bytesOf(counts),
    bytesOf(volumes),
    shuffled(minuteIndexes),
    masks,
    ...distances.map(shuffled),
  ]);
  const packed = zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } });
  const check = Buffer.alloc(4);
  check.writeUInt32LE(crc32(packed));
  return Buffer.concat([check, packed]);
}

/** The minutes of a block, oldest first. Throws a SampleBlockError when the bytes are not a whole block. */
export function decodeSamples(block: Uint8Array): MinuteSample[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  if (bytes.length < 8 || crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0))
    throw new SampleBlockError('a block of depth samples is damaged');
  const body = zstdDecompressSync(bytes.subarray(4));
  const reader = new Reader(body);
  const [version, minuteCount = 0, idCount = 0, rowCount = 0] = reader.words(HEADER_WORDS);
  if (version !== VERSION)
    throw new SampleBlockError(`a block of depth samples has the unknown version ${version}`);
  const minutes = reader.words(minuteCount);
  const ids = reader.words(idCount);
  const counts = reader.words(idCount);
  const volumes = new Float32Array(reader.words(idCount).buffer);
  const minuteIndexes = reader.shuffledWords(rowCount);
  const masks = reader.bytes(rowCount);
  const distances = Array.from({ length: PRICE_COLUMNS }, () => reader.shuffledWords(rowCount));

  const perMinute = new Uint32Array(minuteCount);
  walkRows(counts, minuteIndexes, (_at, _row, index) => {
    perMinute[index] = (perMinute[index] as number) + 1;
  });
  const samples = Array.from(minutes, (minute, index): MinuteSample => {
    const count = perMinute[index] as number;
    return {
      minute,
      ids: new Uint32Array(count),
      prices: new Float32Array(count * PRICE_COLUMNS).fill(Number.NaN),
      volumesUsdt: new Float32Array(count),
    };
  });
  const words = samples.map((sample) => new Int32Array(sample.prices.buffer));
  const filled = new Uint32Array(minuteCount);
  const bits = new Int32Array(PRICE_COLUMNS);
  const last = new Int32Array(PRICE_COLUMNS);
  let contractBefore = -1;
  walkRows(counts, minuteIndexes, (at, row, index) => {
    if (at !== contractBefore) last.fill(0);
    contractBefore = at;
    const sample = samples[index] as MinuteSample;
    const place = filled[index] as number;
    filled[index] = place + 1;
    sample.ids[place] = ids[at] as number;
    sample.volumesUsdt[place] = volumes[at] as number;
    const mask = masks[row] as number;
    const out = words[index] as Int32Array;
    for (let column = 0; column < PRICE_COLUMNS; column++) {
      if ((mask & (1 << column)) === 0) continue;
      const zigzag = (distances[column] as Uint32Array)[row] as number;
      const distance = (zigzag >>> 1) ^ -(zigzag & 1);
      bits[column] = (toldBy(column, mask, bits, last) + distance) | 0;
      out[place * PRICE_COLUMNS + column] = bits[column] as number;
    }
    remember(mask, bits, last);
  });
  return samples;
}

/** What a price is told by: the column beside it if that has a price now, else its own last price. */
function toldBy(column: number, mask: number, bits: Int32Array, last: Int32Array): number {
  const other = TOLD_BY[column] as number;
  if (other < 0 || (mask & (1 << other)) === 0) return last[column] as number;
  // A distance to the neighbour hardly changes from minute to minute, so the former one is expected again.
  const lastOther = last[other] as number;
  const expected = lastOther !== 0 && last[column] !== 0 ? (last[column] as number) - lastOther : 0;
  return ((bits[other] as number) + expected) | 0;
}

function remember(mask: number, bits: Int32Array, last: Int32Array): void {
  for (let column = 0; column < PRICE_COLUMNS; column++)
    if (mask & (1 << column)) last[column] = bits[column] as number;
}

/** Visits rows in the order in which they are stored: contract by contract, minute by minute. */
function walkRows(
  counts: Uint32Array,
  minuteIndexes: Uint32Array,
  visit: (contract: number, row: number, minuteIndex: number) => void,
): void {
  let row = 0;
  for (let at = 0; at < counts.length; at++) {
    let index = -1;
    for (const end = row + (counts[at] as number); row < end; row++) {
      index += (minuteIndexes[row] as number) + 1;
      visit(at, row, index);
    }
  }
}

/** For each contract, where it stands: minute index, place, minute index, place, ... */
function seriesOf(samples: readonly MinuteSample[]): Map<number, number[]> {
  const series = new Map<number, number[]>();
  for (const [index, sample] of samples.entries()) {
    for (const [place, id] of sample.ids.entries()) {
      const known = series.get(id);
      if (known) known.push(index, place);
      else series.set(id, [index, place]);
    }
  }
  return series;
}

function bytesOf(array: Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** All lowest bytes, then all second ones and so on: the high ones are nearly all zero. */
function shuffled(words: Uint32Array): Uint8Array {
  const out = new Uint8Array(words.length * 4);
  const { length } = words;
  for (let i = 0; i < length; i++) {
    const word = words[i] as number;
    out[i] = word;
    out[length + i] = word >>> 8;
    out[2 * length + i] = word >>> 16;
    out[3 * length + i] = word >>> 24;
  }
  return out;
}

class Reader {
  readonly #body: Buffer;
  #offset = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  bytes(count: number): Uint8Array {
    const part = this.#body.subarray(this.#offset, this.#offset + count);
    this.#offset += count;
    return part;
  }

  words(count: number): Uint32Array<ArrayBuffer> {
    const words = new Uint32Array(count);
    new Uint8Array(words.buffer).set(this.bytes(count * 4));
    return words;
  }

  shuffledWords(count: number): Uint32Array {
    const part = this.bytes(count * 4);
    const words = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      words[i] =
        (part[i] as number) |
        ((part[count + i] as number) << 8) |
        ((part[2 * count + i] as number) << 16) |
        ((part[3 * count + i] as number) << 24);
    }
    return words;
  }
}

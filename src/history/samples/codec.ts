import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { bytesOf, shuffled, unshuffled, unzigzag, zigzag } from '../../storage/blocks.ts';
import { type MinuteSample, PRICE_COLUMNS } from './model.ts';

/**
 * A block of minutes, laid out by column and, inside a column, by contract. A price is delta-encoded as the distance
 * between the bit patterns of two floats: to the same contract's previous minute, or to the next smaller order size.
 * Most distances are small or zero, so zstd compresses them well.
 */
const VERSION = 1;
const ZSTD_LEVEL = 3;
const HEADER_WORDS = 6;
/** The column that each price column is delta-encoded against; -1: the previous minute. */
const PREDICTED_FROM = [-1, 0, 1, 0, 3, 4] as const;

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
  const wordsOf = samples.map(
    ({ prices }) => new Int32Array(prices.buffer, prices.byteOffset, prices.length),
  );
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
      const words = wordsOf[index] as Int32Array;
      let mask = 0;
      for (let column = 0; column < PRICE_COLUMNS; column++) {
        const price = sample.prices[place * PRICE_COLUMNS + column] as number;
        bits[column] = words[place * PRICE_COLUMNS + column] as number;
        if (price > 0) mask |= 1 << column;
      }
      masks[row] = mask;
      for (let column = 0; column < PRICE_COLUMNS; column++) {
        if ((mask & (1 << column)) === 0) continue;
        const distance = ((bits[column] as number) - predicted(column, mask, bits, last)) | 0;
        (distances[column] as Uint32Array)[row] = zigzag(distance);
      }
      copyPrices(mask, bits, last);
    }
  }
  const header = Uint32Array.of(VERSION, samples.length, ids.length, rowCount, 0, 0);
  const body = Buffer.concat([
    bytesOf(header),
    bytesOf(minutes),
    bytesOf(ids),
    bytesOf(counts),
    bytesOf(volumes),
    shuffledWords(minuteIndexes),
    masks,
    ...distances.map(shuffledWords),
  ]);
  const packed = zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } });
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(packed));
  return Buffer.concat([checksum, packed]);
}

/** The minutes of a block, oldest first. Throws a SampleBlockError when the bytes are damaged or of another version. */
export function decodeSamples(block: Uint8Array): MinuteSample[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  if (bytes.length < 8 || crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0))
    throw new SampleBlockError('depth sample block is damaged');
  const body = zstdDecompressSync(bytes.subarray(4));
  const reader = new Reader(body);
  const [version, minuteCount = 0, idCount = 0, rowCount = 0] = reader.words(HEADER_WORDS);
  if (version !== VERSION) throw new SampleBlockError(`depth sample block has unknown version ${version}`);
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
      const distance = unzigzag((distances[column] as Uint32Array)[row] as number);
      bits[column] = (predicted(column, mask, bits, last) + distance) | 0;
      out[place * PRICE_COLUMNS + column] = bits[column] as number;
    }
    copyPrices(mask, bits, last);
  });
  return samples;
}

/** The expected bits of a price: from the neighbouring column if that has a price in this minute, else the last price. */
function predicted(column: number, mask: number, bits: Int32Array, last: Int32Array): number {
  const other = PREDICTED_FROM[column] as number;
  if (other < 0 || (mask & (1 << other)) === 0) return last[column] as number;
  // The distance between two columns hardly changes from minute to minute, so the previous one is assumed.
  const lastOther = last[other] as number;
  const expected = lastOther !== 0 && last[column] !== 0 ? (last[column] as number) - lastOther : 0;
  return ((bits[other] as number) + expected) | 0;
}

function copyPrices(mask: number, bits: Int32Array, last: Int32Array): void {
  for (let column = 0; column < PRICE_COLUMNS; column++)
    if (mask & (1 << column)) last[column] = bits[column] as number;
}

/** Visits rows in stored order: by contract, then by minute. */
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

/** The positions of each contract's samples: minute index, place, minute index, place, ... */
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

function shuffledWords(words: Uint32Array): Uint8Array {
  return shuffled(bytesOf(words), 4);
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
    return new Uint32Array(unshuffled(this.bytes(count * 4), 4).buffer);
  }
}

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Log } from '../../base/log.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { readSection, writeSection } from './section.ts';
import type { TapeSeries } from './series.ts';

/**
 * Two kinds of blocks. A *venue block* has all contracts of a venue over a minute or an hour: it is what is written. A *day
 * block* has one contract over a day: it is what is read. Changing the layout makes stored blocks unreadable.
 */
const VERSION = 1;

/** A day block unpacked; the default is many times as much, which costs more than unpacking. */
const CHUNK_BYTES = 12_288;

export class TapeBlockError extends Error {}

/** Reads a block. A damaged one is logged, and what it had is a gap. */
export function readIfIntact(read: () => void, log: Pick<Log, 'error'>): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof TapeBlockError)) throw error;
    log.error({ err: error }, 'skipped a block of the tape');
  }
}

/** A day block is written once. */
const [VENUE_LEVEL, DAY_LEVEL] = [1, 12];

/** The checksum tells a damaged block from an intact one. */
function packed(bytes: Uint8Array, level: number): Buffer {
  const params = { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: level };
  return zstdCompressSync(bytes, { params });
}

function unpacked(block: Uint8Array): ByteReader {
  let reader: ByteReader;
  try {
    reader = new ByteReader(zstdDecompressSync(block, { chunkSize: CHUNK_BYTES }));
  } catch (cause) {
    throw new TapeBlockError('a block of the tape is damaged', { cause });
  }
  checkVersion(reader);
  return reader;
}

function checkVersion(reader: ByteReader): void {
  const version = reader.byte();
  if (version !== VERSION) throw new TapeBlockError(`a block of the tape has unknown version ${version}`);
}

export function encodeDay(series: TapeSeries): Buffer {
  const writer = new ByteWriter();
  writer.byte(VERSION);
  writeSection(writer, series);
  return packed(writer.written(), DAY_LEVEL);
}

export function readDay(block: Uint8Array, startMinute: number, into: TapeSeries): void {
  readSection(unpacked(block), startMinute, into);
}

interface DayBlock {
  startMinute: number;
  block: Uint8Array;
}

/**
 * Reads some days. Frames of zstd that follow each other unpack to what each would (RFC 8878), and all at once take half of
 * the time. If one is damaged, they are read one by one.
 */
export function readDays(days: readonly DayBlock[], into: TapeSeries, log: Pick<Log, 'error'>): void {
  try {
    const frames = Buffer.concat(days.map(({ block }) => block));
    const chunkSize = Math.max(1, days.length) * CHUNK_BYTES;
    const reader = new ByteReader(zstdDecompressSync(frames, { chunkSize }));
    for (const { startMinute } of days) {
      checkVersion(reader);
      readSection(reader, startMinute, into);
    }
  } catch {
    for (const { startMinute, block } of days) readIfIntact(() => readDay(block, startMinute, into), log);
  }
}

/** The contracts by number. */
export function encodeVenue(contracts: ReadonlyMap<number, TapeSeries>): Buffer {
  const [head, sections] = [new ByteWriter(), new ByteWriter()];
  head.byte(VERSION);
  head.varint(contracts.size);
  let lastId = 0;
  for (const [id, series] of [...contracts].sort(([a], [b]) => a - b)) {
    const start = sections.length;
    writeSection(sections, series);
    head.varint(id - lastId);
    head.varint(sections.length - start);
    lastId = id;
  }
  head.append(sections.written());
  return packed(head.written(), VENUE_LEVEL);
}

/** Reads the contracts for which `seriesOf` returns a series into it. */
export function readVenue(
  block: Uint8Array,
  startMinute: number,
  seriesOf: (id: number) => TapeSeries | undefined,
): void {
  const reader = unpacked(block);
  const sections: { id: number; length: number }[] = [];
  for (let count = reader.varint(), id = 0; count > 0; count--) {
    id += reader.varint();
    sections.push({ id, length: reader.varint() });
  }
  for (const { id, length } of sections) {
    const end = reader.at + length;
    const series = seriesOf(id);
    if (series) readSection(reader, startMinute, series);
    reader.at = end;
  }
}

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Log } from '../../base/log.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { readSection, writeSection } from './section.ts';
import { FIVE_COLUMNS, TAPE_COLUMNS, type TapeColumn, type TapeSeries } from './series.ts';

/**
 * Two kinds of blocks. A *venue block* has all contracts of a venue over a minute or an hour: it is what is written. A *day
 * block* has some columns of one contract over a day: it is what is read. Changing the layout makes stored blocks unreadable.
 */
const VERSION = 1;

/** The columns of each day block. Most readers need the first only, and SQLite has three of that size on a page. */
const DAY_PARTS: readonly (readonly TapeColumn[])[] = [
  ['ratePct', 'intervalHours', 'nextFundingAtMs'],
  ['premiumPct'],
  FIVE_COLUMNS,
];

/** A day block unpacked; the default is many times as much, which costs more than unpacking. */
const CHUNK_BYTES = 4_096;

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

/** The day blocks of a contract, by part. */
export function encodeDay(series: TapeSeries): Buffer[] {
  return DAY_PARTS.map((columns) => {
    const writer = new ByteWriter();
    writer.byte(VERSION);
    writeSection(writer, series, columns);
    return packed(writer.written(), DAY_LEVEL);
  });
}

/** The parts that have a column of the series. */
export function dayPartsOf(series: TapeSeries): number[] {
  return [...DAY_PARTS.keys()].filter((part) => columnsOf(part).some((name) => series.has(name)));
}

function columnsOf(part: number): readonly TapeColumn[] {
  return DAY_PARTS[part] ?? [];
}

export interface DayBlock {
  startMinute: number;
  part: number;
  block: Uint8Array;
}

export function readDay({ block, part, startMinute }: DayBlock, into: TapeSeries): void {
  readSection(unpacked(block), startMinute, into, columnsOf(part));
}

/**
 * Reads some day blocks of a contract. Frames of zstd that follow each other unpack to what each would (RFC 8878), and all at once take half of
 * the time. If one is damaged, they are read one by one.
 */
export function readDays(days: readonly DayBlock[], into: TapeSeries, log: Pick<Log, 'error'>): void {
  try {
    const frames = Buffer.concat(days.map(({ block }) => block));
    const chunkSize = Math.max(1, days.length) * CHUNK_BYTES;
    const reader = new ByteReader(zstdDecompressSync(frames, { chunkSize }));
    for (const { startMinute, part } of days) {
      checkVersion(reader);
      readSection(reader, startMinute, into, columnsOf(part));
    }
  } catch {
    for (const day of days) readIfIntact(() => readDay(day, into), log);
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
    writeSection(sections, series, TAPE_COLUMNS);
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
    if (series) readSection(reader, startMinute, series, TAPE_COLUMNS);
    reader.at = end;
  }
}

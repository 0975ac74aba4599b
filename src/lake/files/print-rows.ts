import type { Readable } from 'node:stream';
import { zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type ColumnData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
} from 'hyparquet';
import { isPlausibleMs } from '../../base/times.ts';
import type { ContractNames } from '../../history/settlements/directory.ts';
import { settlementMinute } from '../../history/settlements/times.ts';
import { LakeError } from './manifest.ts';
import type { LakeStore } from './store.ts';

const COLUMNS = [
  'coin',
  'exchange',
  'venue_symbol',
  'symbol',
  'is_inverse',
  'settled_at',
  'rate_pct',
  'known_at',
] as const;
type Columns = Readonly<Record<(typeof COLUMNS)[number], unknown[]>>;

function noColumns(): Columns {
  const names = { coin: [], exchange: [], venue_symbol: [], symbol: [], is_inverse: [] };
  return { ...names, settled_at: [], rate_pct: [], known_at: [] };
}

const MAX_RATE_PCT = 4 * 24;
const MAX_NAME_LENGTH = 80;
const READ_AT_ONCE_BYTES = 8 * 1024 * 1024;

/** The prints of one contract in a file. */
export interface FilePrints {
  names: ContractNames;
  minutes: number[];
  ratesPct: number[];
  /** In seconds since 1970; NaN if unknown. */
  knownSeconds: number[];
}

/** Reads a file of prints from a lake, group by group. What is in it may come from elsewhere, so every value is checked. */
export async function* filePrints(store: LakeStore, path: string, bytes: number): AsyncGenerator<FilePrints> {
  const file = await bufferOf(store, path, bytes);
  const fault = (what: string) => new LakeError(`${path} ${what}`);
  const metadata = await parquetMetadataAsync(file).catch(() => {
    throw fault('is not a Parquet file');
  });
  const known = new Set(parquetSchema(metadata).children.map(({ element }) => element.name));
  for (const name of COLUMNS) if (!known.has(name)) throw fault(`has no column ${name}`);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const columns = noColumns();
    await parquetRead({
      ...{ file, metadata, columns: [...COLUMNS], rowStart, rowEnd },
      compressors: { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) },
      parsers: { timestampFromMilliseconds: Number },
      onChunk: ({ columnName, columnData }: ColumnData) => {
        const values = columns[columnName as keyof Columns];
        for (let i = 0; i < columnData.length; i++) values.push(columnData[i]);
      },
    });
    yield* contractsOf(columns, rowEnd - rowStart, (row, what) =>
      fault(`row ${rowStart + row + 1}: ${what}`),
    );
    rowStart = rowEnd;
  }
}

/** A file of a day is read at once, a larger one in parts. */
async function bufferOf(store: LakeStore, path: string, bytes: number): Promise<AsyncBuffer> {
  const part = async (start: number, end = bytes) => await bytesOf(store.read(path, start, end - 1));
  if (bytes > READ_AT_ONCE_BYTES) return { byteLength: bytes, slice: part };
  const whole = await part(0);
  return { byteLength: bytes, slice: (start, end) => whole.slice(start, end) };
}

async function bytesOf(stream: Readable): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk as Uint8Array);
  const all = Buffer.concat(chunks);
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength) as ArrayBuffer;
}

function* contractsOf(
  columns: Columns,
  rows: number,
  fault: (row: number, what: string) => LakeError,
): Generator<FilePrints> {
  const { coin, exchange, venue_symbol, symbol, is_inverse, settled_at, rate_pct, known_at } = columns;
  let open: FilePrints | null = null;
  for (let row = 0; row < rows; row++) {
    if (!open || open.names.venueSymbol !== venue_symbol[row] || open.names.exchange !== exchange[row]) {
      if (open) yield open;
      const name = (value: unknown, what: string): string => {
        if (typeof value !== 'string' || value === '' || value.length > MAX_NAME_LENGTH)
          throw fault(row, `${what} is not a name`);
        return value;
      };
      const names = {
        exchange: name(exchange[row], 'exchange'),
        venueSymbol: name(venue_symbol[row], 'venue_symbol'),
        symbol: name(symbol[row], 'symbol'),
        coin: name(coin[row], 'coin'),
        isInverse: is_inverse[row] === true,
        listedAtMs: null,
      };
      open = { names, minutes: [], ratesPct: [], knownSeconds: [] };
    }
    const [settledAtMs, ratePct, knownAtMs] = [settled_at[row], rate_pct[row], known_at[row]];
    if (typeof settledAtMs !== 'number' || !isPlausibleMs(settledAtMs))
      throw fault(row, 'settled_at is not a time');
    if (typeof ratePct !== 'number' || !(Math.abs(ratePct) <= MAX_RATE_PCT))
      throw fault(row, `rate_pct is not a number of percent from -${MAX_RATE_PCT} to ${MAX_RATE_PCT}`);
    open.minutes.push(settlementMinute(settledAtMs));
    open.ratesPct.push(ratePct);
    open.knownSeconds.push(typeof knownAtMs === 'number' ? Math.ceil(knownAtMs / 1000) : Number.NaN);
  }
  if (open) yield open;
}

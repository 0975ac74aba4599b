import type { Readable } from 'node:stream';
import type { AsyncBuffer } from 'hyparquet';
import { ParquetFault } from '../../base/parquet/fault.ts';
import { parquetRows } from '../../base/parquet/read.ts';
import { isPrintable } from '../../base/printable.ts';
import { DAY_MS, isPlausibleMs } from '../../base/times.ts';
import type { ContractNames } from '../../history/settlements/directory.ts';
import { settlementMinute } from '../../history/settlements/times.ts';
import { LakeError, type LakeFile } from './manifest.ts';
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

/** The groups of the writer are smaller. */
const LIMITS = { groupRows: 100_000, groupBytes: 64 * 1024 * 1024 };
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

/**
 * Reads a file of prints from a lake, group by group. What is in it may come from elsewhere: it has as many rows as the manifest
 * says, of the days that it says, and every value is checked. `untilMs`: when a row can be known at the latest.
 */
export async function* filePrints(
  store: LakeStore,
  file: LakeFile,
  untilMs: number,
): AsyncGenerator<FilePrints> {
  const { path, bytes, rows } = file;
  const buffer = await bufferOf(store, path, bytes);
  const parsers = { timestampFromMilliseconds: Number };
  try {
    const limits = { ...LIMITS, rows };
    for await (const { rowStart, count, columns } of parquetRows(buffer, {
      columns: COLUMNS,
      limits,
      parsers,
    }))
      yield* contractsOf(columns, count, { file, untilMs, rowStart });
  } catch (error) {
    throw error instanceof ParquetFault ? new LakeError(`${path} ${error.message}`) : error;
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
  { file, untilMs, rowStart }: { file: LakeFile; untilMs: number; rowStart: number },
): Generator<FilePrints> {
  const fault = (row: number, what: string) =>
    new LakeError(`${file.path} row ${rowStart + row + 1}: ${what}`);
  const [fromMs, endMs] = [Date.parse(file.from), dayEndMs(file)];
  const { coin, exchange, venue_symbol, symbol, is_inverse, settled_at, rate_pct, known_at } = columns;
  let open: FilePrints | null = null;
  for (let row = 0; row < rows; row++) {
    if (!open || open.names.venueSymbol !== venue_symbol[row] || open.names.exchange !== exchange[row]) {
      if (open) yield open;
      const name = (value: unknown, what: string): string => {
        if (
          typeof value !== 'string' ||
          value === '' ||
          value.length > MAX_NAME_LENGTH ||
          !isPrintable(value)
        )
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
    if (settledAtMs < fromMs || settledAtMs >= endMs)
      throw fault(row, `settled_at is not from ${file.from} up to the day of the file`);
    if (typeof ratePct !== 'number' || !(Math.abs(ratePct) <= MAX_RATE_PCT))
      throw fault(row, `rate_pct is not a number of percent from -${MAX_RATE_PCT} to ${MAX_RATE_PCT}`);
    if (typeof knownAtMs === 'number' && !(knownAtMs <= untilMs))
      throw fault(row, 'known_at is in the future');
    open.minutes.push(settlementMinute(settledAtMs));
    open.ratesPct.push(ratePct);
    open.knownSeconds.push(typeof knownAtMs === 'number' ? Math.ceil(knownAtMs / 1000) : Number.NaN);
  }
  if (open) yield open;
}

function dayEndMs({ path }: LakeFile): number {
  return Date.parse(path.slice(path.indexOf('/') + 1).slice(0, 'YYYY-MM-DD'.length)) + DAY_MS;
}

import type { RequestOptions } from './request.ts';
import type { Transport } from './transport.ts';

export type LakeDataset =
  | 'prints'
  | 'running'
  | 'open_interest'
  | 'depth'
  | 'contracts'
  | 'listings'
  | 'forecasts';

export interface LakeParams {
  /** First and last day of the files, `YYYY-MM-DD` or a Date (UTC), both included; all that the plan sees unless set. */
  from?: string | Date;
  to?: string | Date;
  /** Ticker; with it only a small part of each file is read. */
  coin?: string;
  /** The columns to read; all unless set. */
  columns?: readonly string[];
}

/** A row of a file: times are Dates, null is unknown. */
export type LakeRow = Record<string, unknown>;

/** Rows of the files of a dataset, in the order of the days. */
export type Lake = (
  dataset: LakeDataset,
  params?: LakeParams,
  options?: RequestOptions,
) => AsyncGenerator<LakeRow, void, undefined>;

interface ManifestFile {
  dataset: string;
  path: string;
  bytes: number;
}

interface Manifest {
  days: readonly { day: string; files: readonly ManifestFile[] }[];
}

interface Buffer {
  byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer>;
}

/** What is used of the package hyparquet. */
interface Hyparquet {
  parquetMetadataAsync(file: Buffer, options: { initialFetchSize: number }): Promise<unknown>;
  parquetReadObjects(options: object): Promise<LakeRow[]>;
}

interface Zlib {
  zstdDecompressSync?(bytes: Uint8Array): Uint8Array;
}

/** The index at the end of most files is longer, but its rest is fetched exactly. */
const FIRST_FETCH_BYTES = 4096;

export function lakeOf(transport: Transport): Lake {
  return async function* lake(dataset, params = {}, { signal } = {}) {
    const { hyparquet, zstd } = await readers();
    const { days } = (await transport.get('/lake/manifest.json', signal, true)) as Manifest;
    const [from, to] = [dayOf(params.from) ?? '', dayOf(params.to) ?? '9999'];
    const files = days
      .filter(({ day }) => day >= from && day <= to)
      .flatMap((day) => day.files.filter((file) => file.dataset === dataset));
    for (const { path, bytes } of files) {
      const file: Buffer = {
        byteLength: bytes,
        slice: (start, end = bytes) => transport.bytes(`/lake/${path}`, start, end - 1, signal),
      };
      const metadata = await hyparquet.parquetMetadataAsync(file, { initialFetchSize: FIRST_FETCH_BYTES });
      const rows = await hyparquet.parquetReadObjects({
        ...{ file, metadata, compressors: { ZSTD: zstd } },
        ...(params.columns ? { columns: [...params.columns] } : {}),
        ...(params.coin === undefined ? {} : { filter: { coin: { $eq: params.coin.toUpperCase() } } }),
      });
      for (const row of rows) yield row;
    }
  };
}

function dayOf(day: string | Date | undefined): string | undefined {
  const text = day instanceof Date ? day.toISOString() : day;
  if (text === undefined || /^\d{4}-\d\d-\d\d/.test(text)) return text?.slice(0, 10);
  throw new TypeError(`a day is written as 2026-11-17; it is "${text}"`);
}

/** Loaded when it is first needed: the rest of the client needs neither. */
async function readers(): Promise<{ hyparquet: Hyparquet; zstd: (bytes: Uint8Array) => Uint8Array }> {
  const load = async (name: string): Promise<unknown> => await import(name).catch(() => null);
  const hyparquet = (await load('hyparquet')) as Hyparquet | null;
  if (!hyparquet) throw new Error('lake() needs the package hyparquet: npm install hyparquet');
  const zlib = (await load('node:zlib')) as Zlib | null;
  if (!zlib?.zstdDecompressSync) throw new Error('lake() needs zstd of node:zlib: Node 22.15 or later');
  return { hyparquet, zstd: zlib.zstdDecompressSync };
}

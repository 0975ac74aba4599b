import {
  type AsyncBuffer,
  type ColumnData,
  type FileMetaData,
  type ParquetParsers,
  parquetMetadata,
  parquetRead,
  parquetSchema,
} from 'hyparquet';
import { printable } from '../printable.ts';
import { ParquetFault } from './fault.ts';
import { checkPages, unpackedPage } from './pages.ts';
import { ThriftWalk } from './thrift.ts';

export interface ParquetLimits {
  /** Rows of the whole file; it has to have exactly so many. Null: any number. */
  rows: number | null;
  /** Rows of a row group, which is in memory at once, and bytes of its columns once they are unpacked. */
  groupRows: number;
  groupBytes: number;
}

/** Some rows: the values of each column. */
export interface ParquetRows<Name extends string> {
  /** Of the first one in the file. */
  rowStart: number;
  count: number;
  columns: Readonly<Record<Name, unknown[]>>;
}

interface ParquetOptions<Name extends string> {
  columns: readonly Name[];
  limits: ParquetLimits;
  parsers?: Partial<ParquetParsers>;
}

/** The list of groups; that of a file of a million rows has a few kilobytes. */
const MOST_FOOTER_BYTES = 4 * 1024 * 1024;
const TAIL_BYTES = 8;

/** Reads columns of a file from elsewhere, group by group. Throws a `ParquetFault` before it takes more memory than the limits allow. */
export async function* parquetRows<Name extends string>(
  file: AsyncBuffer,
  { columns: names, limits, parsers }: ParquetOptions<Name>,
): AsyncGenerator<ParquetRows<Name>> {
  const metadata = await metadataOf(file);
  const schema = new Map(parquetSchema(metadata).children.map((column) => [column.element.name, column]));
  const missing = names.filter((name) => !schema.has(name));
  if (missing.length > 0) throw new ParquetFault(`has no column ${missing.join(', ')}`);
  const counts = metadata.row_groups.map(({ num_rows }) => Number(num_rows));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (limits.rows !== null && total !== limits.rows)
    throw new ParquetFault(`has ${total} rows, and the manifest says ${limits.rows}`);
  let rowStart = 0;
  for (const [i, group] of metadata.row_groups.entries()) {
    const count = counts[i] as number;
    if (!(count >= 0 && count <= limits.groupRows))
      throw new ParquetFault(`has a group of ${count} rows; at most ${limits.groupRows} are read`);
    const budget = { bytes: limits.groupBytes };
    for (const name of names) {
      const own = group.columns.filter(({ meta_data }) => meta_data?.path_in_schema[0] === name);
      const meta = own[0]?.meta_data;
      const column = schema.get(name);
      if (
        own.length !== 1 ||
        !meta ||
        !column ||
        column.children.length > 0 ||
        column.element.repetition_type === 'REPEATED'
      )
        throw new ParquetFault(`has no plain values of ${name} in one of its groups`);
      const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
      const end = start + Number(meta.total_compressed_size);
      if (!(start >= 0 && start <= end && end <= file.byteLength))
        throw new ParquetFault('has a column beyond its end');
      const checked = {
        codec: meta.codec,
        isOptional: column.element.repetition_type === 'OPTIONAL',
        isBoolean: meta.type === 'BOOLEAN',
      };
      checkPages(new Uint8Array(await file.slice(start, end)), checked, count, budget);
    }
    const columns = Object.fromEntries(names.map((name) => [name, [] as unknown[]])) as Record<
      Name,
      unknown[]
    >;
    if (count > 0)
      await understood(
        parquetRead({
          ...{ file, metadata, columns: [...names], rowStart, rowEnd: rowStart + count },
          compressors: { ZSTD: (input, size) => unpackedPage(input, size, 'ZSTD') },
          ...(parsers ? { parsers } : {}),
          onChunk: ({ columnName, columnData }: ColumnData) => {
            const values = columns[columnName as Name];
            for (let row = 0; row < columnData.length; row++) values.push(columnData[row]);
          },
        }),
      );
    yield { rowStart, count, columns };
    rowStart += count;
  }
}

async function metadataOf(file: AsyncBuffer): Promise<FileMetaData> {
  const { byteLength } = file;
  const tail =
    byteLength < TAIL_BYTES ? null : new DataView(await file.slice(byteLength - TAIL_BYTES, byteLength));
  const footer = (tail?.getUint32(0, true) ?? 0) + TAIL_BYTES;
  if (tail?.getUint32(4, true) !== 0x31524150 || footer > byteLength)
    throw new ParquetFault('is not a Parquet file');
  if (footer > MOST_FOOTER_BYTES) throw new ParquetFault(`has a list of groups of ${footer} bytes`);
  const bytes = await file.slice(byteLength - footer, byteLength);
  new ThriftWalk(new Uint8Array(bytes, 0, footer - TAIL_BYTES)).numbers();
  return await understood(Promise.resolve().then(() => parquetMetadata(bytes, { geoparquet: false })));
}

/** What the package does not understand is a fault of the file. */
async function understood<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ParquetFault) throw error;
    throw new ParquetFault(
      `is damaged: ${printable(error instanceof Error ? error.message : String(error)).slice(0, 200)}`,
    );
  }
}

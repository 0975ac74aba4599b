import { closeSync, openSync } from 'node:fs';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { MINUTE_MS } from '../../../base/times.ts';
import { type ExportedPrints, FILE_COLUMNS, type FileRow, HistoryFileError, parseRow } from './files.ts';

const ROWS_PER_GROUP = 100_000;

interface Columns {
  exchange: string[];
  venue_symbol: string[];
  symbol: string[];
  coin: string[];
  is_inverse: boolean[];
  settled_at: Date[];
  rate_pct: number[];
}

const TYPES = {
  exchange: 'STRING',
  venue_symbol: 'STRING',
  symbol: 'STRING',
  coin: 'STRING',
  is_inverse: 'BOOLEAN',
  settled_at: 'TIMESTAMP',
  rate_pct: 'DOUBLE',
} as const;

function noColumns(): Columns {
  return {
    exchange: [],
    venue_symbol: [],
    symbol: [],
    coin: [],
    is_inverse: [],
    settled_at: [],
    rate_pct: [],
  };
}

function columnData(columns: Columns) {
  return FILE_COLUMNS.map((name) => ({ name, data: columns[name], type: TYPES[name], nullable: false }));
}

/** Writes one row group at a time, so that memory use does not grow with the file. Returns the number of rows. */
export async function writeParquet(file: string, parts: AsyncIterable<ExportedPrints>): Promise<number> {
  const schema = schemaFromColumnData({ columnData: columnData(noColumns()) });
  // fileWriter cannot set a mode, but keeps that of an existing file.
  closeSync(openSync(file, 'w', 0o600));
  const writer = new ParquetWriter({ writer: fileWriter(file), schema });
  let columns = noColumns();
  let rows = 0;
  const flush = async () => {
    await writer.write({ columnData: columnData(columns), rowGroupSize: ROWS_PER_GROUP });
    columns = noColumns();
  };
  for await (const { contract, minutes, ratesPct } of parts) {
    for (const [i, minute] of minutes.entries()) {
      columns.exchange.push(contract.exchange);
      columns.venue_symbol.push(contract.venueSymbol);
      columns.symbol.push(contract.symbol);
      columns.coin.push(contract.coin);
      columns.is_inverse.push(contract.isInverse);
      columns.settled_at.push(new Date(minute * MINUTE_MS));
      columns.rate_pct.push(ratesPct[i] ?? 0);
    }
    rows += minutes.length;
    if (columns.coin.length >= ROWS_PER_GROUP) await flush();
  }
  if (columns.coin.length > 0) await flush();
  await writer.finish();
  return rows;
}

/** Reads the rows of a Parquet file one by one. */
export async function* parquetRows(file: string, exchanges: ReadonlySet<string>): AsyncGenerator<FileRow> {
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer).catch((error: unknown) => {
    throw new HistoryFileError(
      `${file} is not a Parquet file: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  });
  const names = parquetSchema(metadata).children.map((column) => column.element.name);
  const missing = FILE_COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) throw new HistoryFileError(`${file} has no column ${missing.join(', ')}`);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const rows: readonly Readonly<Record<string, unknown>>[] = await parquetReadObjects({
      file: buffer,
      metadata,
      rowStart,
      rowEnd,
      columns: [...FILE_COLUMNS],
    });
    for (const [i, row] of rows.entries()) yield parseRow(row, exchanges, `${file} row ${rowStart + i + 1}`);
    rowStart = rowEnd;
  }
}

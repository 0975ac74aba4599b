import { closeSync, openSync } from 'node:fs';
import { asyncBufferFromFile } from 'hyparquet';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { ParquetFault } from '../../../base/parquet/fault.ts';
import { parquetRows } from '../../../base/parquet/read.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import {
  type ExportedPrints,
  FILE_COLUMNS,
  type FileRow,
  HistoryFileError,
  type ImportBounds,
  parseRow,
} from './files.ts';

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

/** As other programs write them by default: a million rows a group. */
const LIMITS = { rows: null, groupRows: 1024 * 1024, groupBytes: 256 * 1024 * 1024 };

/** Reads the rows of a Parquet file one by one. */
export async function* parquetFileRows(file: string, bounds: ImportBounds): AsyncGenerator<FileRow> {
  const buffer = await asyncBufferFromFile(file);
  try {
    for await (const { rowStart, count, columns } of parquetRows(buffer, {
      columns: FILE_COLUMNS,
      limits: LIMITS,
    }))
      for (let i = 0; i < count; i++) {
        const row = Object.fromEntries(FILE_COLUMNS.map((name) => [name, columns[name][i]]));
        yield parseRow(row, bounds, `${file} row ${rowStart + i + 1}`);
      }
  } catch (error) {
    throw error instanceof ParquetFault ? new HistoryFileError(`${file} ${error.message}`) : error;
  }
}

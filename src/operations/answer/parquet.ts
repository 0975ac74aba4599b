import { createRequire } from 'node:module';
import type { SchemaElement } from 'hyparquet';
import { inParts } from '../../base/async/in-parts.ts';
import type { CsvValue } from '../../base/csv.ts';
import type { FlatColumn, FlatRows } from './flat-rows.ts';

/** Loaded on first use: it takes 40 ms, and few requests need it. */
const load = createRequire(import.meta.url);

type ParquetType = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const TEXT: ParquetType = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
const TIME: ParquetType = {
  type: 'INT64',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
};

/** Columns have the same types in every file, whatever the values are. */
const TYPES: Readonly<Record<FlatColumn['type'], ParquetType>> = {
  text: TEXT,
  texts: TEXT,
  number: { type: 'DOUBLE' },
  integer: { type: 'INT32' },
  flag: { type: 'BOOLEAN' },
  time: TIME,
  day: { type: 'INT32', converted_type: 'DATE' },
};

/** A Parquet file, with a row group for each part of a long answer. Times are timestamps in UTC and days are dates. */
export async function parquetBytes({ columns, rows }: FlatRows): Promise<Buffer> {
  const { ByteWriter, ParquetWriter } = load('hyparquet-writer') as typeof import('hyparquet-writer');
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...TYPES[type] })),
  ];
  const out = new ByteWriter();
  const writer = new ParquetWriter({ writer: out, schema });
  for await (const some of inParts(rows)) {
    const columnData = columns.map(({ name, type }, at) => ({
      name,
      offsetIndex: false,
      data: some.map((row) => parquetValue(type, row[at] ?? null)),
    }));
    await writer.write({ columnData, rowGroupSize: some.length });
  }
  await writer.finish();
  return Buffer.from(out.getBytes());
}

function parquetValue(type: FlatColumn['type'], value: CsvValue): CsvValue | Date {
  return (type === 'time' || type === 'day') && typeof value === 'string' ? new Date(value) : value;
}

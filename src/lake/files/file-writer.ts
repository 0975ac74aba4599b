import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { LakeColumn, LakeRows, LakeTable, LakeValue } from '../dataset.ts';

type ParquetType = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const TYPES: Readonly<Record<Exclude<LakeColumn['type'], 'numbers'>, ParquetType>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT32' },
  flag: { type: 'BOOLEAN' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } },
};

/** A group ends with a coin, unless that would make it larger than this many groups. */
const LARGEST_GROUPS = 2;

export interface WrittenFile {
  rows: number;
  bytes: number;
  sha256: string;
}

/** Writes a Parquet file group by group, so memory use does not grow with the file. */
export class LakeFileWriter {
  readonly #file: string;
  readonly #table: LakeTable;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  readonly #out = new ByteWriter();
  readonly #writer: ParquetWriter;
  #columns: unknown[][];
  #rows = 0;
  #bytes = 0;
  #lastCoin: LakeValue = null;

  private constructor(file: string, handle: FileHandle, table: LakeTable) {
    this.#file = file;
    this.#handle = handle;
    this.#table = table;
    this.#columns = table.columns.map(() => []);
    this.#writer = new ParquetWriter({
      writer: this.#out,
      schema: [{ name: 'root', num_children: table.columns.length }, ...table.columns.flatMap(schemaOf)],
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      kvMetadata: [{ key: 'sorted_by', value: table.sortedBy.join(',') }],
    });
  }

  static async create(file: string, table: LakeTable): Promise<LakeFileWriter> {
    return new LakeFileWriter(file, await open(file, 'w', 0o644), table);
  }

  get rowCount(): number {
    return this.#rows;
  }

  /** Values in the order of the columns. Rows come in the order of the file. */
  async rows(rows: LakeRows): Promise<void> {
    for (let first = 0; first < rows.length; first += this.#table.rowsPerGroup) {
      const some = rows.slice(first, first + this.#table.rowsPerGroup);
      if (this.#isFull(some[0]?.[0] ?? null)) await this.#flush();
      this.#lastCoin = some.at(-1)?.[0] ?? null;
      for (const [i, { type }] of this.#table.columns.entries())
        append(this.#columns[i] ?? [], some, i, type === 'time');
    }
    this.#rows += rows.length;
  }

  #isFull(coin: LakeValue): boolean {
    const length = this.#columns[0]?.length ?? 0;
    const { rowsPerGroup } = this.#table;
    if (length < rowsPerGroup) return false;
    return coin !== this.#lastCoin || length >= LARGEST_GROUPS * rowsPerGroup;
  }

  /** Completes the file; it is on the disk when this resolves. */
  async finish(): Promise<WrittenFile> {
    await this.#flush();
    // Pages say themselves how they are encoded. Every reader fetches the index of a file, which is a sixth smaller so.
    for (const { columns } of this.#writer.row_groups)
      for (const { meta_data } of columns) delete meta_data?.encoding_stats;
    await this.#writer.finish();
    await this.#drain();
    await this.#handle.sync();
    await this.#handle.close();
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Deletes an incomplete file. */
  async discard(): Promise<void> {
    await this.#handle.close();
    await rm(this.#file, { force: true });
  }

  async #flush(): Promise<void> {
    const data = this.#columns;
    const length = data[0]?.length ?? 0;
    if (length === 0) return;
    this.#columns = this.#table.columns.map(() => []);
    await this.#writer.write({
      columnData: this.#table.columns.map(({ name, type }, i) => ({
        name,
        data: data[i] ?? [],
        offsetIndex: false,
        // Nearly every number of a list is another one, so looking for equal ones would be in vain.
        ...(type === 'numbers' ? { encoding: 'PLAIN' } : {}),
      })),
      rowGroupSize: length,
    });
    await this.#drain();
  }

  /** Empties the buffer into the file. */
  async #drain(): Promise<void> {
    const bytes = this.#out.getBytes();
    this.#hash.update(bytes);
    await this.#handle.writeFile(bytes);
    this.#bytes += bytes.length;
    this.#out.index = 0;
  }
}

function schemaOf({ name, type, isNullable }: LakeColumn): SchemaElement[] {
  const repetition_type = isNullable ? 'OPTIONAL' : 'REQUIRED';
  if (type !== 'numbers') return [{ name, repetition_type, ...TYPES[type] }];
  // The three levels of a list, as the format has them.
  return [
    { name, repetition_type, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...TYPES.number },
  ];
}

/** Column by column, which takes less time than row by row. */
function append(column: unknown[], rows: LakeRows, place: number, isTime: boolean): void {
  for (const values of rows) {
    const value = values[place] ?? null;
    // Milliseconds as a bigint: dates would get no statistics.
    column.push(isTime && typeof value === 'number' ? BigInt(value) : value);
  }
}

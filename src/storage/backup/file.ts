import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Transform } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { errorCode } from '../../base/connection-errors.ts';
import { checked, count, fieldsOf, listOf, objectOf, oneOf, parsedOrNull, text } from '../../base/parsing.ts';
import { StorageError } from '../errors.ts';

/**
 * A backup is JSON lines compressed with zstd: a header; for every table a line with its name and a line per row; and the
 * SHA-256 of all lines before it. It does not depend on the kind of database.
 */
export interface BackupHeader {
  perpwire_backup: typeof FORMAT;
  created_at: string;
  from: 'sqlite' | 'postgres';
  migrations: readonly string[];
  tables: readonly { name: string; columns: readonly string[]; rows: number }[];
}

export type Cell = string | number | null | Uint8Array;

const FORMAT = 1;
const NEW_LINE = 10;
/** The compressor gets text in chunks of about this size. */
const CHUNK_CHARACTERS = 256 * 1024;

export function backupHeader(facts: Omit<BackupHeader, 'perpwire_backup'>): BackupHeader {
  return { perpwire_backup: FORMAT, ...facts };
}

export class BackupWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #compressor: Transform;
  readonly #written: Promise<void>;
  readonly #hash = createHash('sha256');
  #chunk = '';
  #rows = 0;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
    this.#compressor = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    this.#written = store(this.#compressor, handle);
    // finish() reports the failure; without a handler here a full disk would end the process first.
    this.#written.catch(() => undefined);
  }

  /** The file gets its name only when it is complete. Only the owner may read it: it holds hashes of keys and passwords. */
  static async create(file: string, header: BackupHeader): Promise<BackupWriter> {
    try {
      const writer = new BackupWriter(file, await open(partialOf(file), 'w', 0o600));
      await writer.#line(JSON.stringify(header));
      return writer;
    } catch (error) {
      throw cannotWrite(file, error);
    }
  }

  async table(name: string): Promise<void> {
    await this.#line(JSON.stringify({ table: name }));
  }

  async row(cells: readonly Cell[]): Promise<void> {
    this.#rows++;
    await this.#line(JSON.stringify(cells.map(written)));
  }

  async finish(): Promise<void> {
    try {
      await this.#flush();
      const sha256 = this.#hash.digest('hex');
      this.#compressor.end(`${JSON.stringify({ end: true, rows: this.#rows, sha256 })}\n`);
      await this.#written;
      await this.#handle.sync();
      await this.#handle.close();
      await rename(partialOf(this.#file), this.#file);
      await syncFolder(dirname(this.#file));
    } catch (error) {
      throw cannotWrite(this.#file, error);
    }
  }

  async discard(): Promise<void> {
    this.#compressor.destroy();
    await this.#handle.close().catch(() => undefined);
    await rm(partialOf(this.#file), { force: true });
  }

  async #line(text: string): Promise<void> {
    this.#chunk += `${text}\n`;
    if (this.#chunk.length >= CHUNK_CHARACTERS) await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#chunk);
    this.#chunk = '';
    this.#hash.update(bytes);
    if (this.#compressor.write(bytes)) return;
    // After a write has failed the compressor never drains.
    await Promise.race([once(this.#compressor, 'drain'), this.#written]).catch((error: unknown) => {
      throw cannotWrite(this.#file, error);
    });
  }
}

export interface BackupReader {
  header: BackupHeader;
  /** Every row with its table. Throws at the end if the file is incomplete or damaged. */
  rows(): AsyncGenerator<{ table: string; cells: Cell[] }>;
}

export async function openBackup(file: string): Promise<BackupReader> {
  const hash = createHash('sha256');
  const lines = linesOf(file);
  const first = await lines.next();
  const firstLine = first.done ? null : parsed(file, first.value);
  const format = fieldsOf(firstLine).perpwire_backup;
  if (format === undefined) throw new StorageError(`${file} is not a backup made by perpwire backup`);
  if (format !== FORMAT) {
    throw new StorageError(
      `${file} has format ${String(format)}, and this version of Perpwire reads format ${FORMAT}; restore it with the version that made it, or a newer one`,
    );
  }
  const header = parsedOrNull(parseBackupHeader, firstLine);
  if (!header) throw damaged(file);
  const countLine = (line: Buffer) => hash.update(line).update('\n');
  if (!first.done) countLine(first.value);
  return {
    header,
    rows: async function* () {
      let table = '';
      let rowCount = 0;
      let isComplete = false;
      for await (const line of lines) {
        const value = parsed(file, line);
        if (isComplete) throw damaged(file);
        if (Array.isArray(value)) {
          rowCount++;
          yield { table, cells: value.map((cell) => read(file, cell)) };
          countLine(line);
          continue;
        }
        const { end, rows, sha256, table: name } = fieldsOf(value);
        if (end !== undefined) {
          if (rows !== rowCount || sha256 !== hash.digest('hex')) throw damaged(file);
          isComplete = true;
        } else if (typeof name === 'string') {
          table = name;
          countLine(line);
        } else throw damaged(file);
      }
      if (!isComplete) throw new StorageError(`${file} ends too early: it is not the whole backup`);
    },
  };
}

async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  const source = createReadStream(file);
  const unpacked = createZstdDecompress();
  // The loop below throws the first error of the two streams; the other must not end the process.
  source.on('error', (error) => unpacked.destroy(error));
  try {
    for await (const chunk of source.pipe(unpacked)) {
      const bytes: Buffer = chunk;
      let start = 0;
      for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
        const line = bytes.subarray(start, end);
        yield rest.length === 0 ? line : Buffer.concat([...rest, line]);
        rest = [];
        start = end + 1;
      }
      if (start < bytes.length) rest.push(bytes.subarray(start));
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') throw new StorageError(`there is no file ${file}`);
    if (code === 'EISDIR') throw new StorageError(`${file} is a folder`);
    if (code === 'EACCES') throw new StorageError(`${file} may not be read by this user`);
    if (code === 'ZSTD_error_prefix_unknown')
      throw new StorageError(`${file} is not a backup made by perpwire backup`);
    throw damaged(file);
  } finally {
    source.destroy();
  }
}

/** JSON has no bytes, so they are written as base64. */
function written(cell: Cell): string | number | null | { base64: string } {
  return cell instanceof Uint8Array ? { base64: Buffer.from(cell).toString('base64') } : cell;
}

function read(file: string, cell: unknown): Cell {
  if (cell === null || typeof cell === 'string' || typeof cell === 'number') return cell;
  if (typeof cell === 'object' && 'base64' in cell && typeof cell.base64 === 'string')
    return Buffer.from(cell.base64, 'base64');
  throw damaged(file);
}

function parsed(file: string, line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    throw damaged(file);
  }
}

/** Names become part of SQL statements, so nothing but our own spelling passes. */
const SQL_NAME = /^[a-z][a-z0-9_]*$/;

const sqlName = checked(text, (name) => SQL_NAME.test(name), 'a name');

export const parseBackupHeader = objectOf<BackupHeader>({
  perpwire_backup: oneOf(FORMAT),
  created_at: text,
  from: oneOf('sqlite', 'postgres'),
  migrations: listOf(text),
  tables: listOf(
    objectOf({
      name: sqlName,
      columns: checked(listOf(sqlName), ({ length }) => length > 0, 'a list of columns'),
      rows: count,
    }),
  ),
});

function damaged(file: string): StorageError {
  return new StorageError(`${file} is damaged: its checksum does not fit its content`);
}

function cannotWrite(file: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = errorCode(error);
  const known: Record<string, string> = {
    ENOENT: 'its folder does not exist',
    ENOTDIR: 'a part of the path is a file, not a folder',
    EACCES: 'this user may not write there',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    EISDIR: 'it is a folder',
  };
  const text = error instanceof Error ? error.message : 'unknown cause';
  return new StorageError(`Cannot write ${file}: ${known[code ?? ''] ?? text}`);
}

async function store(compressed: AsyncIterable<Buffer>, handle: FileHandle): Promise<void> {
  for await (const chunk of compressed) await handle.writeFile(chunk);
}

function partialOf(file: string): string {
  return `${file}.partial`;
}

/** Makes the new name survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

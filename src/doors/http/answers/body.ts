import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { WorkQueue } from '../../../base/async/work-queue.ts';
import type { SizedText } from '../../../operations/answer/answer.ts';
import { bytesTag } from './bytes-tag.ts';
import { type Compression, type Encoding, listsTag } from './negotiate.ts';

const ENCODINGS: readonly (Encoding | null)[] = [null, 'zstd', 'br', 'gzip'];
/** Compressing more than this blocks the event loop for milliseconds, so it runs in the thread pool. */
const COMPRESS_ASYNC_BYTES = 128 * 1024;
/** With one password hash at a time, a thread of libuv's four stays free for files and host names. */
const compressing = new WorkQueue({ running: 2, waiting: Number.POSITIVE_INFINITY });

interface Levels {
  zstd: zlib.ZstdOptions;
  gzip: zlib.ZlibOptions;
  br: zlib.BrotliOptions;
}

const LEVELS: Readonly<Record<Compression, Levels>> = {
  fast: {
    zstd: {},
    gzip: { level: 5 },
    br: { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } },
  },
  small: {
    zstd: { params: { [zlib.constants.ZSTD_c_compressionLevel]: 19 } },
    gzip: { level: 9 },
    br: { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } },
  },
};

/** What the headers of a body that is not JSON differ in. */
interface FileHeaders {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The bytes of one response body, its ETag, and the compressed forms that were requested so far. */
export class Body {
  /** Length of the plain bytes. */
  readonly length: number;
  /** Null for JSON. */
  readonly file: FileHeaders | null;
  readonly compression: Compression;
  readonly #tag: string;
  #plain: Buffer | string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  /** `version` identifies the bytes among all that their URL ever has; by default it is their hash. */
  constructor(
    plain: Buffer | SizedText,
    version = bytesTag(Buffer.isBuffer(plain) ? plain : plain.text),
    compression: Compression = 'fast',
    file: FileHeaders | null = null,
  ) {
    this.#plain = Buffer.isBuffer(plain) ? plain : plain.text;
    this.length = Buffer.isBuffer(plain) ? plain.length : plain.bytes;
    this.file = file;
    this.#tag = version;
    this.compression = compression;
  }

  static of(text: string): Body {
    return new Body(Buffer.from(text));
  }

  /** The plain form to send once: a text is encoded while Node writes it, in less time than before it. */
  get once(): Buffer | string {
    return this.#plain;
  }

  /** The plain form to send often. */
  get plain(): Buffer {
    if (typeof this.#plain === 'string') this.#plain = Buffer.from(this.#plain);
    return this.#plain;
  }

  /** A strong tag, so each encoding has its own: their bytes differ. */
  etag(encoding: Encoding | null): string {
    return encoding === null ? `"${this.#tag}"` : `"${this.#tag}-${encoding}"`;
  }

  /** Whether the client has this body already, in any encoding. */
  isNamedIn(ifNoneMatch: string | undefined): boolean {
    return (
      ifNoneMatch !== undefined && ENCODINGS.some((encoding) => listsTag(ifNoneMatch, this.etag(encoding)))
    );
  }

  /** Each form is compressed once. A failure rejects the requests that wait for it, and the next one tries again. */
  async encoded(encoding: Encoding | null): Promise<Buffer> {
    if (encoding === null) return this.plain;
    let bytes = this.#compressed.get(encoding);
    if (!bytes) {
      bytes = this.#compress(encoding);
      bytes.catch(() => this.#compressed.delete(encoding));
      this.#compressed.set(encoding, bytes);
    }
    return await bytes;
  }

  async #compress(encoding: Encoding): Promise<Buffer> {
    const levels = LEVELS[this.compression];
    return this.length > COMPRESS_ASYNC_BYTES
      ? await compressAsync(this.plain, encoding, levels)
      : compressSync(this.plain, encoding, levels);
  }
}

function compressSync(bytes: Buffer, encoding: Encoding, levels: Levels): Buffer {
  if (encoding === 'zstd') return zlib.zstdCompressSync(bytes, levels.zstd);
  if (encoding === 'gzip') return zlib.gzipSync(bytes, levels.gzip);
  return zlib.brotliCompressSync(bytes, levels.br);
}

const zstd = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdCompress);
const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip);
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);

function compressAsync(bytes: Buffer, encoding: Encoding, levels: Levels): Promise<Buffer> {
  return compressing.run(() => {
    if (encoding === 'zstd') return zstd(bytes, levels.zstd);
    if (encoding === 'gzip') return gzip(bytes, levels.gzip);
    return brotli(bytes, levels.br);
  });
}

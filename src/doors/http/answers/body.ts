import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { WorkQueue } from '../../../base/async/work-queue.ts';
import type { MaybeLater } from '../../../base/maybe-later.ts';
import { bytesTag } from './bytes-tag.ts';
import { type Encoding, listsTag } from './negotiate.ts';
import { RoomyBytes } from './roomy-bytes.ts';

const ENCODINGS: readonly (Encoding | null)[] = [null, 'zstd', 'br', 'gzip'];
/** Compressing more than this blocks the event loop for milliseconds, so it runs in the thread pool. */
const COMPRESS_ASYNC_BYTES = 128 * 1024;
/** With one password hash at a time, a thread of libuv's four stays free for files and host names. */
const compressing = new WorkQueue({ running: 2, waiting: Number.POSITIVE_INFINITY });

/**
 * `once` for pages that nobody else requests, `fast` for answers that live for seconds, `small` for files that are compressed
 * once and cached by browsers.
 */
export type Compression = 'once' | 'fast' | 'small';

interface Levels {
  zstd: zlib.ZstdOptions;
  gzip: zlib.ZlibOptions;
  br: zlib.BrotliOptions;
}

const LEVELS: Readonly<Record<Compression, Levels>> = {
  once: {
    zstd: { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } },
    gzip: { level: 3 },
    br: { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } },
  },
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
export interface FileHeaders {
  readonly contentType: string;
  readonly link: string;
  /** Names and values of further headers. */
  readonly headers: readonly string[];
}

/** The bytes of one response body, its ETag, and the compressed forms that were requested so far. */
export class Body {
  /** Length of the plain bytes. */
  readonly length: number;
  /** The plain bytes with room for the head of the response, if they have any. */
  readonly roomy: RoomyBytes | null;
  /** Set for bytes in a lent buffer: must be called once they have been sent or are not needed. */
  readonly giveBack: (() => void) | null;
  /** Null for JSON. */
  readonly file: FileHeaders | null;
  readonly #bytes: Buffer | RoomyBytes;
  readonly #tag: string;
  readonly #quotedTag: string;
  readonly #levels: Levels;
  #compressed: Map<Encoding, MaybeLater<Buffer>> | null = null;

  /** `version` identifies the bytes among all that their URL ever has; by default it is their hash. */
  constructor(
    plain: Buffer | RoomyBytes,
    version = bytesTag(bytesOf(plain)),
    giveBack: (() => void) | null = null,
    compression: Compression = 'fast',
    file: FileHeaders | null = null,
  ) {
    this.#bytes = plain;
    this.length = plain.length;
    this.roomy = plain instanceof RoomyBytes ? plain : null;
    this.giveBack = giveBack;
    this.file = file;
    this.#tag = version;
    this.#quotedTag = `"${version}"`;
    this.#levels = LEVELS[compression];
  }

  static of(text: string): Body {
    return new Body(Buffer.from(text));
  }

  get plain(): Buffer {
    return bytesOf(this.#bytes);
  }

  /** A copy in a buffer of its own, to keep a body whose buffer is lent. */
  copy(): Body {
    return new Body(RoomyBytes.copyOf(this.plain), this.#tag);
  }

  /** A strong tag, so each encoding has its own: their bytes differ. */
  etag(encoding: Encoding | null): string {
    return encoding === null ? this.#quotedTag : `"${this.#tag}-${encoding}"`;
  }

  /** Whether the client has this body already, in any encoding. */
  isNamedIn(ifNoneMatch: string | undefined): boolean {
    return (
      ifNoneMatch !== undefined &&
      (ifNoneMatch === this.#quotedTag ||
        ENCODINGS.some((encoding) => listsTag(ifNoneMatch, this.etag(encoding))))
    );
  }

  encoded(encoding: Encoding | null): MaybeLater<Buffer> {
    if (encoding === null) return this.plain;
    this.#compressed ??= new Map();
    const compressed = this.#compressed;
    const known = compressed.get(encoding);
    if (known) return known;
    const compress = this.length > COMPRESS_ASYNC_BYTES ? compressAsync : compressSync;
    const made = compress(this.plain, encoding, this.#levels);
    compressed.set(encoding, made);
    if (made instanceof Promise) {
      // Later requests get the bytes without a promise. A failure rejects this request, and the next one tries again.
      made.then(
        (bytes) => compressed.set(encoding, bytes),
        () => compressed.delete(encoding),
      );
    }
    return made;
  }
}

function bytesOf(plain: Buffer | RoomyBytes): Buffer {
  return plain instanceof RoomyBytes ? plain.bytes : plain;
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

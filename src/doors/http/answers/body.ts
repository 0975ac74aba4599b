import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { MaybeLater } from '../../../base/maybe-later.ts';
import { hasTag } from './negotiate.ts';

export type Encoding = 'br' | 'zstd' | 'gzip';

const FORMS: readonly (Encoding | null)[] = [null, 'zstd', 'br', 'gzip'];
const TAG_LENGTH = 27;
/** Compressing more than this takes milliseconds, which other requests should not wait for. */
const COMPRESS_ASIDE_BYTES = 128 * 1024;
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 5 };

/** The bytes of one answer, made once, and the compressed forms that somebody has asked for. */
export class Body {
  readonly plain: Buffer;
  /** For bytes that are only lent: to be called when they have been sent or are not needed. */
  readonly giveBack: (() => void) | null;
  readonly #tag: string;
  readonly #quotedTag: string;
  #compressed: Map<Encoding, MaybeLater<Buffer>> | null = null;

  /** `version`: names the bytes among all that their address ever has; by default made from them. */
  constructor(plain: Buffer, version = versionOf(plain), giveBack: (() => void) | null = null) {
    this.plain = plain;
    this.giveBack = giveBack;
    this.#tag = version;
    this.#quotedTag = `"${version}"`;
  }

  static of(text: string): Body {
    return new Body(Buffer.from(text));
  }

  /** The same with bytes of its own, for bytes that are only lent. */
  copy(): Body {
    return new Body(Buffer.from(this.plain), this.#tag);
  }

  /** Strong, so each encoding has its own: the bytes that are sent differ. */
  etag(encoding: Encoding | null): string {
    return encoding === null ? this.#quotedTag : `"${this.#tag}-${encoding}"`;
  }

  /** Whether the caller has this answer, in whatever encoding it was sent. */
  isNamedIn(ifNoneMatch: string | undefined): boolean {
    return (
      ifNoneMatch !== undefined &&
      (ifNoneMatch === this.#quotedTag || FORMS.some((form) => hasTag(ifNoneMatch, this.etag(form))))
    );
  }

  encoded(encoding: Encoding | null): MaybeLater<Buffer> {
    if (encoding === null) return this.plain;
    this.#compressed ??= new Map();
    const compressed = this.#compressed;
    const known = compressed.get(encoding);
    if (known) return known;
    const made =
      this.plain.length > COMPRESS_ASIDE_BYTES ? aside(this.plain, encoding) : now(this.plain, encoding);
    compressed.set(encoding, made);
    if (made instanceof Promise) {
      // Later readers get the bytes without waiting a turn; a failure is told to this one and tried again.
      made.then(
        (bytes) => compressed.set(encoding, bytes),
        () => compressed.delete(encoding),
      );
    }
    return made;
  }
}

function versionOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH);
}

function now(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'zstd') return zlib.zstdCompressSync(bytes);
  if (encoding === 'gzip') return zlib.gzipSync(bytes, GZIP);
  return zlib.brotliCompressSync(bytes, BROTLI);
}

const zstd = promisify<Buffer, Buffer>(zlib.zstdCompress);
const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip);
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);

function aside(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'zstd') return zstd(bytes);
  if (encoding === 'gzip') return gzip(bytes, GZIP);
  return brotli(bytes, BROTLI);
}

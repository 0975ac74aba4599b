import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Answer } from '../../operations/operation.ts';

export type Encoding = 'br' | 'zstd' | 'gzip';

/** One finished answer: its bytes, made once, and the compressed forms that somebody has asked for. */
export class CachedAnswer {
  readonly body: Buffer;
  readonly etag: string;
  /** What it was made from; see Operation.freshness. */
  readonly freshness: number | null;
  /** Counted twice: once for itself and once for its compressed forms, which together are smaller. */
  readonly bytes: number;
  readonly #compressed = new Map<Encoding, Buffer>();

  constructor(answer: Answer, freshness: number | null) {
    this.body = Buffer.from(`{"data":${answer.data},"meta":${JSON.stringify(answer.meta)}}`);
    this.etag = `"${createHash('sha256').update(this.body).digest('base64url').slice(0, 27)}"`;
    this.freshness = freshness;
    this.bytes = this.body.length * 2;
  }

  encoded(encoding: Encoding | null): Buffer {
    if (encoding === null) return this.body;
    let bytes = this.#compressed.get(encoding);
    if (!bytes) {
      bytes = compress(this.body, encoding);
      this.#compressed.set(encoding, bytes);
    }
    return bytes;
  }
}

function compress(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'zstd') return zstdCompressSync(body);
  if (encoding === 'gzip') return gzipSync(body, { level: 5 });
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}

/** Answers by plan and URL, the least recently used dropped first. */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): CachedAnswer | undefined {
    return this.#answers.get(key);
  }

  set(key: string, answer: CachedAnswer): void {
    this.delete(key);
    this.#answers.set(key, answer);
    this.#bytes += answer.bytes;
    for (const [oldest, dropped] of this.#answers) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#answers.delete(oldest);
      this.#bytes -= dropped.bytes;
    }
  }

  delete(key: string): void {
    const known = this.#answers.get(key);
    if (!known) return;
    this.#answers.delete(key);
    this.#bytes -= known.bytes;
  }
}

/** A body as it was received, compressed or not. */
export interface EncodedBody {
  bytes: Uint8Array;
  encoding: string;
}

interface CachedReply extends EncodedBody {
  /** The headers that ask whether the body still holds. */
  conditions: Readonly<Record<string, string>>;
}

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_BODY_BYTES = 2 * 1024 * 1024;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The last body of each address whose server can confirm it with 304 instead of sending it again. Bodies stay compressed,
 * and those that were used least recently are dropped.
 */
export class ConfirmableReplies {
  readonly #cached = new Map<string, CachedReply>();
  #bytes = 0;

  /** Headers for the next request of the address; none if there is nothing to confirm. */
  conditions(url: string): Readonly<Record<string, string>> {
    return this.#cached.get(url)?.conditions ?? {};
  }

  /** The body that the server has just confirmed; null if it is gone. */
  confirmed(url: string): EncodedBody | null {
    const cached = this.#cached.get(url);
    if (!cached) return null;
    this.#cached.delete(url);
    this.#cached.set(url, cached);
    return cached;
  }

  /** Keeps a new body if its headers have an ETag or a time of the last change; without them it forgets the old one. */
  put(url: string, headers: Headers, body: EncodedBody): void {
    this.#drop(url);
    const { etag, 'last-modified': lastModified } = headers;
    const conditions: Record<string, string> = {};
    if (typeof etag === 'string') conditions['if-none-match'] = etag;
    if (typeof lastModified === 'string') conditions['if-modified-since'] = lastModified;
    if (Object.keys(conditions).length === 0 || body.bytes.length > MAX_BODY_BYTES) return;
    this.#cached.set(url, { ...body, conditions });
    this.#bytes += body.bytes.length;
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    this.#bytes -= this.#cached.get(url)?.bytes.length ?? 0;
    this.#cached.delete(url);
  }
}

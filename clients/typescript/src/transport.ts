import { errorOf, PerpwireError } from './errors.ts';
import type { PerpwireOptions } from './request.ts';
import { failureOf, pause, retryDelayMs } from './retry.ts';

export const DEFAULT_RETRIES = 3;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_CACHED_ANSWERS = 100;

interface CachedAnswer {
  etag: string;
  text: string;
}

export interface CsvPage {
  text: string;
  nextCursor: string | null;
  total: number | null;
}

/** Sends requests: authenticates, revalidates, retries. */
export class Transport {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly options: PerpwireOptions;
  /** The header RateLimit of the last answer. */
  rateLimit: string | null = null;
  /** Texts, not parsed answers: each caller gets an answer of its own, which it may change. Oldest first. */
  readonly #cache = new Map<string, CachedAnswer>();

  constructor(options: PerpwireOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#headers = { authorization: `Bearer ${options.apiKey}` };
    this.options = options;
  }

  /** The parsed answer. `path` is below /api/v1, with its query, or that of a file below /lake. */
  get(path: string, signal: AbortSignal | undefined, isCached: boolean): Promise<unknown> {
    return this.#retried(signal, async () => JSON.parse(await this.#text(path, signal, isCached)));
  }

  /** A page of a list as CSV, the cursor of the page after it, and the number of rows on all pages. */
  csv(path: string, signal: AbortSignal | undefined): Promise<CsvPage> {
    return this.#retried(signal, async () => {
      const response = await this.#send(path, { accept: 'text/csv' }, this.#limited(signal));
      const text = await response.text();
      if (!response.ok) throw errorOf(response, text);
      checkType(response, 'text/csv');
      const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      const total = response.headers.get('x-total-count');
      return {
        text,
        nextCursor: next === undefined ? null : new URL(next).searchParams.get('cursor'),
        total: total === null ? null : Number(total),
      };
    });
  }

  /** The bytes from `start` to `end` of a file, both included. */
  bytes(path: string, start: number, end: number, signal: AbortSignal | undefined): Promise<ArrayBuffer> {
    return this.#retried(signal, async () => {
      const response = await this.#send(path, { range: `bytes=${start}-${end}` }, this.#limited(signal));
      if (!response.ok) throw errorOf(response, await response.text());
      const bytes = await response.arrayBuffer();
      // A proxy may ignore Range and send the whole file.
      return response.status === 206 ? bytes : bytes.slice(start, end + 1);
    });
  }

  /** Tries again while the failure may pass. */
  async #retried<Result>(signal: AbortSignal | undefined, send: () => Promise<Result>): Promise<Result> {
    const { maxRetries = DEFAULT_RETRIES } = this.options;
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      try {
        return await send();
      } catch (error) {
        signal?.throwIfAborted();
        const failure = failureOf(error);
        const delayMs = tries < maxRetries ? retryDelayMs(failure, tries, this.options) : null;
        if (delayMs === null) throw failure;
        await pause(delayMs, signal);
      }
    }
  }

  /** Opens a stream: the answer whose body are its events. */
  async open(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const response = await this.#send(`/stream${path}`, { ...headers, accept: 'text/event-stream' }, signal);
    if (!response.ok) throw errorOf(response, await response.text());
    checkType(response, 'text/event-stream');
    return response;
  }

  async #text(path: string, signal: AbortSignal | undefined, isCached: boolean): Promise<string> {
    const known = this.#cache.get(path);
    const response = await this.#send(
      path,
      { accept: 'application/json', ...(known ? { 'if-none-match': known.etag } : {}) },
      this.#limited(signal),
    );
    const text = await response.text();
    if (response.status === 304 && known) return known.text;
    if (!response.ok) throw errorOf(response, text);
    checkType(response, 'application/json');
    const etag = response.headers.get('etag');
    const isStorable = !/no-store/.test(response.headers.get('cache-control') ?? '');
    if (isCached && isStorable && etag !== null) this.#keep(path, { etag, text });
    return text;
  }

  /** The caller's signal and the timeout of one try. */
  #limited(signal: AbortSignal | undefined): AbortSignal {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.options;
    const timeout = AbortSignal.timeout(timeoutMs);
    return signal ? AbortSignal.any([signal, timeout]) : timeout;
  }

  async #send(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const { fetch: send = fetch } = this.options;
    const all = { ...this.#headers, ...headers };
    const root = path.startsWith('/lake/') ? this.#baseUrl : `${this.#baseUrl}/api/v1`;
    const response = await send(`${root}${path}`, { headers: all, signal });
    this.rateLimit = response.headers.get('ratelimit') ?? this.rateLimit;
    return response;
  }

  #keep(path: string, answer: CachedAnswer): void {
    const { cachedAnswers = DEFAULT_CACHED_ANSWERS } = this.options;
    this.#cache.delete(path);
    if (cachedAnswers > 0) this.#cache.set(path, answer);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= cachedAnswers) break;
      this.#cache.delete(oldest);
    }
  }
}

function checkType({ headers, status }: Response, wanted: string): void {
  if ((headers.get('content-type') ?? '').startsWith(wanted)) return;
  const message = `The answer is not ${wanted}; is baseUrl the address of the service?`;
  throw new PerpwireError('unexpected-answer', message, { status });
}

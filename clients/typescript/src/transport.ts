import { errorOf, PerpwireError } from './errors.ts';
import type { PerpwireOptions } from './request.ts';

const DEFAULT_RETRIES = 3;
const DEFAULT_RETRY_AFTER_SECONDS = 60;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_CACHED_ANSWERS = 100;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;

interface CachedAnswer {
  etag: string;
  text: string;
}

/** Sends requests: authenticates, revalidates, retries. */
export class Transport {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: PerpwireOptions;
  /** Texts, not parsed answers: each caller gets an answer of its own, which it may change. Oldest first. */
  readonly #cache = new Map<string, CachedAnswer>();

  constructor(options: PerpwireOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#headers = { authorization: `Bearer ${options.apiKey}`, accept: 'application/json' };
    this.#options = options;
  }

  /** The parsed answer. `path` is below /api/v1, with its query. */
  async get(path: string, signal: AbortSignal | undefined, isCached: boolean): Promise<unknown> {
    const { maxRetries = DEFAULT_RETRIES } = this.#options;
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      try {
        return JSON.parse(await this.#text(path, signal, isCached));
      } catch (error) {
        signal?.throwIfAborted();
        const failure = error instanceof PerpwireError ? error : unreachable(error);
        const delayMs = tries < maxRetries ? this.#delayMs(failure, tries) : null;
        if (delayMs === null) throw failure;
        await pause(delayMs, signal);
      }
    }
  }

  async #text(path: string, signal: AbortSignal | undefined, isCached: boolean): Promise<string> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS, fetch: send = fetch } = this.#options;
    const known = this.#cache.get(path);
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await send(`${this.#baseUrl}/api/v1${path}`, {
      headers: known ? { ...this.#headers, 'if-none-match': known.etag } : this.#headers,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (response.status === 304 && known) return known.text;
    if (!response.ok) throw errorOf(response, text);
    if (!/\bjson\b/.test(response.headers.get('content-type') ?? ''))
      throw new PerpwireError(
        'unexpected-answer',
        'The answer is not JSON; is baseUrl the address of the service?',
        {
          status: response.status,
        },
      );
    const etag = response.headers.get('etag');
    const isStorable = !/no-store/.test(response.headers.get('cache-control') ?? '');
    if (isCached && isStorable && etag !== null) this.#keep(path, { etag, text });
    return text;
  }

  #keep(path: string, answer: CachedAnswer): void {
    const { cachedAnswers = DEFAULT_CACHED_ANSWERS } = this.#options;
    this.#cache.delete(path);
    if (cachedAnswers > 0) this.#cache.set(path, answer);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= cachedAnswers) break;
      this.#cache.delete(oldest);
    }
  }

  /** The wait before the next try; null if another try would be pointless. */
  #delayMs({ code, status, retryAfterSeconds }: PerpwireError, tries: number): number | null {
    const isTemporary = status === undefined || status === 429 || status >= 500;
    if (!isTemporary || code === 'quota-exhausted' || code === 'api-disabled') return null;
    // Without jitter, all clients that were turned away together would come back together.
    const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** tries, LONGEST_DELAY_MS) * (0.5 + Math.random() / 2);
    if (retryAfterSeconds === undefined) return backoffMs;
    const { maxRetryAfterSeconds = DEFAULT_RETRY_AFTER_SECONDS } = this.#options;
    return retryAfterSeconds > maxRetryAfterSeconds ? null : retryAfterSeconds * 1000 + backoffMs;
  }
}

function unreachable(cause: unknown): PerpwireError {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  const message = isTimeout ? 'No complete answer came in time' : 'The connection failed';
  return new PerpwireError('unreachable', message, { cause });
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

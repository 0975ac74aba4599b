import { PerpwireError } from './errors.ts';
import type { PerpwireOptions } from './request.ts';

const DEFAULT_RETRY_AFTER_SECONDS = 60;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;

/**
 * The wait before another try after `tries` failed ones; null if another try would be pointless. `firstDelayMs` is where
 * the backoff starts if the service gave no Retry-After.
 */
export function retryDelayMs(
  { code, status, retryAfterSeconds }: PerpwireError,
  tries: number,
  { maxRetryAfterSeconds = DEFAULT_RETRY_AFTER_SECONDS }: PerpwireOptions,
  firstDelayMs = FIRST_DELAY_MS,
): number | null {
  const isTemporary = status === undefined || status === 429 || status >= 500;
  if (!isTemporary || code === 'quota-exhausted' || code === 'api-disabled') return null;
  const backoffMs = jittered(Math.min(firstDelayMs * 2 ** tries, Math.max(LONGEST_DELAY_MS, firstDelayMs)));
  if (retryAfterSeconds === undefined) return backoffMs;
  return retryAfterSeconds > maxRetryAfterSeconds ? null : retryAfterSeconds * 1000 + backoffMs;
}

/** Half to all of the time. Without jitter, all clients that were turned away together would come back together. */
function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}

/** The error of a try that got no complete answer. */
export function failureOf(error: unknown): PerpwireError {
  if (error instanceof PerpwireError) return error;
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  const message = isTimeout ? 'No complete answer came in time' : 'The connection failed';
  return new PerpwireError('unreachable', message, { cause: error });
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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

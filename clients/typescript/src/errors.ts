import type { ApiErrorCode } from './generated.ts';

/**
 * A code of the API, or one of the client: `unreachable` when no complete answer came, `unexpected-answer` when something
 * else than the API answered.
 */
export type ErrorCode = ApiErrorCode | 'unreachable' | 'unexpected-answer';

export interface ErrorDetails {
  status?: number | undefined;
  requestId?: string | undefined;
  suggestions?: readonly string[] | undefined;
  docs?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** What every failed request throws, except one that its own AbortSignal ended. */
export class PerpwireError extends Error {
  override readonly name = 'PerpwireError';
  readonly code: ErrorCode;
  /** The HTTP status; absent if there was no answer. */
  readonly status: number | undefined;
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Close matches for an unknown coin, venue or path. */
  readonly suggestions: readonly string[];
  readonly docs: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.suggestions = details.suggestions ?? [];
    this.docs = details.docs;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** The error of an answer that is not a success. */
export function errorOf(response: Response, text: string): PerpwireError {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const details: ErrorDetails = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined,
  };
  const error = problemError(parsed(text), details);
  return error ?? new PerpwireError('unexpected-answer', `HTTP ${status} without a problem body`, details);
}

/** The error of a problem body (RFC 9457); null if it is none. */
export function problemError(body: unknown, details: ErrorDetails): PerpwireError | null {
  if (typeof body !== 'object' || body === null) return null;
  const { code, detail, suggestions, docs, status, instance } = body as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof detail !== 'string') return null;
  // A newer service may have codes that this version does not know; they are passed on as they are.
  return new PerpwireError(code as ApiErrorCode, detail, {
    ...details,
    status: details.status ?? (typeof status === 'number' ? status : undefined),
    requestId: details.requestId ?? (typeof instance === 'string' ? instance : undefined),
    suggestions: Array.isArray(suggestions) ? suggestions.map(String) : undefined,
    docs: typeof docs === 'string' ? docs : undefined,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

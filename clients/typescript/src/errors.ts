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
  const problem = problemIn(text);
  if (!problem)
    return new PerpwireError('unexpected-answer', `HTTP ${status} without a problem body`, details);
  const { code, detail, suggestions, docs } = problem;
  return new PerpwireError(code, detail, { ...details, suggestions, docs });
}

interface Problem {
  code: ApiErrorCode;
  detail: string;
  suggestions: readonly string[] | undefined;
  docs: string | undefined;
}

function problemIn(text: string): Problem | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof body !== 'object' || body === null) return null;
  const { code, detail, suggestions, docs } = body as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof detail !== 'string') return null;
  return {
    // A newer service may have codes that this version does not know; they are passed on as they are.
    code: code as ApiErrorCode,
    detail,
    suggestions: Array.isArray(suggestions) ? suggestions.map(String) : undefined,
    docs: typeof docs === 'string' ? docs : undefined,
  };
}

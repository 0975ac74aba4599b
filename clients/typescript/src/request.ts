import type { Meta } from './generated.ts';

/** An answer of the API. */
export interface Answer<Data> {
  data: Data;
  meta: Meta;
}

export interface RequestOptions {
  /** Ends the request, and the wait before a retry, with the signal's reason. */
  signal?: AbortSignal;
}

export interface PerpwireOptions {
  /** A key of the service, as it was shown when you created it. */
  apiKey: string;
  /** The address of the service, such as `https://perpwire.example`. */
  baseUrl: string;
  /** Further tries after a 429, a 5xx or a lost connection; 3 unless set. */
  maxRetries?: number;
  /** A longer Retry-After is not waited for: the error is thrown at once. 60 unless set. */
  maxRetryAfterSeconds?: number;
  /** Time for one try, body included; 30,000 unless set. */
  timeoutMs?: number;
  /** Answers that are kept to be revalidated with If-None-Match; 100 unless set, 0 for none. */
  cachedAnswers?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

export type Params = Readonly<Record<string, unknown>>;

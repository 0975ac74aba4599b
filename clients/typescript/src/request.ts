import type { PerpwireError } from './errors.ts';
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

export interface AllOptions extends RequestOptions {
  /** Called with each page: how many rows have come, and how many there are. Each page is one request. */
  onPage?: (progress: { rows: number; total: number | null }) => void;
}

/** The rows of a list after an event of its stream. */
export interface StreamUpdate<Row, Identity, Fields> {
  /** `snapshot`: the first update, and one after a gap. */
  kind: 'snapshot' | 'change';
  /** Names the snapshot that you have now; see `resumeFrom`. */
  id: string;
  /**
   * All rows of the page, in the order of `sort` if `fields` keeps its column (`nearest` of listings: as they came).
   */
  rows: readonly Row[];
  /** The rows that are new or have changed since the last update. */
  upsert: readonly Row[];
  /** The rows that left the page since the last update. */
  remove: readonly Identity[];
  /** The fields of `data` beside the rows; empty where `data` is the list of rows. */
  fields: Fields;
  meta: Meta;
}

export interface StreamOptions<Row, Fields> extends RequestOptions {
  /** Continues from an update of an earlier process: the first update then is the change since. */
  resumeFrom?: { id: string; rows: readonly Row[]; fields?: Fields };
  /** Called before the client connects again. `error` is null if the service restarts. */
  onReconnect?: (reconnect: { error: PerpwireError | null; delayMs: number }) => void;
  /** Failed tries in a row after which a stream that was open ends with the error; no limit unless set. */
  maxReconnects?: number;
  /** A connection without a sign of life for this long is lost; 40,000 unless set. Heartbeats come every 15 s. */
  maxSilenceMs?: number;
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

/** `?coin=BTC,ETH&limit=5`; what is undefined is left out. */
export function queryOf(params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    query.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

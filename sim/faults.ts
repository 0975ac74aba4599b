/** Faults of a venue, which can be switched while the simulator runs. All are off by default. */
export interface Faults {
  /** Wait this long before every answer. */
  latencyMs: number;
  /** Answer 429 with this Retry-After (seconds). 0 = off. */
  rateLimitRetryAfterSeconds: number;
  /** Answer with this HTTP status instead of data. 0 = off. */
  errorStatus: number;
  /** Answer a web page with status 200. */
  html: boolean;
  /** Cut the body in the middle and close the connection. */
  truncated: boolean;
  /** Answer with no contracts at all. */
  empty: boolean;
  /** The venue's time is frozen at the time the fault was set. */
  frozen: boolean;
  /** Bids and asks of 0. */
  zeroQuotes: boolean;
  /** Bids above asks. */
  crossedQuotes: boolean;
  /** The venue's clock is off by this much, in its data too. */
  clockSkewMs: number;
  /** Close every WebSocket, and every new one shortly after it opens. */
  droppedSockets: boolean;
  /** The share of requests (0 to 1) that the faults above apply to; the others are answered normally. */
  share: number;
}

export const NO_FAULTS: Readonly<Faults> = {
  latencyMs: 0,
  rateLimitRetryAfterSeconds: 0,
  errorStatus: 0,
  html: false,
  truncated: false,
  empty: false,
  frozen: false,
  zeroQuotes: false,
  crossedQuotes: false,
  clockSkewMs: 0,
  droppedSockets: false,
  share: 1,
};

/** Reads faults from a control request. Unknown names and wrong types are rejected by name. */
export function parseFaults(value: unknown): Faults {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('send a JSON object of faults');
  const faults: Record<string, number | boolean> = { ...NO_FAULTS };
  for (const [name, setting] of Object.entries(value)) {
    const known = faults[name];
    if (known === undefined)
      throw new Error(`no fault "${name}"; there are ${Object.keys(NO_FAULTS).join(', ')}`);
    if (typeof setting !== typeof known) throw new Error(`fault "${name}" takes a ${typeof known}`);
    faults[name] = setting as number | boolean;
  }
  return faults as unknown as Faults;
}

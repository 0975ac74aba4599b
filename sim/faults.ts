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
  /** Replies come from a cache that has held them for this long (header Age). 0 = off. */
  cachedSeconds: number;
  /** Bids and asks of 0. */
  zeroQuotes: boolean;
  /** Bids above asks. */
  crossedQuotes: boolean;
  /** The venue's clock is off by this much, in its data too. */
  clockSkewMs: number;
  /** Close every WebSocket, and every new one shortly after it opens. */
  droppedSockets: boolean;
  /** Running rates are a hundred times too large: percent for fraction. Settled prints stay right, also below. */
  ratesInPercent: boolean;
  /** Running rates have the opposite sign. */
  ratesFlipped: boolean;
  /** The last settled rate in the place of the running one. */
  ratesLastSettled: boolean;
  /** Intervals are twice as long, or half of 8 and more hours; last and next settlements are on that grid. */
  intervalOff: boolean;
  /** 24 h volumes count both sides of a trade. */
  volumeDoubled: boolean;
  /** Open interest counts both sides of a position, or, where the venue does so anyway, each of them twice. */
  openInterestDoubled: boolean;
  /** Half of the open interest, as an adapter that takes a count of one side for both would make it. */
  openInterestHalved: boolean;
  /** Lighter's stream has open interest in coins, as its list has it, instead of in dollars. */
  openInterestStreamedInCoins: boolean;
  /** The row of this contract (the venue's symbol) stands still since the fault was set. Empty: none. */
  frozenRow: string;
  /** Rates, settlements and prints are those of this venue (its slug) on the contracts that both have. Empty: its own. */
  copiesRatesOf: string;
  /** The share of requests (0 to 1) that the faults of whole answers (429, status, page, cut body) apply to; the others are answered normally. */
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
  cachedSeconds: 0,
  zeroQuotes: false,
  crossedQuotes: false,
  clockSkewMs: 0,
  droppedSockets: false,
  ratesInPercent: false,
  ratesFlipped: false,
  ratesLastSettled: false,
  intervalOff: false,
  volumeDoubled: false,
  openInterestDoubled: false,
  openInterestHalved: false,
  openInterestStreamedInCoins: false,
  frozenRow: '',
  copiesRatesOf: '',
  share: 1,
};

/** Reads faults from a control request. Unknown names and wrong types are rejected by name. */
export function parseFaults(value: unknown): Faults {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('send a JSON object of faults');
  const faults: Record<string, number | boolean | string> = { ...NO_FAULTS };
  for (const [name, setting] of Object.entries(value)) {
    const known = Object.hasOwn(faults, name) ? faults[name] : undefined;
    if (known === undefined)
      throw new Error(`no fault "${name}"; there are ${Object.keys(NO_FAULTS).join(', ')}`);
    if (typeof setting !== typeof known) throw new Error(`fault "${name}" takes a ${typeof known}`);
    faults[name] = setting as number | boolean | string;
  }
  return faults as unknown as Faults;
}

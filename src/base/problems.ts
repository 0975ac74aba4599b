/** Every error a caller can get: status, title, and the words of the errors page. The code is the contract. */
export const PROBLEMS = {
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    help: 'A query value is out of range or malformed. The detail names the parameter and says what is allowed.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid API key is needed',
    help: 'No key was sent, or it is mistyped, revoked, expired or rotated out. Send it as "Authorization: Bearer <key>" or in the X-Api-Key header, never in the query string.',
  },
  'scope-missing': {
    status: 403,
    title: 'The key lacks a scope',
    help: 'The key is valid but was not given the scope of this endpoint. The detail lists the scopes that it has.',
  },
  'origin-refused': {
    status: 403,
    title: 'Origin or host not allowed',
    help: "A web page of another origin, or a request for another host name, tried to use the assistants' endpoint. The operator can allow origins and hosts.",
  },
  'plan-limit': {
    status: 403,
    title: 'Beyond the plan',
    help: 'The request asks for deeper history or a larger page than the plan includes. The detail says what the plan allows.',
  },
  'unknown-coin': {
    status: 404,
    title: 'Unknown coin',
    help: 'No venue quotes this ticker. The suggestions carry close matches.',
  },
  'unknown-exchange': {
    status: 404,
    title: 'Unknown exchange',
    help: 'This venue is not served. Names are case-sensitive and spelled as /exchanges returns them; see the suggestions.',
  },
  'not-found': {
    status: 404,
    title: 'No such endpoint',
    help: 'There is no endpoint at this path. The suggestions name the nearest one.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    help: 'All endpoints are read with GET (or HEAD). The Allow header lists what is possible.',
  },
  'address-too-long': {
    status: 414,
    title: 'Address too long',
    help: 'The path and the query together have more than 8 kB. Use fewer filters, or ask in parts.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'No such part of the file',
    help: 'The Range of a lake file starts after its end. Content-Range has its length.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    help: 'The minute window is spent, too many rejected keys came from this address, or the key has as many open streams as its plan allows. Wait for the seconds in Retry-After.',
  },
  'quota-exhausted': {
    status: 429,
    title: 'Month used up',
    help: 'The month window is spent. It resets on the 1st at 00:00 UTC; a larger plan has a larger window.',
  },
  'bad-request': {
    status: 400,
    title: 'Malformed request',
    help: 'The request could not be read as HTTP: a broken URL, header or body.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    help: 'Something failed on our side. The request id in "instance" lets the operator find it in the log.',
  },
  'snapshot-unavailable': {
    status: 503,
    title: 'Data is warming up',
    help: 'The service has just started and holds no data yet. Retry in a minute; the request is not counted.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    help: 'The service has more work than it can do. Retry after the seconds in Retry-After; the request is not counted.',
  },
  'api-disabled': {
    status: 503,
    title: 'The API is switched off',
    help: 'The operator of this host has not enabled the API.',
  },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

interface ProblemExtras {
  suggestions?: readonly string[];
  headers?: Record<string, string>;
}

/** An error whose detail is written for the caller. Anything else that is thrown stays private. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly suggestions: readonly string[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.suggestions = extras.suggestions?.length ? extras.suggestions : undefined;
    this.headers = extras.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

import type { JsonSchema } from '../../query/parameter.ts';

const text = (pattern: string) => ({ type: 'string', pattern });

interface HeaderWords {
  description: string;
  schema: JsonSchema;
  example: string;
}

const ALWAYS: Readonly<Record<string, HeaderWords>> = {
  'X-Request-Id': {
    description: "Names this request in the operator's log; a sane one that you send is kept",
    schema: text('^[A-Za-z0-9._-]{1,64}$'),
    example: 'req-Zk3x9QpA-1a',
  },
  'Cache-Control': {
    description:
      'private, max-age=15 on live data, max-age=300 on delayed data, no-store on usage and problems',
    schema: text('^(private, max-age=15|(public, )?max-age=300|no-store)$'),
    example: 'private, max-age=15',
  },
  Vary: {
    description: 'Request headers that the answer depends on',
    schema: text('Accept-Encoding'),
    example: 'Authorization, X-Api-Key, Accept, Accept-Encoding',
  },
  Link: {
    description:
      'This description (rel="describedby"), the stream of a list (rel="alternate", text/event-stream), the form of an alert on it (rel="monitor"), where deprecations are explained (rel="deprecation") and, in other formats than JSON, the next page (rel="next") and the human page (rel="alternate")',
    schema: text('rel="describedby"'),
    example: '</api/v1/openapi.json>; rel="describedby"; type="application/json"',
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages of every origin may read the answer',
    schema: { type: 'string', const: '*' },
    example: '*',
  },
  ETag: {
    description:
      'Strong mark of the body; send it back in If-None-Match to get 304 without spending a request',
    schema: text('^"[A-Za-z0-9_-]+"$'),
    example: '"5kqPzH3yOS1mNlq0tH0m3nT2xYA"',
  },
  'WWW-Authenticate': {
    description: 'The Bearer challenge with its realm and, for a wrong key or a missing scope, the error',
    schema: text('^Bearer realm="'),
    example: 'Bearer realm="perpwire"',
  },
  Allow: {
    description: 'Methods that this path takes',
    schema: text('^[A-Z]+(, [A-Z]+)*$'),
    example: 'GET, HEAD, OPTIONS',
  },
  'Retry-After': {
    description: 'Seconds to wait before asking again',
    schema: text('^[1-9][0-9]*$'),
    example: '17',
  },
};

const DEPRECATION: Readonly<Record<string, HeaderWords>> = {
  Deprecation: {
    description: 'Since when this endpoint or one of its fields is deprecated: @ and Unix seconds',
    schema: text('^@[0-9]+$'),
    example: '@1767225600',
  },
  Sunset: {
    description: 'When it will be gone, as an HTTP date',
    schema: text('^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$'),
    example: 'Fri, 01 Jan 2027 00:00:00 GMT',
  },
};

/** What formats other than JSON have instead of `meta`. */
const FILE: Readonly<Record<string, HeaderWords>> = {
  'X-As-Of': {
    description: 'Time of the snapshot, as meta.as_of; in other formats than JSON only',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-15T12:00:00Z',
  },
  'X-Delayed-Seconds': {
    description: 'Lag behind the live snapshot, as meta.delayed_seconds; in other formats than JSON only',
    schema: text('^[0-9]+$'),
    example: '0',
  },
  'X-Total-Count': {
    description: 'Rows of all pages, as meta.total; in other formats than JSON only',
    schema: text('^[0-9]+$'),
    example: '100',
  },
};

const RATES: Readonly<Record<string, HeaderWords>> = {
  'RateLimit-Policy': {
    description: 'Both windows of the key: q requests in w seconds',
    schema: text('^minute;q=[0-9]+;w=60, month;q=[0-9]+;w=2592000$'),
    example: 'minute;q=120;w=60, month;q=100000;w=2592000',
  },
  RateLimit: {
    description: 'What is left of both windows: r requests, more in t seconds',
    schema: text('^minute;r=[0-9]+;t=[0-9]+, month;r=[0-9]+;t=[0-9]+$'),
    example: 'minute;r=119;t=60, month;r=99999;t=1339200',
  },
  'X-RateLimit-Limit': {
    description: 'Requests of the minute window',
    schema: text('^[0-9]+$'),
    example: '120',
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the minute window',
    schema: text('^[0-9]+$'),
    example: '119',
  },
  'X-RateLimit-Reset': {
    description: 'When the minute window has room again, in Unix seconds',
    schema: text('^[0-9]{10}$'),
    example: '1794661260',
  },
};

export const FILE_HEADERS = Object.keys(FILE);
export const RATE_HEADERS = Object.keys(RATES);
export const DEPRECATION_HEADERS = Object.keys(DEPRECATION);
export const COMMON_HEADERS = [
  'X-Request-Id',
  'Cache-Control',
  'Vary',
  'Link',
  'Access-Control-Allow-Origin',
];

/** Suffix of the component for a header that a status has only sometimes. */
const SOMETIMES = '.Sometimes';

/** The `headers` of a response: those that it always has and those that it may have. */
export function headerRefs(always: readonly string[], sometimes: readonly string[] = []): object {
  return Object.fromEntries([
    ...always.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ...sometimes.map((name) => [name, { $ref: `#/components/headers/${name}${SOMETIMES}` }]),
  ]);
}

export function headerComponents(hasDeprecations: boolean): Record<string, object> {
  const components: Record<string, object> = {};
  const deprecations = hasDeprecations ? DEPRECATION : {};
  for (const [name, words] of Object.entries({ ...ALWAYS, ...RATES, ...deprecations })) {
    components[name] = { ...words, required: true };
  }
  for (const [name, words] of Object.entries(FILE)) {
    components[`${name}${SOMETIMES}`] = { ...words, required: false };
  }
  for (const name of [...RATE_HEADERS, 'WWW-Authenticate', 'Retry-After']) {
    components[`${name}${SOMETIMES}`] = { ...components[name], required: false };
  }
  return components;
}

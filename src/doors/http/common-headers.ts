import { API_PATH } from '../../operations/description/discovery.ts';

const EXPOSED = [
  'Allow',
  'Deprecation',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

/** On every response of every door: browsers must not guess another type than the one that is sent. */
export const NO_SNIFF = { 'x-content-type-options': 'nosniff' } as const;

/** Pages of any origin may read the API with a key. */
export const API_HEADERS = {
  ...NO_SNIFF,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
} as const;

export const PREFLIGHT_HEADERS = {
  ...API_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers':
    'Authorization, X-Api-Key, If-None-Match, Last-Event-ID, X-Request-Id, Content-Type',
  'access-control-max-age': '86400',
} as const;

/** Format and encoding are negotiated for every answer, also for one that is then sent as uncompressed JSON. */
export const VARY = 'Authorization, X-Api-Key, Accept, Accept-Encoding';

/** Longer than the idle timeout of common load balancers, so that they close the connection first. */
export const KEEP_ALIVE_MS = 72_000;

export const JSON_TYPE = 'application/json; charset=utf-8';

export function describedBy(baseUrl: string): string {
  return `<${baseUrl}${API_PATH}/openapi.json>; rel="describedby"; type="application/json"`;
}

/** Names and values in turn: Node writes the headers of such a list in less time than those of an object. */
export function headerList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = [];
  for (const [name, value] of Object.entries(headers)) list.push(name, value);
  return list;
}

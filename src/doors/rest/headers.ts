import type { Plan } from '../../accounts/plans.ts';
import type { AnyOperation } from '../../operations/operation.ts';

const EXPOSED = [
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'WWW-Authenticate',
  'Deprecation',
  'Sunset',
].join(', ');

/** Any page may read the API, with a key that its user gives it. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, X-Api-Key, If-None-Match, X-Request-Id',
  'access-control-max-age': '86400',
};

export const VARY = 'Authorization, X-Api-Key, Accept-Encoding';

export function cacheControl(operation: AnyOperation, plan: Plan): string {
  if (operation.freshness === null) return 'no-store';
  return plan.delaySeconds === 0 ? 'private, max-age=15' : 'max-age=300';
}

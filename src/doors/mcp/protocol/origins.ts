import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackUrl } from '../../../accounts/keys/authenticate.ts';
import { Problem } from '../../../base/problems.ts';

export interface OriginRules {
  baseUrl: string;
  /** Further origins whose pages may call, e.g. https://assistant.example. */
  allowedOrigins: readonly string[];
  /** Further values of the Host header, e.g. an internal name behind a proxy. */
  allowedHosts: readonly string[];
}

interface OriginGuard {
  /** Throws 403 for a page of another origin, and for another host name, which prevents DNS rebinding. */
  check(headers: IncomingHttpHeaders): void;
  /** CORS headers; empty without an allowed Origin. */
  corsHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>>;
}

const EXPOSED =
  'WWW-Authenticate, MCP-Protocol-Version, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

const NONE: Readonly<Record<string, string>> = {};

export function originGuard({ baseUrl, allowedOrigins, allowedHosts }: OriginRules): OriginGuard {
  const own = new URL(baseUrl);
  const hosts = new Set([own.host, ...allowedHosts.map((host) => host.toLowerCase())]);
  if (isLoopbackUrl(baseUrl)) {
    // Every name of the loopback address reaches this server, and nobody else can own these names.
    for (const name of ['localhost', '127.0.0.1', '[::1]'])
      hosts.add(own.port === '' ? name : `${name}:${own.port}`);
  }
  const origins = new Set([
    ...[...hosts].map((host) => `${own.protocol}//${host}`),
    ...allowedOrigins.map((origin) => URL.parse(origin)?.origin ?? origin),
  ]);
  return {
    check: ({ host = '', origin }) => {
      if (!hosts.has(host) && !hosts.has(host.toLowerCase()))
        throw new Problem('origin-refused', `This endpoint is not served as host "${host.slice(0, 80)}".`);
      if (origin !== undefined && !origins.has(origin))
        throw new Problem('origin-refused', `Pages of ${origin.slice(0, 80)} may not use this endpoint.`);
    },
    corsHeaders: ({ origin }) =>
      origin === undefined || !origins.has(origin)
        ? NONE
        : {
            'access-control-allow-origin': origin,
            'access-control-expose-headers': EXPOSED,
            vary: 'Origin',
          },
  };
}

import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S.*)$/i;

/**
 * The key or token that a request carries; null when there is none. A Bearer value with spaces is no valid token, but it
 * is one that was sent: the caller must learn that it is wrong (RFC 6750, 3.1), not that none came.
 */
export function credentialIn({ authorization = '', 'x-api-key': own }: IncomingHttpHeaders): string | null {
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  return typeof own === 'string' && own !== '' ? own : null;
}

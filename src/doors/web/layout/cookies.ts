import type { FastifyReply } from 'fastify';

/** The value of the first cookie with that name, or null. */
export function cookieOf(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null;
  }
  return null;
}

export interface CookieOptions {
  isSecure: boolean;
  /** Absent: a session cookie. */
  maxAgeMs?: number;
}

/** SameSite=Lax: links from an assistant send the cookie, forms on other sites do not. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  { isSecure, maxAgeMs }: CookieOptions,
): void {
  const age = maxAgeMs === undefined ? '' : `; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  reply.header(
    'set-cookie',
    `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${age}`,
  );
}

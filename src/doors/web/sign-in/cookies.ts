import type { FastifyReply } from 'fastify';

/** The first cookie of that name; null when there is none. */
export function cookieOf(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null;
  }
  return null;
}

export interface CookieOptions {
  isSecure: boolean;
  /** Absent: until the browser is closed. */
  maxAgeMs?: number;
}

/** Lax, so that a link from an assistant still finds the person signed in, and a form elsewhere does not. */
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

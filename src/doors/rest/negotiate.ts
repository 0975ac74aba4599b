import type { IncomingHttpHeaders } from 'node:http';
import type { Encoding } from './answer-cache.ts';

/** Smaller answers than this do not get smaller by compressing. */
const WORTH_COMPRESSING_BYTES = 1024;
/** Cheapest for us first; all of them shrink our JSON about equally. */
const OFFERED: readonly Encoding[] = ['zstd', 'br', 'gzip'];

export function encodingFor(header: string | undefined, bytes: number): Encoding | null {
  if (header === undefined || bytes < WORTH_COMPRESSING_BYTES) return null;
  const accepted = new Set<string>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...rest] = part.split(';');
    if (!rest.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))) accepted.add(name.trim());
  }
  return OFFERED.find((encoding) => accepted.has(encoding)) ?? null;
}

/** The key that a request carries, from its headers only; null when there is none. */
export function keyOf(headers: IncomingHttpHeaders): string | null {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const own = headers['x-api-key'];
  return typeof own === 'string' && own !== '' ? own : null;
}

/** Whether the caller already has this answer. Weak marks are ignored: our tags are strong. */
export function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

import type { IncomingHttpHeaders } from 'node:http';
import { KeyMemory } from '../../accounts/keys/authenticate.ts';
import { textHash } from '../../base/text-hash.ts';

/** The key of a cached answer. */
export interface CacheKey {
  readonly text: string;
  readonly hash: number;
}

/**
 * The last credential and URL of a connection. A client that polls sends the same again, and comparing is cheaper than
 * parsing. The API key lives as long as the connection and is not stored elsewhere.
 */
export class ConnectionMemory extends KeyMemory {
  #authorization: string | null = null;
  #bearer = '';
  #planName = '';
  #url = '';
  #cacheKey: CacheKey = { text: '', hash: 0 };

  /**
   * The key or token that a request carries; null when there is none. A Bearer value with spaces is no valid token, but
   * it is one that was sent: the caller must learn that it is wrong (RFC 6750, 3.1), not that none came.
   */
  keyIn(headers: IncomingHttpHeaders): string | null {
    const { authorization } = headers;
    if (authorization !== undefined && authorization === this.#authorization) return this.#bearer;
    const bearer = /^bearer +(\S.*)$/i.exec(authorization ?? '')?.[1];
    if (authorization === undefined || bearer === undefined) {
      const own = headers['x-api-key'];
      return typeof own === 'string' && own !== '' ? own : null;
    }
    this.#authorization = authorization;
    this.#bearer = bearer;
    return bearer;
  }

  /** The plan is part of the key: it decides what data a URL returns. */
  cacheKeyOf(planName: string, url: string): CacheKey {
    if (url !== this.#url || planName !== this.#planName) {
      this.#planName = planName;
      this.#url = url;
      // Hashed part by part: V8 would first copy a concatenated string.
      this.#cacheKey = { text: `${planName} ${url}`, hash: textHash(url, textHash(planName)) };
    }
    return this.#cacheKey;
  }
}

const memories = new WeakMap<object, ConnectionMemory>();

export function memoryOf(connection: object): ConnectionMemory {
  let memory = memories.get(connection);
  if (!memory) {
    memory = new ConnectionMemory();
    memories.set(connection, memory);
  }
  return memory;
}

import type { IncomingHttpHeaders } from 'node:http';
import { KeyMemory } from '../../accounts/keys/authenticate.ts';
import { textHash } from '../../base/text-hash.ts';

/** What answers are kept under. */
export interface Question {
  readonly text: string;
  readonly hash: number;
}

/**
 * What a connection sent last. Clients that poll send the same again, and comparing is cheaper than taking it apart; the
 * key goes with the connection and is written nowhere.
 */
export class ConnectionMemory extends KeyMemory {
  #authorization: string | null = null;
  #bearer = '';
  #planName = '';
  #url = '';
  #question: Question = { text: '', hash: 0 };

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

  /** The plan is part of it: it decides what a question may see. */
  questionOf(planName: string, url: string): Question {
    if (url !== this.#url || planName !== this.#planName) {
      this.#planName = planName;
      this.#url = url;
      // The parts one after the other: a text that was put together would first have to be copied.
      this.#question = { text: `${planName} ${url}`, hash: textHash(url, textHash(planName)) };
    }
    return this.#question;
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

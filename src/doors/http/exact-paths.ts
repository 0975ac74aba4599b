import type { IncomingMessage, ServerResponse } from 'node:http';

export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ExactPath {
  readonly path: string;
  readonly handler: RawHandler;
}

const QUESTION_MARK = 0x3f;

/**
 * Handlers by exact path. They are few, so comparing one after the other is several times as fast as cutting the path
 * out of the address and looking it up in a Map, which first puts it into V8's table of all texts.
 */
export class ExactPaths {
  readonly #list: ExactPath[] = [];

  set(path: string, handler: RawHandler): void {
    const known = this.#list.findIndex((entry) => entry.path === path);
    this.#list.splice(known < 0 ? this.#list.length : known, 1, { path, handler });
  }

  /** The one that an address with or without a query leads to. */
  find(url: string): ExactPath | undefined {
    for (const entry of this.#list) {
      const { path } = entry;
      if (!url.startsWith(path)) continue;
      if (url.length === path.length || url.charCodeAt(path.length) === QUESTION_MARK) return entry;
    }
    return undefined;
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';

export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ExactPath {
  readonly path: string;
  readonly handler: RawHandler;
}

const QUESTION_MARK = 0x3f;

/**
 * Handlers by exact path. There are few, so comparing them in turn is several times as fast as slicing the path out of
 * the URL and looking it up in a Map, for which V8 first internalizes the sliced string.
 */
export class ExactPaths {
  readonly #list: ExactPath[] = [];

  set(path: string, handler: RawHandler): void {
    const known = this.#list.findIndex((entry) => entry.path === path);
    this.#list.splice(known < 0 ? this.#list.length : known, 1, { path, handler });
  }

  /** The handler of a URL, with or without a query. */
  find(url: string): ExactPath | undefined {
    for (const entry of this.#list) {
      const { path } = entry;
      if (!url.startsWith(path)) continue;
      if (url.length === path.length || url.charCodeAt(path.length) === QUESTION_MARK) return entry;
    }
    return undefined;
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';

export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

interface ExactPath {
  readonly path: string;
  readonly handler: RawHandler;
}

/** Handlers by exact path. */
export class ExactPaths {
  readonly #paths = new Map<string, ExactPath>();

  set(path: string, handler: RawHandler): void {
    this.#paths.set(path, { path, handler });
  }

  /** The handler of a URL, with or without a query. */
  find(url: string): ExactPath | undefined {
    const end = url.indexOf('?');
    return this.#paths.get(end < 0 ? url : url.slice(0, end));
  }
}

import type { FastifyInstance } from 'fastify';
import type { AnyOperation } from '../../operations/operation.ts';
import type { Html } from './markup/html.ts';

export interface TextPageContext {
  baseUrl: string;
  /** The operations that the developer pages describe. */
  operations: readonly AnyOperation[];
  /** Null: pages do not count. */
  freePagesPerMinute: number | null;
}

/** A page without market data, and its Markdown twin at the same path with `.md`. */
export interface TextPage {
  path: string;
  title: string;
  description: string;
  /** Its name in the menu. Absent: it is not in the menu. */
  menuLabel?: string;
  scripts?: readonly string[];
  /** The content inside the site's layout. Null: `serve` adds the page with a layout of its own. */
  body: ((context: TextPageContext) => Html) | null;
  markdown(context: TextPageContext): string;
  serve?(server: FastifyInstance, context: TextPageContext): void;
}

import type { FastifyInstance } from 'fastify';
import type { PlanName } from '../../accounts/plans.ts';
import type { MaybeLater } from '../../base/maybe-later.ts';
import type { Document, DocumentContext } from '../documents/document.ts';
import type { Html } from './markup/html.ts';
import type { PageLayout } from './page-layout.ts';

export interface TextPageReader {
  /** Null: not signed in. */
  plan: PlanName | null;
}

/** A document as a page. */
export interface TextPage extends Document {
  layout?: PageLayout;
  scripts?: readonly string[];
  /** The content inside the site's layout. Null: `serve` adds the page with a layout of its own. */
  body: ((context: DocumentContext, reader: TextPageReader) => MaybeLater<Html>) | null;
  /** The content differs with the plan of the reader. */
  isByPlan?: true;
  serve?(server: FastifyInstance, context: DocumentContext): void;
}

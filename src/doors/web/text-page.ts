import type { FastifyInstance } from 'fastify';
import type { PlanOffers } from '../../accounts/plan-offers.ts';
import type { PlanName } from '../../accounts/plans.ts';
import type { MaybeLater } from '../../base/maybe-later.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import type { Html } from './markup/html.ts';
import type { PageLayout } from './page-layout.ts';

/** The parts of the documentation, in their order. */
export const DOCUMENT_GROUPS = ['Start', 'Endpoints', 'Understand', 'AI assistants'] as const;
export type DocumentGroup = (typeof DOCUMENT_GROUPS)[number];

export interface TextPageContext {
  baseUrl: string;
  /** The operations that the developer pages describe. */
  operations: readonly AnyOperation[];
  /** Null: pages do not count. */
  freePagesPerMinute: number | null;
  /** Absent: the operator has set none. */
  offers?: PlanOffers;
}

export interface TextPageReader {
  /** Null: not signed in. */
  plan: PlanName | null;
}

/** A page without market data, and its Markdown twin at the same path with `.md`. */
export interface TextPage {
  path: string;
  title: string;
  description: string;
  /** Its name in the menu. Absent: it is not in the menu. */
  menuLabel?: string;
  /** Its part of the documentation, beside which all its pages are listed. Absent: it is no part of it. */
  group?: DocumentGroup;
  layout?: PageLayout;
  scripts?: readonly string[];
  /** The content inside the site's layout. Null: `serve` adds the page with a layout of its own. */
  body: ((context: TextPageContext, reader: TextPageReader) => MaybeLater<Html>) | null;
  /** The content differs with the plan of the reader. */
  isByPlan?: true;
  markdown(context: TextPageContext): string;
  serve?(server: FastifyInstance, context: TextPageContext): void;
}

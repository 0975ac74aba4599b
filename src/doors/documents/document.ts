import type { PlanOffers } from '../../accounts/plan-offers.ts';
import type { AnyOperation } from '../../operations/operation.ts';

/** The parts of the documentation, in their order. */
export const DOCUMENT_GROUPS = ['Start', 'Endpoints', 'Understand', 'AI assistants'] as const;
type DocumentGroup = (typeof DOCUMENT_GROUPS)[number];

export interface DocumentContext {
  baseUrl: string;
  /** The operations that the documents describe. */
  operations: readonly AnyOperation[];
  /** Null: pages do not count. */
  freePagesPerMinute: number | null;
  /** Absent: the operator has set none. */
  offers?: PlanOffers;
}

/** A text without market data: a page of the site, its Markdown at the same path with `.md`, and a resource of MCP. */
export interface Document {
  path: string;
  title: string;
  description: string;
  /** Its part of the documentation. Absent: it is no part of it. */
  group?: DocumentGroup;
  markdown(context: DocumentContext): string;
}

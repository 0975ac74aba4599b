import { DOCS_FILES, docsText } from './docs-files.ts';
import type { Document } from './document.ts';
import { ERRORS } from './errors.ts';
import { PLANS_TEXT } from './plans.ts';
import { REFERENCE } from './reference.ts';

const DOCS: readonly Document[] = DOCS_FILES.map((one) => ({
  ...one,
  markdown: (context) => docsText(one, context, (path) => `${context.baseUrl}${path}.md`),
}));

/** Every document, in the order of the navigation. */
export const DOCUMENTS: readonly Document[] = [...DOCS, ERRORS, REFERENCE, PLANS_TEXT];

import { DOCS_FILES, docsText } from '../../../documents/docs-files.ts';
import type { Document, DocumentContext } from '../../../documents/document.ts';
import { DOCUMENTS } from '../../../documents/registry.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { documentsInThread } from '../../markup/document-thread.ts';
import type { Html } from '../../markup/html.ts';
import type { TextPage } from '../text-page.ts';

/** The rendered files of docs/ by path, for each service of the process. All are rendered when the first is needed. */
const rendered = new WeakMap<DocumentContext, Promise<ReadonlyMap<string, Html>>>();

async function bodyOf({ path }: Document, context: DocumentContext): Promise<Html> {
  let documents = rendered.get(context);
  if (!documents) {
    documents = renderAll(context);
    rendered.set(context, documents);
    // The next request tries again.
    documents.catch(() => rendered.delete(context));
  }
  const found = (await documents).get(path);
  if (!found) throw new Error(`there is no document ${path}`);
  return found;
}

async function renderAll(context: DocumentContext): Promise<ReadonlyMap<string, Html>> {
  const texts = DOCS_FILES.map((one) => docsText(one, context, (path) => path));
  const pages = await documentsInThread(texts);
  return new Map(DOCS_FILES.map(({ path }, i) => [path, pages[i] as Html]));
}

const paths = new Set(DOCS_FILES.map(({ path }) => path));

/** The files of docs/ as pages. */
export const DOCS_PAGES: readonly TextPage[] = DOCUMENTS.filter(({ path }) => paths.has(path)).map((one) => ({
  ...one,
  scripts: CODE_SCRIPTS,
  body: (context) => bodyOf(one, context),
}));

import { DOCS_FILES, docsText } from '../../../documents/docs-files.ts';
import { DOCUMENTS } from '../../../documents/registry.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { documentInThread } from '../../markup/document-thread.ts';
import type { TextPage } from '../text-page.ts';

/** The files of docs/ as pages. */
export const DOCS_PAGES: readonly TextPage[] = DOCS_FILES.flatMap((file) =>
  DOCUMENTS.filter(({ path }) => path === file.path).map((document) => ({
    ...document,
    scripts: CODE_SCRIPTS,
    body: (context) => documentInThread(docsText(file, context, (path) => path)),
  })),
);

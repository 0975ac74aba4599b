import { DOCS_PAGES } from './pages/texts/docs.ts';
import { ERRORS_PAGE } from './pages/texts/errors.ts';
import { PLANS_PAGE } from './pages/texts/plans.ts';
import { REFERENCE_PAGE } from './pages/texts/reference.ts';
import type { TextPage } from './text-page.ts';

/** Every page without market data, in the order of the navigation. Each has a Markdown twin. */
export const TEXT_PAGES: readonly TextPage[] = [...DOCS_PAGES, ERRORS_PAGE, REFERENCE_PAGE, PLANS_PAGE];

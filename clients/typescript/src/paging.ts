import { PerpwireError } from './errors.ts';
import type { Params } from './request.ts';

/** The largest page of all plans but Demo, which refuses it. */
const LARGEST_PAGE = 500;

/**
 * All pages of a list, of one snapshot. Without a `limit` of the caller pages are as large as the plan allows: each page
 * costs a request.
 */
export async function* pagesOf<Page>(
  page: (params: Params) => Promise<Page>,
  nextCursorOf: (page: Page) => string | null | undefined,
  params: Params,
): AsyncGenerator<Page, void, undefined> {
  const isFree = params.limit === undefined && params.cursor === undefined;
  let asked: Params = isFree ? { ...params, limit: LARGEST_PAGE } : params;
  let current: Page;
  try {
    current = await page(asked);
  } catch (error) {
    if (!isFree || !(error instanceof PerpwireError) || error.code !== 'plan-limit') throw error;
    asked = params;
    current = await page(asked);
  }
  for (;;) {
    yield current;
    const cursor = nextCursorOf(current);
    if (cursor === undefined || cursor === null) return;
    current = await page({ ...asked, cursor });
  }
}

import { MINUTE_MS } from '../../base/times.ts';
import type { LimitAttempts } from './memory.ts';

/** Pages of data that an account may read free of charge. All browsers and all processes count together. */
export interface PageViews {
  readonly freePerMinute: number;
  /** Counts a page view. Resolves to whether it is free. */
  isFree(accountId: string): boolean | Promise<boolean>;
}

export function createPageViews(limitAttempts: LimitAttempts, freePerMinute: number): PageViews {
  if (freePerMinute === 0) return { freePerMinute, isFree: () => false };
  const views = limitAttempts('page-views', { most: freePerMinute, withinMs: MINUTE_MS });
  return {
    freePerMinute,
    isFree: async (accountId) => (await views.take(accountId)) === null,
  };
}

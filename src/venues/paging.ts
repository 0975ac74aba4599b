import type { SettlementWindow } from './venue.ts';

/** The page to ask for, at venues that number the pages of their history, newest first. */
export function pageNumberOf(window: SettlementWindow): number {
  return Number(window.cursor ?? 1);
}

/** What is left after one such page. A print that settles meanwhile only repeats rows on the next page, it hides none. */
export function afterNumberedPage(
  window: SettlementWindow,
  oldestMs: number | null,
  isLastPage: boolean,
): SettlementWindow | null {
  if (isLastPage || oldestMs === null || oldestMs <= window.fromMs) return null;
  return {
    fromMs: window.fromMs,
    toMs: Math.min(window.toMs, oldestMs - 1),
    cursor: String(pageNumberOf(window) + 1),
  };
}

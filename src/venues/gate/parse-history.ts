import { percentFromFraction } from '../../base/numbers.ts';
import { DAY_MS, SECOND_MS } from '../../base/times.ts';
import { epochSecondsOf, idOf, textOf } from '../fields.ts';
import type { Batch } from '../observations.ts';
import { readPrints } from '../prints.ts';
import { goodReply, listOf, rowOf } from '../reading.ts';
import { readNotices } from '../row-readers.ts';
import type { SettlementPage, SettlementWindow } from '../venue.ts';
import { ARTICLE_HOST } from './wire.ts';

/** The most rows the venue returns for one window. */
export const HISTORY_PAGE_ROWS = 1000;
/** The hourly prints of this many days fit one page. The venue silently cuts the reply to a longer window. */
const HISTORY_WINDOW_MS = 30 * DAY_MS;

/** The newest part of a window that one call may request, in whole seconds. */
export function secondsToRequest(window: SettlementWindow): { from: number; to: number } {
  const fromMs = Math.max(window.fromMs, window.toMs - HISTORY_WINDOW_MS);
  return { from: Math.ceil(fromMs / SECOND_MS), to: Math.floor(window.toMs / SECOND_MS) };
}

/** Newest first. A print carries the second in which it was booked, one or two after the full hour. */
export function parseSettlements(
  payload: unknown,
  venueSymbol: string,
  window: SettlementWindow,
): SettlementPage {
  const prints = readPrints(
    listOf(payload, 'funding_rate'),
    { contract: { venueSymbol } },
    window,
    (row) => ({
      ratePct: percentFromFraction(row.r),
      settledAtMs: epochSecondsOf(row.t),
    }),
  );
  const requestedFromMs = secondsToRequest(window).from * SECOND_MS;
  const oldestMs = Math.min(prints.oldestMs ?? window.toMs, window.toMs);
  const isCut = prints.rowCount >= HISTORY_PAGE_ROWS && oldestMs > requestedFromMs;
  const toMs = (isCut ? oldestMs : requestedFromMs) - 1;
  const { settlements, rejected } = prints;
  const { fromMs } = window;
  return { settlements, rejected, next: toMs >= fromMs ? { fromMs, toMs } : null };
}

export function parseArticles(payload: unknown): Batch {
  const reply = goodReply(payload, 'list_article', 'code', 0);
  return readNotices(listOf(rowOf(reply.data, 'list_article').list, 'list_article'), (row) => {
    const id = idOf(row.id);
    const path = textOf(row.url) ?? `/announcements/article/${id}`;
    return {
      id,
      title: textOf(row.title),
      body: textOf(row.brief),
      category: [textOf(row.cate), textOf(row.tags)].filter(Boolean).join(),
      url: path.startsWith('/') ? `${ARTICLE_HOST}${path}` : path,
      publishedAtMs: epochSecondsOf(row.release_timestamp) ?? epochSecondsOf(row.created_t),
    };
  });
}

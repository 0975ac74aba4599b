import { percentFromFraction } from '../../base/numbers.ts';
import { DAY_MS, SECOND_MS } from '../../base/times.ts';
import { type Batch, emptyBatch } from '../observations.ts';
import { BadReply, epochSecondsOf, isRow, listOf, rowOf, textOf } from '../reading.ts';
import type { SettlementPage, SettlementWindow } from '../venue.ts';
import { ARTICLE_HOST } from './wire.ts';

/** The most rows the venue gives for one window. */
export const HISTORY_PAGE_ROWS = 1000;
/** Hourly prints of so many days fit one page; a longer window may be cut by the venue without a word. */
const HISTORY_WINDOW_MS = 30 * DAY_MS;

/** The newest part of a window that one call may ask for, in the venue's whole seconds. */
export function askedSeconds(window: SettlementWindow): { from: number; to: number } {
  const fromMs = Math.max(window.fromMs, window.toMs - HISTORY_WINDOW_MS);
  return { from: Math.ceil(fromMs / SECOND_MS), to: Math.floor(window.toMs / SECOND_MS) };
}

/** Newest first; a print carries the second in which it was booked, one or two after the full hour. */
export function parseSettlements(
  payload: unknown,
  venueSymbol: string,
  window: SettlementWindow,
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const rows = listOf(payload, 'funding_rate');
  const askedFromMs = askedSeconds(window).from * SECOND_MS;
  let oldestMs = window.toMs;
  for (const row of rows) {
    const ratePct = isRow(row) ? percentFromFraction(row.r) : null;
    const settledAtMs = isRow(row) ? epochSecondsOf(row.t) : null;
    if (settledAtMs !== null) oldestMs = Math.min(oldestMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) {
      page.rejected.push({ venueSymbol, reason: 'no rate or time' });
    } else if (settledAtMs >= window.fromMs && settledAtMs <= window.toMs) {
      page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    }
  }
  const isCut = rows.length >= HISTORY_PAGE_ROWS && oldestMs > askedFromMs;
  const restToMs = (isCut ? oldestMs : askedFromMs) - 1;
  if (restToMs >= window.fromMs) page.next = { fromMs: window.fromMs, toMs: restToMs };
  return page;
}

export function parseArticles(payload: unknown): Batch {
  const batch = emptyBatch();
  const reply = rowOf(payload, 'list_article');
  if (reply.code !== 0) throw new BadReply(`list_article answers code ${String(reply.code)}`);
  for (const row of listOf(rowOf(reply.data, 'list_article').list, 'list_article')) {
    const title = isRow(row) ? textOf(row.title) : null;
    const publishedAtMs = isRow(row)
      ? (epochSecondsOf(row.release_timestamp) ?? epochSecondsOf(row.created_t))
      : null;
    if (!isRow(row) || typeof row.id !== 'number' || title === null || publishedAtMs === null) {
      batch.rejected.push({ venueSymbol: null, reason: 'no id, title or time' });
      continue;
    }
    const path = textOf(row.url) ?? `/announcements/article/${row.id}`;
    batch.announcements.push({
      id: String(row.id),
      title,
      body: textOf(row.brief),
      category: [textOf(row.cate), textOf(row.tags)].filter(Boolean).join(),
      url: path.startsWith('/') ? `${ARTICLE_HOST}${path}` : path,
      publishedAtMs,
    });
  }
  return batch;
}

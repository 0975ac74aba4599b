import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import type { Batch } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { epochMsOf, isRow, listOf, type Row, readRows, rowOf, textOf } from '../reading.ts';
import type { SettlementPage } from '../venue.ts';
import { dataOf } from './reply.ts';
import { FUNDING_PAGE_ROWS } from './wire.ts';

/** The reply holds the newest prints of the window, newest first; what is older is asked for next. */
export function parseFundingRates(payload: unknown, window: { fromMs: number }): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const rows = listOf(dataOf(payload, 'funding-rates') ?? [], 'funding-rates');
  const batch = emptyBatch();
  let oldestMs = Number.POSITIVE_INFINITY;
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    const ratePct = percentFromFraction(row.fundingRate);
    const settledAtMs = epochMsOf(row.timepoint);
    if (settledAtMs !== null) oldestMs = Math.min(oldestMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  if (rows.length >= FUNDING_PAGE_ROWS && Number.isFinite(oldestMs) && oldestMs > window.fromMs)
    page.next = { fromMs: window.fromMs, toMs: oldestMs - 1 };
  return page;
}

export function parseAnnouncements(payload: unknown): Batch {
  const batch = emptyBatch();
  const page = rowOf(dataOf(payload, 'announcements'), 'announcements');
  for (const item of listOf(page.items, 'announcement items')) {
    const row: Row = isRow(item) ? item : {};
    const id = decimalOrNull(row.annId);
    const title = textOf(row.annTitle);
    const publishedAtMs = epochMsOf(row.cTime);
    if (id === null || title === null || publishedAtMs === null) {
      batch.rejected.push({ venueSymbol: null, reason: 'no id, title or time' });
      continue;
    }
    batch.announcements.push({
      id: String(id),
      title,
      body: textOf(row.annDesc),
      category: Array.isArray(row.annType) ? row.annType.join(',') : '',
      url: textOf(row.annUrl),
      publishedAtMs,
    });
  }
  return batch;
}

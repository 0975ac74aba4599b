import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { emptyBatch } from '../observations.ts';
import { BadReply, epochMsOf, listOf, positiveOf, readRows, rowOf } from '../reading.ts';
import type { SettlementPage, SettlementWindow, VenueReply } from '../venue.ts';
import { goodReply } from './reply.ts';

/** One numbered page: the prints of it that lie in the window, and how far back the page reaches. */
export interface HistoryPage extends Pick<SettlementPage, 'settlements' | 'rejected'> {
  oldestMs: number | null;
  isLast: boolean;
}

/** `realized_rate` is what was really paid; it is null nowadays, and then the published rate was paid. */
export function parseHistoryPage(payload: unknown, window: SettlementWindow): HistoryPage {
  const data = rowOf(goodReply(payload, 'funding history').data, 'funding history');
  const rows = listOf(data.data, 'funding history');
  const currentPage = decimalOrNull(data.current_page);
  const totalPages = decimalOrNull(data.total_page);
  if (currentPage === null || totalPages === null) throw new BadReply('funding history has no page numbers');
  const isLast = rows.length === 0 || currentPage >= totalPages;
  const page: HistoryPage = { settlements: [], rejected: [], oldestMs: null, isLast };
  const batch = emptyBatch();
  readRows(rows, batch, 'contract_code', (row, venueSymbol) => {
    const ratePct = percentFromFraction(row.realized_rate) ?? percentFromFraction(row.funding_rate);
    const settledAtMs = epochMsOf(row.funding_time);
    if (settledAtMs !== null) page.oldestMs = Math.min(page.oldestMs ?? settledAtMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    if (settledAtMs >= window.fromMs && settledAtMs <= window.toMs)
      page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  return page;
}

/**
 * The venue numbers its pages from the newest print and takes no times, so the cursor is the number of the next page.
 * Prints that settle during a walk push older ones to later pages: going on can repeat prints but not miss any.
 */
export async function walkHistory(
  window: SettlementWindow,
  askPage: (pageIndex: number) => Promise<VenueReply>,
): Promise<SettlementPage> {
  const { fromMs, toMs } = window;
  let beforeMs = Number.POSITIVE_INFINITY;
  for (let pageIndex = positiveOf(window.cursor) ?? 1; ; pageIndex++) {
    const { payload } = await askPage(pageIndex);
    const { settlements, rejected, oldestMs, isLast } = parseHistoryPage(payload, window);
    if (isLast || (oldestMs !== null && oldestMs <= fromMs)) return { settlements, rejected, next: null };
    if (oldestMs === null || oldestMs >= beforeMs) throw new BadReply('funding history does not go back');
    beforeMs = oldestMs;
    if (oldestMs <= toMs) {
      const next = { fromMs, toMs: oldestMs - 1, cursor: String(pageIndex + 1) };
      return { settlements, rejected, next };
    }
  }
}

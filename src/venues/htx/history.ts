import { decimalOrNull, percentFromFraction } from '../../base/numbers.ts';
import { epochMsOf, positiveOf } from '../fields.ts';
import { readPrints } from '../prints.ts';
import { BadReply, listOf, rowOf } from '../reading.ts';
import type { SettlementPage, SettlementWindow, VenueReply } from '../venue.ts';
import { replyOf } from './parse.ts';

/** The prints of one numbered page that lie in the window, and how far back the page reaches. */
interface HistoryPage extends Pick<SettlementPage, 'settlements' | 'rejected'> {
  oldestMs: number | null;
  isLast: boolean;
}

/** `realized_rate` is what was paid; where it is null, as it is nowadays, the published rate was paid. */
export function parseHistoryPage(payload: unknown, window: SettlementWindow): HistoryPage {
  const data = rowOf(replyOf(payload, 'funding history').data, 'funding history');
  const rows = listOf(data.data, 'funding history');
  const currentPage = decimalOrNull(data.current_page);
  const totalPages = decimalOrNull(data.total_page);
  if (currentPage === null || totalPages === null) throw new BadReply('funding history has no page numbers');
  const { settlements, rejected, oldestMs } = readPrints(
    rows,
    { symbolField: 'contract_code' },
    window,
    (row) => ({
      ratePct: percentFromFraction(row.realized_rate) ?? percentFromFraction(row.funding_rate),
      settledAtMs: epochMsOf(row.funding_time),
    }),
  );
  return { settlements, rejected, oldestMs, isLast: rows.length === 0 || currentPage >= totalPages };
}

/**
 * The venue numbers its pages from the newest print and has no time filter, so the cursor is the next page's number.
 * Prints that settle during a walk push older ones to later pages: the walk can repeat prints but not miss any.
 */
export async function walkHistory(
  window: SettlementWindow,
  requestPage: (pageIndex: number) => Promise<VenueReply>,
): Promise<SettlementPage> {
  const { fromMs, toMs } = window;
  let beforeMs = Number.POSITIVE_INFINITY;
  for (let pageIndex = positiveOf(window.cursor) ?? 1; ; pageIndex++) {
    const { payload } = await requestPage(pageIndex);
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

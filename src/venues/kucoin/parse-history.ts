import { percentFromFraction } from '../../base/numbers.ts';
import { epochMsOf, idOf, textOf } from '../fields.ts';
import type { Batch } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { listOf, rowOf } from '../reading.ts';
import { readNotices } from '../row-readers.ts';
import type { SettlementPage } from '../venue.ts';
import { dataOf } from './parse.ts';
import { FUNDING_PAGE_ROWS } from './wire.ts';

/** The reply holds the newest prints of the window, newest first. */
export function parseFundingRates(payload: unknown, window: { fromMs: number }): SettlementPage {
  const rows = listOf(dataOf(payload, 'funding-rates') ?? [], 'funding-rates');
  const prints = readPrints(rows, { symbolField: 'symbol' }, {}, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.timepoint),
  }));
  return pageBackward(prints, { fromMs: window.fromMs }, prints.rowCount >= FUNDING_PAGE_ROWS);
}

export function parseAnnouncements(payload: unknown): Batch {
  const page = rowOf(dataOf(payload, 'announcements'), 'announcements');
  return readNotices(listOf(page.items, 'announcement items'), (row) => ({
    id: idOf(row.annId),
    title: textOf(row.annTitle),
    body: textOf(row.annDesc),
    category: Array.isArray(row.annType) ? row.annType.join(',') : '',
    url: textOf(row.annUrl),
    publishedAtMs: epochMsOf(row.cTime),
  }));
}

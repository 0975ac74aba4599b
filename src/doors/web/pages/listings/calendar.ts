import { LRUCache } from 'lru-cache';
import { Problem } from '../../../../base/problems.ts';
import { HOUR_MS, isoTime } from '../../../../base/times.ts';
import { type AnswerRows, rowObject, rowText } from '../../../../operations/answer/answer.ts';
import { listings } from '../../../../operations/listings.ts';
import { listForPage } from '../../layout/visitor.ts';
import type { PageContext } from '../page-context.ts';
import { type CalendarGrid, gridOf, isDay, type Span } from './calendar-grid.ts';
import { type Calendar, type Entry, entryHtml } from './calendar-view.ts';

/** A day begins at most this long before its day of UTC, and ends at most this long after it. */
const ZONES_MS = { before: 14 * HOUR_MS, after: 12 * HOUR_MS };

const MAX_PAGES = 10;
const FILTERS = ['coin', 'exchange', 'exclude_exchange', 'type', 'status', 'source'];

const MAX_CACHED = 200;
const cache = new LRUCache<string, Calendar>({ max: MAX_CACHED });

/** The calendar, cached by snapshot, plan and its own filters: most queries of the list do not change it. */
export async function calendarOf(context: PageContext, asOf: string): Promise<Calendar> {
  const { entrance, caller, sent } = context;
  const parameters = ['view', 'at', ...FILTERS].map((name) => sent.get(name) ?? null);
  const freshness = entrance.freshness(listings, caller);
  const key = JSON.stringify([entrance.baseUrl, freshness, asOf, caller.plan.name, parameters]);
  const known = cache.get(key);
  if (known) return known;
  const made = await makeCalendar(context, asOf);
  if (freshness !== null) cache.set(key, made);
  return made;
}

/** The rows of a month or a week by day (UTC), under the same filters as the table. */
async function makeCalendar(context: PageContext, asOf: string): Promise<Calendar> {
  const span = spanOf(context.sent.get('view')?.[0]);
  const today = asOf.slice(0, 10);
  const grid = gridOf(span, dayOf(context.sent.get('at')?.[0]) ?? today);
  const { entries, isCut } = await entriesOf(context, grid);
  return { grid, entries: Map.groupBy(entries, ({ day }) => day), asOf, today, isCut };
}

async function entriesOf(context: PageContext, { from, to }: CalendarGrid) {
  const query = new Map([...context.sent].filter(([name]) => FILTERS.includes(name)));
  query.set('from', [isoTime(Date.parse(from) - ZONES_MS.before)]);
  query.set('to', [isoTime(Date.parse(to) + ZONES_MS.after)]);
  query.set('sort', ['effective_asc']).set('limit', [String(context.caller.plan.maxPageRows)]);
  const found: Entry[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const { rows, meta } = await listForPage(context.entrance, listings, context.caller, query);
    for (const row of rows.numbers) found.push(entryOf(rows, row));
    if (!meta.next_cursor) return { entries: found, isCut: false };
    query.set('cursor', [meta.next_cursor]);
  }
  return { entries: found, isCut: true };
}

function spanOf(text: string | undefined): Span {
  if (text === undefined || text === 'month' || text === 'week') return text ?? 'month';
  throw new Problem('invalid-parameter', '"view" must be month or week.');
}

function dayOf(text: string | undefined): string | null {
  if (text === undefined || isDay(text)) return text ?? null;
  throw new Problem('invalid-parameter', '"at" must be a day, written like 2026-11-15.');
}

const MAX_ENTRIES = 5_000;
const knownEntries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });

/** A row looks the same in every calendar, so its HTML is cached. The key is its JSON. */
function entryOf(rows: AnswerRows, number: number): Entry {
  const key = rowText(rows, number);
  let entry = knownEntries.get(key);
  if (!entry) {
    const row = rowObject(rows, number);
    entry = {
      day: String(row.effective_at).slice(0, 10),
      html: { month: entryHtml(row, 'month'), week: entryHtml(row, 'week') },
    };
    knownEntries.set(key, entry);
  }
  return entry;
}

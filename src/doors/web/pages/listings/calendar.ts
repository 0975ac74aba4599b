import { Problem } from '../../../../base/problems.ts';
import { HOUR_MS, isoTime } from '../../../../base/times.ts';
import { type AnswerRows, rowObject, rowText } from '../../../../operations/answer/answer.ts';
import { listings } from '../../../../operations/listings.ts';
import { AnswerCache } from '../../../http/answers/answer-cache.ts';
import { icon } from '../../icons/ui-icons.ts';
import type { PageContext } from '../../market-page.ts';
import { timeOfHour, utc } from '../../markup/format.ts';
import { flat, type Html, html } from '../../markup/html.ts';
import { linkWith } from '../../markup/page-links.ts';
import { listForPage, type Row } from '../../visitor.ts';
import {
  type CalendarDay,
  type CalendarFrame,
  frameOf,
  isDay,
  midnight,
  type Span,
} from './calendar-frame.ts';

export interface Calendar {
  frame: CalendarFrame;
  /** Entries by day of UTC; those of the half days before and after are for other zones. */
  entries: ReadonlyMap<string, readonly Entry[]>;
  asOf: string;
  today: string;
  isCut: boolean;
}

/** A day begins at most this long before its day of UTC, and ends at most this long after it. */
const ZONES_MS = { before: 14 * HOUR_MS, after: 12 * HOUR_MS };

const MAX_PAGES = 10;
const MAX_PER_DAY: Readonly<Record<Span, number>> = { month: 5, week: 40 };
const FILTERS = ['coin', 'exchange', 'exclude_exchange', 'type', 'status', 'source'];
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const MAX_CACHED = 200;
const cache = new Map<string, Calendar>();

/** The calendar, cached by snapshot, plan and its own filters: most queries of the list do not change it. */
export async function calendarOf(context: PageContext, asOf: string): Promise<Calendar> {
  const { entrance, caller, sent } = context;
  const parameters = ['view', 'at', ...FILTERS].map((name) => sent.get(name) ?? null);
  const freshness = entrance.freshness(listings, caller);
  const key = JSON.stringify([entrance.baseUrl, freshness, asOf, caller.plan.name, parameters]);
  const known = cache.get(key);
  if (known) return known;
  const made = await makeCalendar(context, asOf);
  if (cache.size >= MAX_CACHED) cache.clear();
  if (freshness !== null) cache.set(key, made);
  return made;
}

/** The rows of a month or a week by day (UTC), under the same filters as the table. */
async function makeCalendar(context: PageContext, asOf: string): Promise<Calendar> {
  const span = spanOf(context.sent.get('view')?.[0]);
  const today = asOf.slice(0, 10);
  const frame = frameOf(span, dayOf(context.sent.get('at')?.[0]) ?? today);
  const { entries, isCut } = await entriesOf(context, frame);
  return { frame, entries: Map.groupBy(entries, ({ day }) => day), asOf, today, isCut };
}

async function entriesOf(context: PageContext, { from, to }: CalendarFrame) {
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

/** A row as an entry of a day. */
class Entry {
  readonly day: string;
  readonly html: Readonly<Record<Span, Html>>;
  readonly bytes: number;

  constructor(row: Row) {
    this.day = String(row.effective_at).slice(0, 10);
    this.html = { month: flat(entryHtml(row, 'month')), week: flat(entryHtml(row, 'week')) };
    this.bytes = this.html.month.markup.length * 4;
  }
}

const ENTRIES_BYTES = 4 * 1024 * 1024;
const keptEntries = new AnswerCache<Entry>(ENTRIES_BYTES);

/** A row looks the same in every calendar, so its HTML is cached. The key is its JSON. */
function entryOf(rows: AnswerRows, row: number): Entry {
  const key = rowText(rows, row);
  let entry = keptEntries.get(key);
  if (!entry) {
    entry = new Entry(rowObject(rows, row));
    keptEntries.set(key, entry);
  }
  return entry;
}

/** Has a sign and a word, so that colour is not the only signal. */
function entryHtml(row: Row, span: Span): Html {
  const isListing = row.kind === 'listing';
  const at = String(row.effective_at);
  const words = `${row.exchange} ${isListing ? 'lists' : 'delists'} ${row.symbol}${row.status === null ? '' : ` (${row.status})`}`;
  return html`<li data-at="${at}">
    <span class="${isListing ? 'pos' : 'neg'}" title="${words}, ${utc(at)}">${span === 'week' ? html`${timeOfHour(at, false)} ` : null}${isListing ? '▲' : '▼'} ${String(row.symbol)}</span> <span class="unit">${String(row.exchange)}${row.status === 'cancelled' ? ', cancelled' : isListing ? '' : ', ends'}</span>
  </li>`;
}

type Sent = ReadonlyMap<string, readonly string[]>;

/**
 * Days and times of UTC, and what the browser needs to arrange them by the days of another zone: for readers who chose
 * theirs, all entries, also those without a place in a cell.
 */
export function calendarHtml(calendar: Calendar, { sent, preferences }: PageContext, aside: Html): Html {
  const { frame, asOf, today, isCut } = calendar;
  const { span, start, from, to: end, before, after } = frame;
  const to = (view: Span, at: string) => linkWith('/listings', sent, { view, at });
  const isForZones = preferences.zone === 'local';
  const dayLink = linkWith('/listings', sent, { from: 'FROM', to: 'TO' });
  const forZones = isForZones
    ? html` data-as-of="${asOf}" data-from="${from}" data-to="${end}" data-most="${MAX_PER_DAY[span]}"
      data-day-link="${dayLink}"`
    : null;
  return html`<section class="card calendar" aria-label="Calendar" id="calendar" data-live${forZones}>
    <header>
      <h2>${frame.title}</h2>
      <span class="mut">
        Days and
        times: <span class="zone">UTC</span>.${isCut ? ' There is more than fits here: use the filters.' : ''}
      </span>
<nav class="acts" aria-label="Span">
        <a class="ib" href="${to(span, before)}" aria-label="Earlier">${icon('left')}</a>
        <a class="btn" href="${to(span, today)}">Today</a>
        <a class="ib" href="${to(span, after)}" aria-label="Later">${icon('right')}</a>
        <span class="seg">
          <a
            href="${to('month', span === 'month' ? start : today)}"${span === 'month' ? html` aria-current="true"` : null}>
            Month
          </a>
          <a
            href="${to('week', span === 'week' ? start : today)}"${span === 'week' ? html` aria-current="true"` : null}>
            Week
          </a>
        </span>
        ${aside}
      </nav>
    </header>
    <div class="tw" tabindex="0" role="region" aria-label="Days">
      <table>
        <thead><tr>${WEEKDAYS.map((day) => html`<th scope="col">${day}</th>`)}</tr></thead>
        <tbody>
          ${frame.weeks.map((week) => html`<tr>${week.map((day) => dayCell(day, calendar, sent))}</tr>\n`)}
        </tbody>
      </table>
    </div>
    ${isForZones ? html`<ul class="spare" hidden>${spareEntries(calendar)}</ul>` : null}
  </section>`;
}

/** The entries that no cell shows. */
function spareEntries({ frame, entries }: Calendar): Html[] {
  const { span, from, to } = frame;
  return [...entries].flatMap(([day, found]) => {
    const isShown = midnight(day) >= from && midnight(day) < to;
    return found.slice(isShown ? MAX_PER_DAY[span] : 0).map((entry) => entry.html[span]);
  });
}

const emptyCells = new WeakMap<CalendarDay, Html>();

function dayCell(day: CalendarDay, { frame, entries, today }: Calendar, sent: Sent): Html {
  const found = entries.get(day.day);
  const isToday = day.day === today;
  if (!found && !isToday) {
    const known = emptyCells.get(day) ?? cellHtml(day, false, null);
    emptyCells.set(day, known);
    return known;
  }
  if (!found) return cellHtml(day, isToday, null);
  const shown = found.slice(0, MAX_PER_DAY[frame.span]);
  const range = { from: midnight(day.day), to: day.endsAt };
  const more =
    found.length > shown.length
      ? html`<li><a href="${linkWith('/listings', sent, range)}">${found.length - shown.length} more</a></li>`
      : null;
  return cellHtml(day, isToday, html`<ul>${shown.map((entry) => entry.html[frame.span])}${more}</ul>`);
}

function cellHtml({ day, isOther }: CalendarDay, isToday: boolean, list: Html | null): Html {
  return html`<td data-day="${day}"${isOther ? html` class="other"` : null}${isToday ? html` aria-current="date"` : null}>
    <span class="day">${day.slice(8)}${isToday ? ' today' : ''}</span>
    ${list}
  </td>`;
}

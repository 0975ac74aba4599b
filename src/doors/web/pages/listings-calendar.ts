import { Problem } from '../../../base/problems.ts';
import { DAY_MS } from '../../../base/times.ts';
import { listings } from '../../../operations/listings.ts';
import { type Html, html } from '../html.ts';
import { linkWith } from '../list-page.ts';
import type { Asked } from '../market-page.ts';
import { answerForPage, type Row } from '../visitor.ts';

type Span = 'month' | 'week';

export interface Calendar {
  span: Span;
  /** First day of the month or week that is shown. */
  startMs: number;
  /** The days that are shown, whole weeks from Monday on. */
  days: { startMs: number; day: string; rows: Row[] }[];
  todayMs: number;
  isCut: boolean;
}

const MOST_PAGES = 10;
const MOST_IN_A_DAY: Readonly<Record<Span, number>> = { month: 5, week: 40 };
const FILTERS = ['coin', 'exchange', 'exclude_exchange', 'type', 'status', 'source'];
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const MOST_KEPT = 200;
const kept = new Map<string, Calendar>();

/** Most questions about listings leave the calendar as it is: it is made once for each moment, plan and filters. */
export async function calendarOf(asked: Asked, asOf: string): Promise<Calendar> {
  const { entrance, caller, sent } = asked;
  const asks = ['view', 'at', ...FILTERS].map((name) => sent.get(name) ?? null);
  const freshness = entrance.freshness(listings, caller);
  const key = JSON.stringify([entrance.baseUrl, freshness, asOf, caller.plan.name, asks]);
  const known = kept.get(key);
  if (known) return known;
  const made = await makeCalendar(asked, asOf);
  if (kept.size >= MOST_KEPT) kept.clear();
  if (freshness !== null) kept.set(key, made);
  return made;
}

/** The rows of a month or a week by day (UTC), under the same filters as the table. */
async function makeCalendar(asked: Asked, asOf: string): Promise<Calendar> {
  const span = spanOf(asked.sent.get('view')?.[0]);
  const todayMs = dayMs(asOf.slice(0, 10));
  const atMs = atOf(asked.sent.get('at')?.[0]) ?? todayMs;
  const startMs = span === 'week' ? mondayMs(atMs) : monthStartMs(atMs, 0);
  const fromMs = mondayMs(startMs);
  const endMs = span === 'week' ? startMs + 7 * DAY_MS : mondayMs(monthStartMs(atMs, 1) + 6 * DAY_MS);
  const { rows, isCut } = await rowsBetween(asked, fromMs, endMs);
  const byDay = Map.groupBy(rows, (row) => String(row.effective_at).slice(0, 10));
  const count = Math.round((endMs - fromMs) / DAY_MS);
  return {
    span,
    startMs,
    todayMs,
    isCut,
    days: Array.from({ length: count }, (_, i) => {
      const day = dayText(fromMs + i * DAY_MS);
      return { startMs: fromMs + i * DAY_MS, day, rows: byDay.get(day) ?? [] };
    }),
  };
}

async function rowsBetween(asked: Asked, fromMs: number, toMs: number) {
  const question = new Map([...asked.sent].filter(([name]) => FILTERS.includes(name)));
  question.set('from', [new Date(fromMs).toISOString()]).set('to', [new Date(toMs).toISOString()]);
  question.set('sort', ['effective_asc']).set('limit', [String(asked.caller.plan.maxPageRows)]);
  const rows: Row[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const { data, meta } = await answerForPage<Row[]>(asked.entrance, listings, asked.caller, question);
    rows.push(...data);
    if (!meta.next_cursor) return { rows, isCut: false };
    question.set('cursor', [meta.next_cursor]);
  }
  return { rows, isCut: true };
}

function spanOf(text: string | undefined): Span {
  if (text === undefined || text === 'month' || text === 'week') return text ?? 'month';
  throw new Problem('invalid-parameter', '"view" must be month or week.');
}

function atOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const timeMs = dayMs(text);
  const isDay = /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(timeMs);
  if (isDay && dayText(timeMs) === text) return timeMs;
  throw new Problem('invalid-parameter', '"at" must be a day, written like 2026-11-15.');
}

function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

function mondayMs(timeMs: number): number {
  return timeMs - ((new Date(timeMs).getUTCDay() + 6) % 7) * DAY_MS;
}

function monthStartMs(timeMs: number, monthsOn: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsOn, 1);
}

type Sent = ReadonlyMap<string, readonly string[]>;

export function calendarHtml(calendar: Calendar, sent: Sent): Html {
  const { span, startMs, days, isCut } = calendar;
  const to = (view: Span, atMs: number) => linkWith('/listings', sent, { view, at: dayText(atMs) });
  const [before, after] =
    span === 'week'
      ? [startMs - 7 * DAY_MS, startMs + 7 * DAY_MS]
      : [monthStartMs(startMs, -1), monthStartMs(startMs, 1)];
  const weeks = Array.from({ length: days.length / 7 }, (_, i) => days.slice(i * 7, i * 7 + 7));
  return html`<section class="calendar" aria-label="Calendar"><h2>${titleOf(calendar)}</h2>
<p class="views"><a href="${to(span, before)}">Earlier</a> <a href="${to(span, calendar.todayMs)}">Today</a> <a href="${to(span, after)}">Later</a> ${
    span === 'month'
      ? html`<a href="${to('week', calendar.todayMs)}">Show a week</a>`
      : html`<a href="${to('month', startMs)}">Show the month</a>`
  } <span class="as-of">Days are UTC days.${isCut ? ' There is more than fits here: use the filters.' : ''}</span></p>
<div class="scroll" tabindex="0" role="region" aria-label="Days"><table>
<thead><tr>${WEEKDAYS.map((day) => html`<th scope="col">${day}</th>`)}</tr></thead><tbody>
${weeks.map((week) => html`<tr>${week.map((day) => dayCell(day, calendar, sent))}</tr>\n`)}</tbody></table></div></section>`;
}

function titleOf({ span, startMs }: Calendar): string {
  const date = new Date(startMs);
  if (span === 'week') return `Week from ${dayText(startMs)}`;
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function dayCell({ startMs, day, rows }: Calendar['days'][number], calendar: Calendar, sent: Sent): Html {
  const { span, todayMs } = calendar;
  const isOther =
    span === 'month' && new Date(startMs).getUTCMonth() !== new Date(calendar.startMs).getUTCMonth();
  const shown = rows.slice(0, MOST_IN_A_DAY[span]);
  const range = () => ({ from: `${day}T00:00:00Z`, to: `${dayText(startMs + DAY_MS)}T00:00:00Z` });
  const more =
    rows.length > shown.length
      ? html`<li><a href="${linkWith('/listings', sent, range())}">${rows.length - shown.length} more</a></li>`
      : null;
  const list =
    rows.length === 0
      ? null
      : html`<ul>${shown.map((row) => html`<li>${entry(row, span)}</li>`)}${more}</ul>`;
  return html`<td${isOther ? html` class="other"` : null}${startMs === todayMs ? html` aria-current="date"` : null}><span class="day">${day.slice(8)}${startMs === todayMs ? ' today' : ''}</span>${list}</td>`;
}

/** Sign and word, so that colour is not needed. */
function entry(row: Row, span: Span): Html {
  const isListing = row.kind === 'listing';
  const at = span === 'week' ? `${String(row.effective_at).slice(11, 16)} ` : '';
  const words = `${row.exchange} ${isListing ? 'lists' : 'delists'} ${row.symbol}${row.status === null ? '' : ` (${row.status})`}`;
  return html`<span class="${isListing ? 'gain' : 'loss'}" title="${words}, ${String(row.effective_at)}">${at}${isListing ? '▲' : '▼'} ${String(row.symbol)}</span> <span class="unit">${String(row.exchange)}${row.status === 'cancelled' ? ', cancelled' : isListing ? '' : ', ends'}</span>`;
}

import type { Row } from '../../layout/visitor.ts';
import { timeOfHour, utc } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkWith } from '../../markup/page-links.ts';
import type { PageContext } from '../page-context.ts';
import { type CalendarDay, type CalendarGrid, midnight, type Span } from './calendar-grid.ts';

/** A row as an entry of a day. */
export interface Entry {
  day: string;
  html: Readonly<Record<Span, Html>>;
}

export interface Calendar {
  grid: CalendarGrid;
  /** Entries by day of UTC; those of the half days before and after are for other zones. */
  entries: ReadonlyMap<string, readonly Entry[]>;
  asOf: string;
  today: string;
  isCut: boolean;
}

const MAX_PER_DAY: Readonly<Record<Span, number>> = { month: 5, week: 40 };
const MONTHS_SHORT = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Has a sign and a word, so that colour is not the only signal. */
export function entryHtml(row: Row, span: Span): Html {
  const isListing = row.kind === 'listing';
  const at = String(row.effective_at);
  const status = row.status === null ? '' : ` (${row.status})`;
  const words = `${row.exchange} ${isListing ? 'lists' : 'delists'} ${row.symbol}${status}`;
  const time = span === 'week' ? html`${timeOfHour(at, false)} ` : null;
  const end = row.status === 'cancelled' ? ', cancelled' : isListing ? '' : ', ends';
  return html`<li data-at="${at}">
    <span class="${isListing ? 'pos' : 'neg'}" title="${words}, ${utc(at)}">
      ${time}
      ${isListing ? '▲' : '▼'} ${String(row.symbol)}
    </span> <span class="unit">${String(row.exchange)}${end}</span>
  </li>`;
}

/**
 * Days and times of UTC, and what the browser needs to arrange them by the days of another zone: for readers who chose
 * theirs, all entries, also those without a place in a cell.
 */
export function calendarHtml(calendar: Calendar, { sent, preferences }: PageContext, aside: Html): Html {
  const { grid, asOf, today, isCut } = calendar;
  const { span, start, from, to: end, before, after } = grid;
  const to = (view: Span, at: string) => linkWith('/listings', sent, { view, at });
  const isForZones = preferences.zone === 'local';
  const dayLink = linkWith('/listings', sent, { from: 'FROM', to: 'TO' });
  const forZones = isForZones
    ? html` data-as-of="${asOf}" data-from="${from}" data-to="${end}" data-most="${MAX_PER_DAY[span]}"
      data-day-link="${dayLink}"`
    : null;
  return html`<section class="card calendar" aria-label="Calendar" id="calendar" data-live${forZones}>
    <header>
      <h2>${grid.title}</h2>
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
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">${WEEKDAYS.map((day) => html`<th scope="col" role="columnheader">${day}</th>`)}</tr>
        </thead>
        <tbody role="rowgroup">
          ${grid.weeks.map(
            (week) => html`<tr role="row">${week.map((day, i) => dayCell(day, i, calendar, sent))}</tr>\n`,
          )}
        </tbody>
      </table>
    </div>
    ${isForZones ? html`<ul class="spare" hidden>${spareEntries(calendar)}</ul>` : null}
  </section>`;
}

/** The entries that no cell shows. */
function spareEntries({ grid, entries }: Calendar): Html[] {
  const { span, from, to } = grid;
  return [...entries].flatMap(([day, found]) => {
    const isShown = midnight(day) >= from && midnight(day) < to;
    return found.slice(isShown ? MAX_PER_DAY[span] : 0).map((entry) => entry.html[span]);
  });
}

function dayCell(
  day: CalendarDay,
  weekday: number,
  { grid, entries, today }: Calendar,
  sent: PageContext['sent'],
): Html {
  const found = entries.get(day.day);
  // Phones list the days with events, from today on where the calendar has today.
  const hasToday = midnight(today) >= grid.from && midnight(today) < grid.to;
  const isPast = hasToday && day.day < today;
  const cell = (list: Html | null) => cellHtml(day, weekday, { isToday: day.day === today, isPast }, list);
  if (!found) return cell(null);
  const shown = found.slice(0, MAX_PER_DAY[grid.span]);
  const range = { from: midnight(day.day), to: day.endsAt };
  const more =
    found.length > shown.length
      ? html`<li><a href="${linkWith('/listings', sent, range)}">${found.length - shown.length} more</a></li>`
      : null;
  return cell(html`<ul>${shown.map((entry) => entry.html[grid.span])}${more}</ul>`);
}

function cellHtml(
  { day, isOther }: CalendarDay,
  weekday: number,
  { isToday, isPast }: { isToday: boolean; isPast: boolean },
  list: Html | null,
): Html {
  const names = [isOther && 'other', isPast && 'past', list === null && !isToday && 'none'].filter(Boolean);
  const look = names.length === 0 ? null : html` class="${names.join(' ')}"`;
  return html`<td role="cell" data-day="${day}"${look}${isToday ? html` aria-current="date"` : null}>
    <span class="wd m">${WEEKDAYS[weekday]} ${MONTHS_SHORT[Number(day.slice(5, 7)) - 1]} </span>
    <span class="day">${day.slice(8)}${isToday ? ' today' : ''}</span>
    ${list}
  </td>`;
}

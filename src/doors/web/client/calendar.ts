/** The calendar and the days of the table in the zone that the reader chose. Without this script both are in UTC. */
import { morph } from './morph.ts';
import { isLocal, zonedTime, zoneOfSpan } from './times.ts';

const root = document.documentElement;
const DAY_NAME = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
});

const dayOf = (iso: string) => zonedTime(new Date(iso)).date;

/** `Tuesday, 17 November 2026`, as the server writes it. */
function heading(day: string): string {
  const parts = new Map(DAY_NAME.formatToParts(new Date(day)).map(({ type, value }) => [type, value]));
  return `${parts.get('weekday')}, ${parts.get('day')} ${parts.get('month')} ${parts.get('year')}`;
}

/** Puts a heading above the rows of each day. */
function showHeadings(within: ParentNode): void {
  const body = within.querySelector<HTMLTableSectionElement>('#results tbody');
  const [sample] = body?.querySelectorAll<HTMLElement>('tr.grp') ?? [];
  if (!body || !sample) return;
  for (const old of body.querySelectorAll('tr.grp')) old.remove();
  const { asOf = '' } = within.querySelector<HTMLElement>('#calendar')?.dataset ?? {};
  let last = '';
  let count = 0;
  for (const row of [...body.rows]) {
    const at = row.cells[0]?.querySelector('time')?.dateTime;
    const isOverToday = at !== undefined && asOf !== '' && at <= asOf && dayOf(at) === dayOf(asOf);
    const day = at === undefined ? 'Not announced yet' : heading(dayOf(at));
    const text = isOverToday ? `${day}, earlier` : day;
    if (text === last) continue;
    last = text;
    const group = sample.cloneNode(true) as HTMLElement;
    group.dataset.key = `${++count} ${text}`;
    group.querySelector('th')?.replaceChildren(text);
    row.before(group);
  }
}

/** The first moment of a day of the calendar. */
function startOf(day: string, daysOn: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return isLocal()
    ? new Date(year, month - 1, date + daysOn)
    : new Date(Date.UTC(year, month - 1, date + daysOn));
}

function moreLink(count: number, day: string, dayLink: string): HTMLLIElement {
  const [from, to] = [startOf(day, 0), startOf(day, 1)].map((at) => at.toISOString().replace('.000', ''));
  const link = document.createElement('a');
  link.href = dayLink
    .replace('FROM', encodeURIComponent(from ?? ''))
    .replace('TO', encodeURIComponent(to ?? ''));
  link.textContent = `${count} more`;
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Puts every entry under its day. Only a calendar that was made for zones has all entries. */
function showCalendar(within: ParentNode): void {
  const calendar = within.querySelector<HTMLElement>('#calendar');
  const spare = calendar?.querySelector('.spare');
  if (!calendar || !spare) return;
  const { asOf = '', from = '', to = '', most, dayLink = '' } = calendar.dataset;
  const entries = [...calendar.querySelectorAll<HTMLElement>('li[data-at]')];
  const at = (entry: HTMLElement) => entry.dataset.at ?? '';
  entries.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0));
  const byDay = Map.groupBy(entries, (entry) => dayOf(at(entry)));
  const today = dayOf(asOf);
  const hasToday = calendar.querySelector(`td[data-day="${today}"]`) !== null;
  spare.replaceChildren(...entries);
  for (const cell of calendar.querySelectorAll<HTMLElement>('td[data-day]')) {
    const { day = '' } = cell.dataset;
    const found = byDay.get(day) ?? [];
    cell.querySelector('ul')?.remove();
    cell.toggleAttribute('aria-current', day === today);
    if (day === today) cell.setAttribute('aria-current', 'date');
    cell.querySelector('.day')?.replaceChildren(`${day.slice(8)}${day === today ? ' today' : ''}`);
    cell.classList.toggle('none', found.length === 0 && day !== today);
    cell.classList.toggle('past', hasToday && day < today);
    if (found.length === 0) continue;
    const list = document.createElement('ul');
    const shown = found.slice(0, Number(most));
    list.append(...shown);
    if (found.length > shown.length) list.append(moreLink(found.length - shown.length, day, dayLink));
    cell.append(list);
  }
  calendar.querySelector('.zone')?.replaceChildren(zoneOfSpan(new Date(from), new Date(to)));
}

function showAll(within: ParentNode): void {
  showHeadings(within);
  showCalendar(within);
}

/** The server sends all entries to readers who chose their own zone, which it knows by now. */
async function fetchAllEntries(): Promise<void> {
  const calendar = document.querySelector('#calendar');
  if (!isLocal() || !calendar || calendar.querySelector('.spare')) return;
  const reply = await fetch(location.href, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  showCalendar(page);
  const next = page.querySelector('#calendar');
  if (next) morph(calendar, next, 'navigation');
  // The stream was opened with the setting before.
  document.dispatchEvent(new CustomEvent('addresschange'));
}

if (isLocal()) showAll(document);
// What the server sends is in UTC; it is arranged before the page takes it over.
document.addEventListener('newcontent', (event) => {
  if (isLocal()) showAll((event as CustomEvent<Document>).detail);
});
root.addEventListener('preference', () => showAll(document));
root.addEventListener('preferencekept', () => void fetchAllEntries().catch(() => undefined));

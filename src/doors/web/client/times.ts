/** Times in UTC or in the reader's zone, always with the zone, and countdowns to the next settlement. */
const root = document.documentElement;
const HOUR_MS = 3_600_000;
const SOON_SECONDS = 600;
/** How long "settling now" stays. */
const SETTLING_SECONDS = 60;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A time as people read it in a zone: `2026-11-16`, `13:18:44`, `UTC`. */
export interface ZonedTime {
  date: string;
  clock: string;
  zone: string;
}

/** Whether the reader has chosen the zone of the browser. */
export const isLocal = (): boolean => root.dataset.zone === 'local';

let zoned: Intl.DateTimeFormat | null = null;

/** The parts of a time in the chosen zone. */
export function zonedTime(at: Date): ZonedTime {
  if (!isLocal()) {
    const iso = at.toISOString();
    return { date: iso.slice(0, 10), clock: iso.slice(11, 19), zone: 'UTC' };
  }
  zoned ??= new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  const parts = new Map(zoned.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    clock: `${part('hour')}:${part('minute')}:${part('second')}`,
    zone: part('timeZoneName'),
  };
}

/** The zone of a span of time: two, such as `CET/CEST`, if clocks are changed within it. */
export function zoneOfSpan(from: Date, to: Date): string {
  const [first, last] = [zonedTime(from).zone, zonedTime(to).zone];
  return first === last ? first : `${first}/${last}`;
}

/** `16 Nov` of a date. */
export function shortDate(date: string): string {
  return `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;
}

/** A clock time with its zone, such as `13:18:44 UTC`. */
export function clockText(at: Date): string {
  const { clock, zone } = zonedTime(at);
  return `${clock} ${zone}`;
}

function textOf(element: HTMLTimeElement, at: Date): string {
  const { date, clock, zone } = zonedTime(at);
  const minute = clock.slice(0, 5);
  if (element.dataset.clock !== undefined) return `${clock} ${zone}`;
  if (element.dataset.minute !== undefined)
    return element.dataset.minute === '' ? minute : `${minute} ${zone}`;
  if (element.dataset.short !== undefined) {
    const isToday = element.dataset.short === 'today' && date === zonedTime(new Date()).date;
    return `${isToday ? 'today' : shortDate(date)} ${minute} ${zone}`;
  }
  return `${date} ${minute} ${zone}`;
}

/** Writes the text of a time; called for new and for changed elements. */
export function showTime(element: HTMLTimeElement): void {
  const at = new Date(element.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const title = `${element.dateTime.replace('T', ' ').replace('Z', '')} UTC`;
  if (element.title !== title) element.title = title;
  if (element.dataset.countdown !== undefined) {
    countDown(element, at.getTime());
    return;
  }
  write(element, textOf(element, at));
}

/** Changes the text node in place: a new node would end a selection across it. */
function write(element: HTMLElement, text: string): void {
  const { firstChild } = element;
  if (element.textContent === text) return;
  if (firstChild instanceof Text && element.childNodes.length === 1) firstChild.data = text;
  else element.textContent = text;
}

/** With delayed data the settlement may be past: then the next one of the same contract counts. */
function upcoming(atMs: number, everyHours: number): number {
  const pastMs = Date.now() - atMs - SETTLING_SECONDS * 1000;
  if (pastMs < 0 || !(everyHours > 0)) return atMs;
  return atMs + Math.ceil(pastMs / (everyHours * HOUR_MS)) * everyHours * HOUR_MS;
}

function countDown(element: HTMLTimeElement, atMs: number): void {
  const seconds = Math.round((upcoming(atMs, Number(element.dataset.every)) - Date.now()) / 1000);
  const text = left(seconds, element);
  if (element.textContent === text) return;
  write(element, text);
  element.classList.toggle('soon', seconds > 0 && seconds < SOON_SECONDS);
  element.classList.toggle('now', text === 'settling now');
}

function left(seconds: number, element: HTMLTimeElement): string {
  const isSettlement = element.dataset.countdown !== 'event';
  if (seconds <= 0) {
    if (!isSettlement) return seconds > -SETTLING_SECONDS ? 'now' : 'past';
    return seconds > -SETTLING_SECONDS ? 'settling now' : 'settled';
  }
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days} d ${hours} h`;
  const two = (value: number) => String(value).padStart(2, '0');
  const rest = `${two(minutes)}:${two(seconds % 60)}`;
  return seconds >= SOON_SECONDS ? `${two(hours)}:${rest}` : rest;
}

function showAll(within: ParentNode): void {
  for (const element of within.querySelectorAll<HTMLTimeElement>('time[datetime]')) showTime(element);
  for (const element of within.querySelectorAll<HTMLElement>('[data-zone-at]')) {
    const [from, to] = [element.dataset.zoneAt ?? '', element.dataset.zoneTo];
    const zone = zoneOfSpan(new Date(from), new Date(to ?? from));
    write(element, zone);
  }
}

showAll(document);
setInterval(() => {
  // All are checked before the first one is written: after a write, each check would lay out the page again.
  const visible = [...document.querySelectorAll<HTMLTimeElement>('time[data-countdown]')].filter((element) =>
    element.checkVisibility(),
  );
  for (const element of visible) showTime(element);
}, 1000);
root.addEventListener('preference', () => showAll(document));
new MutationObserver((changes) => {
  for (const change of changes)
    for (const node of change.addedNodes) if (node instanceof Element) showAll(node.parentNode ?? node);
}).observe(document.body, { childList: true, subtree: true });

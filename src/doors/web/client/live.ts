/** Follows the stream of the page, and shows its state and the age of the data in the badge. */
import { dropWaiting, update } from './live-content.ts';
import { leavePlace, takePlace } from './stream-places.ts';
import { clockText } from './times.ts';

const badge = document.querySelector<HTMLElement>('#live');
const FIRST_RETRY_MS = 8_000;
const LONGEST_RETRY_MS = 60_000;
/** How often a page without a stream of its own requests new data. */
const POLL_MS = 15_000;

type State = 'live' | 'paused' | 'lost';

let state: State = 'live';
let source: EventSource | null = null;
let asOf = badge?.dataset.asOf ?? '';
let retryMs = FIRST_RETRY_MS;
let retryAtMs = 0;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let isPolling = false;
let newestOpen = 0;

const delayMin = Number(badge?.dataset.delayMin ?? 0);
const lateAfterSeconds = Number(badge?.dataset.lateS ?? Number.POSITIVE_INFINITY);

/** The page's own address below /live, as the address bar has it now. */
function streamAddress(): string {
  const { pathname, searchParams } = new URL(location.href);
  searchParams.set('since', asOf);
  return `/live${pathname === '/' ? '' : pathname}?${searchParams}`;
}

const isFollowing = () => badge !== null && !document.hidden && state !== 'paused';

/** Follows the stream, or polls if other pages of this browser have all the streams that it can hold. */
async function open(): Promise<void> {
  const turn = ++newestOpen;
  close();
  const hasPlace = isFollowing() && (await takePlace());
  if (!isFollowing()) leavePlace();
  else if (turn === newestOpen) {
    isPolling = !hasPlace;
    if (hasPlace) follow();
    else wait();
  }
}

function close(): void {
  clearTimeout(retryTimer);
  source?.close();
}

function wait(): void {
  const isLost = state === 'lost';
  if (!isLost) setState('live');
  retryTimer = setTimeout(() => poll().then(onPolled, onLost), isLost ? 0 : POLL_MS);
}

function onPolled(): void {
  retryMs = FIRST_RETRY_MS;
  if (isFollowing()) setState('live');
  void open();
}

async function poll(): Promise<void> {
  const turn = newestOpen;
  const reply = await fetch(location.href, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const at = page.getElementById('live')?.dataset.asOf;
  if (!reply.ok || at === undefined) throw new Error(`status ${reply.status}`);
  // The reader may have paused or left meanwhile, or the page may show another address.
  if (!isFollowing() || turn !== newestOpen) return;
  asOf = at;
  update(page);
}

/** The browser would try again at once and for ever; we wait longer each time and say so. */
function onLost(): void {
  close();
  if (!isFollowing()) return;
  retryAtMs = Date.now() + retryMs;
  retryTimer = setTimeout(open, retryMs);
  retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
  setState('lost');
}

/** The streams of the plan are open, on pages of this browser or of another one: this page polls instead. */
function onRefused(): void {
  close();
  leavePlace();
  if (!isFollowing()) return;
  isPolling = true;
  wait();
}

function follow(): void {
  const opened = new EventSource(streamAddress());
  let hasOpened = false;
  source = opened;
  source.addEventListener('open', () => {
    hasOpened = true;
    retryMs = FIRST_RETRY_MS;
    setState('live');
  });
  source.addEventListener('snapshot', (event) => {
    const { as_of: at, html } = JSON.parse((event as MessageEvent<string>).data) as {
      as_of: string;
      html: string;
    };
    asOf = at;
    update(new DOMParser().parseFromString(html, 'text/html'));
    showAge();
  });
  source.addEventListener('end', () => {
    source?.close();
    retryTimer = setTimeout(open, 1000 + Math.random() * 3000);
  });
  source.addEventListener('error', () => {
    // After an answer other than 200 the browser gives up; without an answer it would try again.
    if (!hasOpened && opened.readyState === EventSource.CLOSED) onRefused();
    else onLost();
  });
}

function setState(next: State): void {
  state = next;
  showState();
  showAction();
  showAge();
}

/** Data that is older than three of its cycles is late, whatever the connection does. */
function lateMinutes(): number | null {
  const seconds = ageSeconds();
  return state === 'live' && seconds > lateAfterSeconds ? Math.max(1, Math.round(seconds / 60)) : null;
}

function wordsOf(late: number | null): string {
  if (state === 'paused') return 'Paused';
  if (state === 'lost') return 'Connection lost';
  if (late !== null) return `Late, ${late} min`;
  return delayMin > 0 ? `Delayed ${delayMin} min` : 'Live';
}

function showState(): void {
  const late = lateMinutes();
  const words = wordsOf(late);
  const place = badge?.querySelector('.state');
  if (!place || place.textContent === words) return;
  const isAmber = state === 'paused' || late !== null || delayMin > 0;
  const mark = document.createElement('span');
  mark.className = `dot${state === 'lost' ? ' n' : isAmber ? ' w' : ''}`;
  mark.setAttribute('aria-hidden', 'true');
  const name = document.createElement('b');
  name.textContent = words;
  if (late !== null || delayMin > 0) name.className = 'delayed';
  place.replaceChildren(mark, name);
  // Announced when it changes, not with every minute.
  const status = badge?.querySelector('[role=status]');
  const said = words.replace(/, .*/, '');
  if (status && status.textContent !== said) status.textContent = said;
}

const ACTIONS = { live: 'Pause', paused: 'Resume', lost: 'Try now' } as const;

function showAction(): void {
  const place = badge?.querySelector('.act');
  if (!place) return;
  let button = place.querySelector('button');
  // Delayed readers have the link to live data, and nothing to pause.
  if (delayMin > 0 && state === 'live') {
    button?.remove();
    return;
  }
  if (!button) {
    button = document.createElement('button');
    button.type = 'button';
    button.className = 'lk';
    button.addEventListener('click', act);
    if (delayMin === 0) place.replaceChildren(button);
    else place.append(button);
  }
  button.textContent = ACTIONS[state];
}

function act(): void {
  if (state === 'live') {
    close();
    setState('paused');
    leavePlace();
  } else {
    state = 'live';
    void open();
  }
}

function ageSeconds(): number {
  return Math.max(0, Math.round((Date.now() - Date.parse(asOf)) / 1000));
}

function showAge(): void {
  const place = badge?.querySelector('.age');
  if (!place || asOf === '') return;
  showState();
  const text = ageText(new Date(asOf));
  const { firstChild } = place;
  // A new node every second would end a selection across it.
  if (firstChild instanceof Text) firstChild.data = text;
  else if (place.textContent !== text) place.textContent = text;
  const title = `Data of ${asOf.replace('T', ' ').replace('Z', '')} UTC`;
  place.setAttribute('title', isPolling ? `${title}. ${POLLING}` : title);
}

const POLLING =
  'Other open pages hold all the streams of your plan, or all connections of this browser, so this one updates every 15 seconds';

function ageText(at: Date): string {
  if (state === 'paused') return `at ${clockText(at)}`;
  if (state === 'lost') {
    const seconds = Math.max(0, Math.ceil((retryAtMs - Date.now()) / 1000));
    return `showing ${clockText(at)}, trying again in ${seconds} s`;
  }
  const every = isPolling ? ', every 15 s' : '';
  if (delayMin > 0) return `as of ${clockText(at)}${every}`;
  const seconds = ageSeconds();
  return `updated ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} ago${every}`;
}

if (badge) {
  // The page's new content must not bring the badge of a page without scripts.
  badge.dataset.own = '';
  void open();
  setInterval(showAge, 1000);
  document.documentElement.addEventListener('preference', showAge);
  document.addEventListener('visibilitychange', open);
  addEventListener('pagehide', () => {
    close();
    leavePlace();
  });
  document.addEventListener('newcontent', (event) => {
    asOf = (event as CustomEvent<Document>).detail.getElementById('live')?.dataset.asOf ?? asOf;
  });
  // The stream of another address, or of other settings of the reader, has other content.
  document.addEventListener('addresschange', () => {
    dropWaiting();
    if (state !== 'paused') void open();
  });
}

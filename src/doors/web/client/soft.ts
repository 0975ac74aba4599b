/**
 * Links and forms that change what the page shows, without leaving it: the server's new content replaces the old, and the
 * address follows. They are links with `data-soft`, all links within an element with it, and GET forms with it.
 */
import { keepPreference } from './layout.ts';
import { morph } from './morph.ts';

const TYPING_MS = 300;
/** What is brought up to date; parts within another come with it. */
const PART = '[data-live][id], [data-part][id]';
let newest = 0;

/** Shows the page at the address. `isPushed`: as a new entry of the history. */
async function show(address: string, isPushed: boolean): Promise<void> {
  const request = ++newest;
  const reply = await fetch(address, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  // A late response to an earlier request must not overwrite a newer one.
  if (request !== newest) return;
  const parts = [...page.querySelectorAll(PART)].filter((part) => !part.parentElement?.closest(PART));
  const isKnown = (part: Element) => document.getElementById(part.id) !== null;
  if (parts.length === 0 || !parts.every(isKnown)) {
    location.assign(address);
    return;
  }
  const to = new URL(reply.url);
  // The server may have redirected to a cleaner address.
  if (isPushed) history.pushState(null, '', to.pathname + to.search);
  document.title = page.title;
  document.dispatchEvent(new CustomEvent('newcontent', { detail: page }));
  for (const part of parts) {
    const old = document.getElementById(part.id);
    if (old) morph(old, part, false);
  }
  document.dispatchEvent(new CustomEvent('liveupdate'));
  document.dispatchEvent(new CustomEvent('addresschange'));
}

function go(address: string): void {
  show(address, true).catch(() => location.assign(address));
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.closest('[data-soft]') || link.origin !== location.origin || link.hasAttribute('download'))
    return;
  event.preventDefault();
  // Alt with a click on a chip shows its series alone.
  const solo = event.altKey ? link.parentElement?.querySelector<HTMLAnchorElement>('a.solo') : null;
  // A setting that other pages start with.
  const [name = '', value = ''] = link.dataset.keep?.split('=') ?? [];
  if (value !== '') void keepPreference(name, value).catch(() => undefined);
  go((solo ?? link).href);
});

function addressOf(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim());
  const text = query.toString().replaceAll('%2C', ',');
  const path = new URL(form.action).pathname;
  return text === '' ? path : `${path}?${text}`;
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-soft]')) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = () => {
    clearTimeout(timer);
    go(addressOf(form));
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  form.addEventListener('input', (event) => {
    const isTyped = event.target instanceof HTMLInputElement && !/radio|checkbox/.test(event.target.type);
    clearTimeout(timer);
    timer = setTimeout(send, isTyped ? TYPING_MS : 0);
  });
}

addEventListener('popstate', () => {
  show(location.href, false).catch(() => location.reload());
});

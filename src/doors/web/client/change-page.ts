/** Shows another address of the same page without a reload: the server's new content replaces the old. */
import { keepScroll, restoreScroll } from './layout.ts';
import { morph } from './morph.ts';

/** What the page consists of; the footer names the address of the page. */
const PARTS = ['svg.defs', 'main', 'footer.foot'];

/** A new entry of the history, or the same one. */
type Entry = 'push' | 'replace';

let newest = 0;
let shown = addressOf(location);

function addressOf({ pathname, search }: Location | URL): string {
  return pathname + search;
}

/** Shows the address, or loads it where the content cannot be taken over. */
export function showAddress(address: string, entry: Entry): void {
  change(address, entry).catch(() => load(address, entry));
}

/** Requests the content of this address again, with what the reader has set. */
export function showAgain(): void {
  showAddress(location.href, 'replace');
}

function load(address: string, entry: Entry): void {
  if (entry === 'push') location.assign(address);
  else location.replace(address);
}

async function change(address: string, entry: Entry): Promise<void> {
  const request = ++newest;
  const main = document.querySelector('main');
  main?.setAttribute('aria-busy', 'true');
  const reply = await fetch(address, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  // A late response to an earlier request must not overwrite a newer one.
  if (request !== newest) return;
  if (!isSameKind(page)) {
    load(address, entry);
    return;
  }
  const to = addressOf(new URL(reply.url));
  if (entry === 'push') {
    keepScroll();
    history.pushState(null, '', to);
  } else history.replaceState(null, '', to);
  const isOtherPage = pageIn(to) !== pageIn(shown);
  shown = to;
  takeOver(page);
  if (isOtherPage && entry === 'push') document.getElementById('results')?.scrollTo({ top: 0 });
}

const pageIn = (address: string) => new URLSearchParams(address.split('?')[1]).get('page');

/** A page with other scripts, or with a badge where there was none, has to be loaded. */
function isSameKind(page: Document): boolean {
  const has = (place: Document, selector: string) => place.querySelector(selector) !== null;
  const scripts = [...page.querySelectorAll<HTMLScriptElement>('script[src]')];
  return (
    has(page, 'main') &&
    has(page, '#live') === has(document, '#live') &&
    scripts.every((one) => has(document, `script[src="${CSS.escape(one.getAttribute('src') ?? '')}"]`))
  );
}

function takeOver(page: Document): void {
  document.title = page.title;
  document.dispatchEvent(new CustomEvent('newcontent', { detail: page }));
  const focused = document.activeElement;
  const [label, typed] = [labelOf(focused), focused instanceof HTMLInputElement ? focused.value : null];
  for (const part of PARTS) {
    const [old, next] = [document.querySelector(part), page.querySelector(part)];
    if (old && next) morph(old, next, 'navigation');
  }
  // What the reader chose last is no longer what the address says. A text is left to who is typing it.
  for (const form of document.querySelectorAll<HTMLFormElement>('main form[method=get]')) form.reset();
  if (focused instanceof HTMLInputElement && typed !== null && !/radio|checkbox/.test(focused.type))
    focused.value = typed;
  keepFocus(focused, label);
  document.dispatchEvent(new CustomEvent('liveupdate'));
  document.dispatchEvent(new CustomEvent('addresschange'));
}

function labelOf(element: Element | null): string {
  const text = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  return text.replaceAll(/[↑↓]|\s+/g, ' ').trim();
}

/** The focus stays on what has the same label, or goes to the results. */
function keepFocus(focused: Element | null, label: string): void {
  if (!(focused instanceof HTMLElement) || focused === document.body) return;
  if (focused.isConnected && labelOf(focused) === label) {
    focused.focus({ preventScroll: true });
    return;
  }
  const alike = [...document.querySelectorAll<HTMLElement>(`main ${focused.localName}`)].find(
    (one) => labelOf(one) === label,
  );
  (alike ?? document.getElementById('results'))?.focus({ preventScroll: true });
}

addEventListener('popstate', () => {
  // A link within the page changes only the hash.
  if (addressOf(location) === shown) return;
  change(location.href, 'replace').then(restoreScroll, () => location.reload());
});

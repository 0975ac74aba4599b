/** Instant search: the list and the address follow what is typed. */
import { morph } from './morph.ts';

const field = document.querySelector<HTMLInputElement>('#f-q');
const PARTS = ['results', 'pager', 'count'];
/** What names the same rows elsewhere: the file, the alert and the request as code. */
const OTHERS = '.chipsbar a[download], .chipsbar a[rel=nofollow], .copyas pre code';
let lastRequest = 0;

async function search(text: string): Promise<void> {
  const request = ++lastRequest;
  const url = new URL(location.href);
  for (const name of ['cursor', 'page']) url.searchParams.delete(name);
  if (text === '') url.searchParams.delete('q');
  else url.searchParams.set('q', text);
  const reply = await fetch(url);
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  // A late response to an earlier request must not overwrite a newer one.
  if (request !== lastRequest) return;
  for (const id of PARTS) {
    const [old, next] = [document.getElementById(id), page.getElementById(id)];
    if (old && next) morph(old, next, false);
  }
  const others = [...page.querySelectorAll(OTHERS)];
  for (const [i, old] of document.querySelectorAll(OTHERS).entries()) {
    const next = others[i];
    if (old instanceof HTMLAnchorElement) old.href = next?.getAttribute('href') ?? old.href;
    else if (next)
      old.replaceChildren(...[...next.childNodes].map((node) => document.importNode(node, true)));
  }
  history.replaceState(null, '', url);
  // The stream of the page was opened for the list of before.
  document.dispatchEvent(new CustomEvent('addresschange'));
}

field?.addEventListener('input', () => void search(field.value.trim()).catch(() => undefined));

/** Instant search: the list follows what is typed, and the address with it. */
const field = document.querySelector<HTMLInputElement>('#f-q');
let asked = 0;

async function search(text: string): Promise<void> {
  const mine = ++asked;
  const url = new URL(location.href);
  url.searchParams.delete('cursor');
  if (text === '') url.searchParams.delete('q');
  else url.searchParams.set('q', text);
  const reply = await fetch(url);
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const [old, next] = [document.getElementById('results'), page.getElementById('results')];
  // A slower, older answer must not overwrite a newer one.
  if (mine !== asked || !old || !next) return;
  old.replaceWith(document.importNode(next, true));
  history.replaceState(null, '', url);
}

field?.addEventListener('input', () => void search(field.value.trim()).catch(() => undefined));

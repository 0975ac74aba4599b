/** Instant search: updates the list and the URL while the user types. */
const field = document.querySelector<HTMLInputElement>('#f-q');
let lastRequest = 0;

async function search(text: string): Promise<void> {
  const request = ++lastRequest;
  const url = new URL(location.href);
  url.searchParams.delete('cursor');
  if (text === '') url.searchParams.delete('q');
  else url.searchParams.set('q', text);
  const reply = await fetch(url);
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const [old, next] = [document.getElementById('results'), page.getElementById('results')];
  // A late response to an earlier request must not overwrite a newer one.
  if (request !== lastRequest || !old || !next) return;
  old.replaceWith(document.importNode(next, true));
  history.replaceState(null, '', url);
}

field?.addEventListener('input', () => void search(field.value.trim()).catch(() => undefined));

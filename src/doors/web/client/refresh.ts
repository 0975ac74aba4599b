/** Brings the results of the same address in again every few seconds, while somebody looks. */
const EVERY_MS = 15_000;

async function refresh(): Promise<void> {
  if (document.hidden) return;
  const reply = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!reply.ok) return;
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html');
  for (const id of ['results', 'as-of']) {
    const [old, next] = [document.getElementById(id), fresh.getElementById(id)];
    // Nothing is taken from under somebody who is in it by keyboard.
    if (!old || !next || old.contains(document.activeElement)) continue;
    const scrolledTo = old.querySelector('.scroll')?.scrollLeft ?? 0;
    old.replaceWith(document.importNode(next, true));
    document.getElementById(id)?.querySelector('.scroll')?.scrollTo({ left: scrolledTo });
  }
}

setInterval(() => void refresh().catch(() => undefined), EVERY_MS);

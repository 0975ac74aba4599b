/** Reloads the results of the page every few seconds while it is visible. */
const EVERY_MS = 15_000;

async function refresh(): Promise<void> {
  if (document.hidden) return;
  const reply = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!reply.ok) return;
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html');
  for (const id of ['results', 'as-of']) {
    const [old, next] = [document.getElementById(id), fresh.getElementById(id)];
    // Do not replace an element that has the keyboard focus.
    if (!old || !next || old.contains(document.activeElement)) continue;
    const scrolledTo = old.querySelector('.scroll')?.scrollLeft ?? 0;
    old.replaceWith(document.importNode(next, true));
    document.getElementById(id)?.querySelector('.scroll')?.scrollTo({ left: scrolledTo });
  }
}

setInterval(() => void refresh().catch(() => undefined), EVERY_MS);

/** New content of the page. Rows do not move under the reader: a button sorts them again. */
import { morph } from './morph.ts';

/** The newest content, while the order is frozen. */
let waiting: Document | null = null;

export function update(page: Document): void {
  announce(page);
  let isReordered = false;
  for (const next of page.querySelectorAll('[data-live]')) {
    const old = next.id === '' ? null : document.getElementById(next.id);
    if (old) isReordered = morph(old, next, isHeld(old) ? 'frozen' : 'live') || isReordered;
  }
  waiting = isReordered ? page : null;
  pill.hidden = waiting === null;
  document.dispatchEvent(new CustomEvent('liveupdate'));
}

/** Other scripts bring new content into the form that this page shows. */
function announce(page: Document): void {
  document.dispatchEvent(new CustomEvent('newcontent', { detail: page }));
}

/** Rows do not move under the reader: while the pointer or the focus is in the table, its order stays. */
function isHeld(region: Element): boolean {
  return region.matches(':hover') || region.contains(document.activeElement);
}

const pill = document.createElement('button');
pill.type = 'button';
pill.className = 'resort btn';
pill.textContent = 'Order changed · Re-sort';
pill.hidden = true;
pill.addEventListener('click', resort);
// Between table and pill the pointer is over neither for a moment; the pill must not vanish under it.
pill.addEventListener('pointerleave', resortUnlessHeld);
document.querySelector('main')?.after(pill);

function resort(): void {
  const page = waiting;
  waiting = null;
  pill.hidden = true;
  if (!page) return;
  announce(page);
  for (const next of page.querySelectorAll('[data-live]')) {
    const old = document.getElementById(next.id);
    if (old) morph(old, next, 'live');
  }
}

function resortUnlessHeld(event: Event): void {
  const to = event instanceof PointerEvent ? event.relatedTarget : null;
  if (to === pill) return;
  const regions = [...document.querySelectorAll('[data-live]')];
  const isStillHeld = regions.some(
    (region) => region.contains(document.activeElement) || (to instanceof Node && region.contains(to)),
  );
  if (!isStillHeld) resort();
}

// Captured, because the event does not bubble.
document.addEventListener(
  'pointerleave',
  (event) => {
    if (waiting && event.target instanceof Element && event.target.matches('[data-live]'))
      resortUnlessHeld(event);
  },
  true,
);

/** Forgets an order that waits: the page has another address now. */
export function dropWaiting(): void {
  waiting = null;
  pill.hidden = true;
}

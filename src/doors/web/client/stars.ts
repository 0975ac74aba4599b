import { showAgain } from './change-page.ts';

/** Stars without a reload: the button changes at once, and the server stores it. */
async function keep(button: HTMLButtonElement): Promise<void> {
  const { name, value: coin } = button;
  const isOn = name === 'add';
  show(coin, isOn);
  const body = new URLSearchParams({ [name]: coin, back: '/' });
  const reply = await fetch('/stars', { method: 'POST', body, redirect: 'manual' });
  // A redirect, which is not followed, has no status here.
  if (reply.type !== 'opaqueredirect' && !reply.ok) throw new Error(`status ${reply.status}`);
  // Starred coins come first in some lists.
  showAgain();
}

/** All stars of the coin on this page. */
function show(coin: string, isOn: boolean): void {
  for (const star of document.querySelectorAll<HTMLButtonElement>('button.star')) {
    if (star.value !== coin) continue;
    star.name = isOn ? 'remove' : 'add';
    star.setAttribute('aria-pressed', String(isOn));
  }
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button.star') : null;
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const wasOn = button.name === 'remove';
  keep(button).catch(() => show(button.value, wasOn));
});

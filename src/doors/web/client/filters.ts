/** The drawer of further filters closes with its button, with Escape and with a press elsewhere. */
const openDrawers = () => document.querySelectorAll<HTMLDetailsElement>('details.more[open]');

function close(drawer: HTMLDetailsElement): void {
  drawer.open = false;
  drawer.querySelector('summary')?.focus();
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-close]') : null;
  const drawer = button?.closest<HTMLDetailsElement>('details.more');
  if (drawer) close(drawer);
});
document.addEventListener('keydown', (event) => {
  const drawer = event.target instanceof Element ? event.target.closest('details.more[open]') : null;
  if (event.key === 'Escape' && drawer instanceof HTMLDetailsElement) close(drawer);
});
document.addEventListener('pointerdown', (event) => {
  for (const drawer of openDrawers())
    if (event.target instanceof Node && !drawer.contains(event.target)) drawer.open = false;
});

/**
 * Rows that open in place, pressed anywhere. Without this script the link of a row loads the page with the row open. What is
 * opened names in `data-of` the row that it stands below.
 */
function rowWith(key: string, within: ParentNode): HTMLElement | undefined {
  return [...within.querySelectorAll<HTMLElement>('tr[data-key]')].find((row) => row.dataset.key === key);
}

/** Takes over what the server says about the row and its link. */
function sync(row: HTMLElement, next: HTMLElement | undefined): void {
  const [link, wanted] = [row.querySelector('a.ex'), next?.querySelector('a.ex')];
  row.classList.toggle('open', next?.classList.contains('open') ?? false);
  if (!link) return;
  link.setAttribute('aria-expanded', wanted?.getAttribute('aria-expanded') ?? 'false');
  const href = wanted?.getAttribute('href');
  if (href) link.setAttribute('href', href);
}

let request = 0;

async function toggle(row: HTMLElement, address: string): Promise<void> {
  const number = ++request;
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  // Another row was pressed meanwhile.
  if (number !== request) return;
  const key = row.dataset.of ?? row.dataset.key ?? '';
  const top = rowWith(key, document) ?? row;
  for (const open of document.querySelectorAll('tr[data-of]')) open.remove();
  for (const one of document.querySelectorAll<HTMLElement>('tr[data-key]'))
    if (one.querySelector('a.ex')) sync(one, rowWith(one.dataset.key ?? '', page));
  const opened = [...page.querySelectorAll<HTMLElement>('tr[data-of]')].filter(
    (one) => one.dataset.of === key,
  );
  top.after(...opened.map((one) => document.importNode(one, true)));
  history.replaceState(null, '', address);
  document.dispatchEvent(new CustomEvent('addresschange'));
}

document.addEventListener('click', (event) => {
  const { target } = event;
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-key]') : null;
  const link = row?.querySelector<HTMLAnchorElement>('a.ex');
  if (!link || !row || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const pressed = (target as Element).closest('a, button, input, select, label, summary');
  // Other links of the row lead elsewhere, and a selected text is not a press.
  if (pressed !== link && (pressed || getSelection()?.isCollapsed === false)) return;
  event.preventDefault();
  const address = link.href;
  toggle(row, address).catch(() => location.assign(address));
});

// A link with the role of a button is pressed with the space bar too.
document.addEventListener('keydown', (event) => {
  if (event.key !== ' ' || !(event.target instanceof HTMLElement) || !event.target.matches('a.ex')) return;
  event.preventDefault();
  event.target.click();
});

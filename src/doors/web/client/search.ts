/** Suggestions of the site's search: coins first, then venues, then documents. */
interface Found {
  kind: 'coin' | 'venue' | 'doc';
  name: string;
  path: string;
  note: string;
  aprPct: number | null;
}

const DELAY_MS = 80;

function suggestionsOf(field: HTMLInputElement): void {
  const form = field.form;
  if (!form) return;
  const list = document.createElement('ul');
  list.className = 'suggest';
  list.id = `${field.id}-list`;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  form.append(list);
  field.setAttribute('role', 'combobox');
  field.setAttribute('aria-expanded', 'false');
  field.setAttribute('aria-controls', list.id);
  field.setAttribute('aria-autocomplete', 'list');
  let chosen = -1;
  let request = 0;
  /** The text that the shown suggestions are for. */
  let shownFor = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const choose = (place: number) => {
    const options = [...list.children];
    chosen = options.length === 0 ? -1 : (place + options.length) % options.length;
    for (const [i, option] of options.entries()) option.setAttribute('aria-selected', String(i === chosen));
    const id = options[chosen]?.id;
    if (id) field.setAttribute('aria-activedescendant', id);
    else field.removeAttribute('aria-activedescendant');
    options[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  const text = () => field.value.trim();
  // Who types fast must not open a suggestion for an earlier text.
  const isCurrent = () => !list.hidden && shownFor === text();
  const close = () => {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
    chosen = -1;
  };
  const show = (found: readonly Found[]) => {
    list.replaceChildren(
      ...found.map((one, i) => option(one, `${field.id}-${i}`, found[i - 1]?.kind !== one.kind)),
    );
    list.hidden = found.length === 0;
    field.setAttribute('aria-expanded', String(found.length > 0));
    chosen = -1;
    field.removeAttribute('aria-activedescendant');
  };
  const search = async () => {
    const own = ++request;
    const q = text();
    const reply = await fetch(`/search.json?${new URLSearchParams({ q })}`);
    if (!reply.ok) return;
    const { found } = (await reply.json()) as { found: Found[] };
    // A late reply to an earlier text must not replace a newer one.
    if (own !== request || document.activeElement !== field) return;
    shownFor = q;
    show(found);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void search().catch(close), DELAY_MS);
  };

  field.addEventListener('input', later);
  field.addEventListener('focus', later);
  field.addEventListener('blur', () => setTimeout(close, 150));
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown' && isCurrent()) choose(chosen + 1);
    else if (event.key === 'ArrowUp' && isCurrent()) choose(chosen < 0 ? -1 : chosen - 1);
    else if (event.key === 'Enter' && chosen >= 0 && isCurrent()) {
      const path = (list.children[chosen] as HTMLElement | undefined)?.dataset.path;
      if (path) location.assign(path);
    } else return;
    if (event.key !== 'Escape') event.preventDefault();
  });
}

/** Written once, at the first of a kind. */
const KINDS = { coin: 'Coins', venue: 'Venues', doc: 'Docs' } as const;

function option({ kind, name, path, note, aprPct }: Found, id: string, isFirst: boolean): HTMLElement {
  const item = document.createElement('li');
  item.id = id;
  item.dataset.path = path;
  item.setAttribute('role', 'option');
  item.setAttribute('aria-selected', 'false');
  const part = (tag: string, text: string, className = '') => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (className) element.className = className;
    item.append(element);
  };
  part('span', isFirst ? KINDS[kind] : '', 'kind');
  part('b', name);
  part('small', note);
  if (aprPct !== null)
    part(
      'span',
      `${aprPct > 0 ? '+' : aprPct < 0 ? '−' : ''}${Math.abs(aprPct).toFixed(1)} % APR`,
      aprPct < 0 ? 'num neg' : 'num pos',
    );
  item.addEventListener('mousedown', (event) => {
    event.preventDefault();
    location.assign(path);
  });
  return item;
}

for (const field of document.querySelectorAll<HTMLInputElement>('#q, #hq, #sq')) suggestionsOf(field);

/** Samples in several languages as tabs. The chosen language is remembered for all blocks. */
const KEY = 'language';

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // A browser that stores nothing shows the first language.
  }
}

/** Every block follows the language that is chosen in one of them. */
const blocks: ((name: string | null) => void)[] = [];

function tabsOf(block: HTMLElement, number: number): void {
  const panels = [...block.querySelectorAll<HTMLElement>('[data-tab]')];
  if (panels.length < 2) return;
  const head = block.querySelector('.code-h');
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', block.dataset.tabs ?? '');
  const tabs = panels.map((panel, i) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.setAttribute('role', 'tab');
    tab.id = `tab-${number}-${i}`;
    tab.textContent = panel.dataset.tab ?? '';
    panel.id = `panel-${number}-${i}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    panel.querySelector('h3')?.remove();
    tab.addEventListener('click', () => {
      const name = tab.textContent ?? '';
      remember(name);
      for (const select of blocks) select(name);
      choose(i);
    });
    list.append(tab);
    return tab;
  });
  const choose = (chosen: number) => {
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
      const panel = panels[i];
      if (panel) panel.hidden = i !== chosen;
    }
  };
  list.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
    const next = tabs[(at + step + tabs.length) % tabs.length];
    next?.click();
    next?.focus();
  });
  head?.prepend(list);
  const chooseNamed = (name: string | null) => {
    const named = panels.findIndex((panel) => panel.dataset.tab === name);
    if (named >= 0) choose(named);
  };
  choose(0);
  chooseNamed(remembered());
  blocks.push(chooseNamed);
  block.dataset.ready = '';
  block.dataset.own = '';
}

for (const [number, block] of [...document.querySelectorAll<HTMLElement>('[data-tabs]')].entries())
  tabsOf(block, number);

/** Another address of the page has other code in the same languages. */
document.addEventListener('newcontent', (event) => {
  const page = (event as CustomEvent<Document>).detail;
  const next = [...page.querySelectorAll('[data-tabs] [data-tab] code')];
  const shown = document.querySelectorAll('[data-tabs] [data-tab] code');
  if (next.length !== shown.length) return;
  for (const [i, code] of shown.entries())
    if (code.textContent !== next[i]?.textContent)
      code.replaceChildren(
        ...[...(next[i]?.childNodes ?? [])].map((node) => document.importNode(node, true)),
      );
});

/** The layout of every page: settings without a reload, and the key that focuses the search. */
const root = document.documentElement;

const THEMES = ['system', 'light', 'dark'];
const THEME_WORDS: Record<string, string> = { system: 'follow the system', light: 'light', dark: 'dark' };
const THEME_ICONS: Record<string, string> = { system: 'half', light: 'sun', dark: 'moon' };
const ICON_PATHS: Record<string, string> = {
  half: '<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5v11M8 4.500h2.500M8 7h5M8 9.500h5M8 12h2.500"/>',
  sun: '<circle cx="8" cy="8" r="2.75"/><path d="M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.85.85M11.75 11.75l.85.85M3.4 12.6l.85-.85M11.75 4.25l.85-.85"/>',
  moon: '<path d="M13 9.6A5.5 5.5 0 1 1 6.4 3a4.4 4.4 0 0 0 6.6 6.600z"/>',
};

/** Sends a setting to the server, which keeps it in a cookie, so that the next page starts with it. */
export async function keepPreference(name: string, value: string): Promise<void> {
  const body = new URLSearchParams({ [name]: value, back: '/' });
  await fetch('/preferences', { method: 'POST', body, redirect: 'manual' });
}

function apply(name: string, value: string): void {
  if (name === 'theme') {
    if (value === 'system') delete root.dataset.theme;
    else root.dataset.theme = value;
    showTheme(value);
  } else if (name === 'palette') {
    if (value === 'teal') delete root.dataset.palette;
    else root.dataset.palette = value;
  } else root.dataset[name] = value;
  for (const button of document.querySelectorAll<HTMLButtonElement>(`.prefs button[name="${name}"]`))
    button.setAttribute('aria-pressed', String(button.value === value));
  root.dispatchEvent(new CustomEvent('preference', { detail: { name, value } }));
}

function showTheme(theme: string): void {
  const button = document.querySelector<HTMLButtonElement>('.theme button');
  if (!button) return;
  const words = `Theme: ${THEME_WORDS[theme] ?? theme}`;
  button.value = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  button.title = words;
  button.setAttribute('aria-label', words);
  const drawing = button.querySelector('svg');
  // Fixed markup from this file; the page has only the symbol of the theme it was rendered with.
  if (drawing) {
    drawing.setAttribute('viewBox', '0 0 16 16');
    drawing.innerHTML = ICON_PATHS[THEME_ICONS[theme] ?? 'half'] ?? '';
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('.theme, .prefs')) {
  form.addEventListener('submit', (event) => {
    const button = event.submitter;
    if (!(button instanceof HTMLButtonElement) || button.name === '') return;
    event.preventDefault();
    const { name, value } = button;
    apply(name, value);
    void keepPreference(name, value)
      .then(() => root.dispatchEvent(new CustomEvent('preferencekept')))
      .catch(() => undefined);
  });
}

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || root.dataset.slash === 'off')
    return;
  const at = event.target;
  if (at instanceof HTMLElement && (at.isContentEditable || at.matches('input, select, textarea'))) return;
  const fields = document.querySelectorAll<HTMLInputElement>('#q, #hq, #sq');
  const field = [...fields].find((one) => one.checkVisibility());
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
});

/** Tables that scroll inside the page. The browser restores the page's own place only. */
const scrolling = () => document.querySelectorAll<HTMLElement>('[role=region][id]');
const scrollKey = () => `scroll ${location.href}`;

/** Stores where the tables of this address are scrolled to. */
export function keepScroll(): void {
  const places = [...scrolling()]
    .filter((one) => one.scrollTop > 0 || one.scrollLeft > 0)
    .map(({ id, scrollLeft, scrollTop }) => [id, scrollLeft, scrollTop]);
  try {
    if (places.length > 0) sessionStorage.setItem(scrollKey(), JSON.stringify(places));
    else sessionStorage.removeItem(scrollKey());
  } catch {
    // A browser that stores nothing starts at the top.
  }
}

export function restoreScroll(): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(scrollKey()) ?? '[]') as [string, number, number][];
    for (const [id, left, top] of kept) document.getElementById(id)?.scrollTo({ left, top });
  } catch {
    // As above.
  }
}

addEventListener('pagehide', keepScroll);
const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (arrival?.type === 'back_forward' || arrival?.type === 'reload') restoreScroll();

/** The account menu closes with Escape and with a press elsewhere. */
const menu = document.querySelector<HTMLDetailsElement>('details.acct');
menu?.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !menu.open) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});
document.addEventListener('pointerdown', (event) => {
  if (menu?.open && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
});

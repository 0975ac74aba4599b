import { Html, html } from '../html.ts';

/** Interface icons: 16 px, drawn with a stroke of the current colour. A page inlines only the symbols that it uses. */
const SYMBOLS = {
  arrow: '<path d="M3 8h10M9.5 4.5 13 8l-3.5 3.5"/>',
  cal: '<rect x="2.5" y="3.5" width="11" height="10" rx="1.5"/><path d="M2.5 6.5h11M5.5 2v3M10.5 2v3"/>',
  check: '<path d="m3.5 8.5 3 3 6-6.5"/>',
  clock: '<circle cx="8" cy="8" r="5.5"/><path d="M8 5v3l2 1.5"/>',
  copy: '<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.5v-2A1 1 0 0 0 9.5 2.5h-6A1 1 0 0 0 2.5 3.5v6a1 1 0 0 0 1 1h2"/>',
  dl: '<path d="M8 2.5v7.5M4.8 7.2 8 10.4l3.2-3.2M2.5 13.5h11"/>',
  dots: '<path d="M3.5 8h.01M8 8h.01M12.5 8h.01"/>',
  down: '<path d="m4.5 6.5 3.5 3.5 3.5-3.5"/>',
  fees: '<path d="M4 12 12 4"/><circle cx="5" cy="5" r="1.750"/><circle cx="11" cy="11" r="1.750"/>',
  shield: '<path d="M8 2.200 13 4v4c0 3-2.200 5-5 6-2.800-1-5-3-5-6V4zM5.800 8l1.700 1.700 3-3.200"/>',
  lock: '<rect x="3.500" y="7" width="9" height="6.500" rx="1.500"/><path d="M5.500 7V5a2.500 2.500 0 0 1 5 0v2"/>',
  grid: '<rect x="2.5" y="2.5" width="4.4" height="4.4" rx="1"/><rect x="9.1" y="2.5" width="4.4" height="4.4" rx="1"/><rect x="2.5" y="9.1" width="4.4" height="4.4" rx="1"/><rect x="9.1" y="9.1" width="4.4" height="4.4" rx="1"/>',
  home: '<path d="M2.5 7.5 8 3l5.5 4.5V13.5h-4V10h-3v3.5h-4z"/>',
  key: '<circle cx="5" cy="11" r="2.5"/><path d="m6.8 9.2 6.2-6.2M10.5 5.5l2 2"/>',
  menu: '<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>',
  pause: '<path d="M5.75 4v8M10.25 4v8"/>',
  plug: '<path d="M5.5 2v3.5M10.5 2v3.5M4 5.5h8v2a4 4 0 0 1-8 0zM8 11.5V14"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  right: '<path d="m6.5 4.5 3.5 3.5-3.5 3.5"/>',
  rows: '<path d="M2.5 4h11M2.5 8h11M2.5 12h11"/>',
  search: '<circle cx="7" cy="7" r="4.25"/><path d="m10.2 10.2 3.3 3.3"/>',
  sliders:
    '<path d="M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6"/><circle cx="10" cy="5" r="1.5"/><circle cx="6" cy="11" r="1.5"/>',
  spread: '<path d="M2.5 11.5c3 0 3-7 5.5-7s2.5 4 5.5 4M2.5 13.5h11"/>',
  sun: '<circle cx="8" cy="8" r="2.75"/><path d="M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.85.85M11.75 11.75l.85.85M3.4 12.6l.85-.85M11.75 4.25l.85-.85"/>',
  swap: '<path d="M3 5.5h9.5M10 3l2.5 2.5L10 8M13 10.5H3.5M6 8l-2.5 2.5L6 13"/>',
  user: '<circle cx="8" cy="5.5" r="2.75"/><path d="M2.8 13.5c.7-2.5 2.7-3.75 5.2-3.75s4.5 1.25 5.2 3.75"/>',
  warn: '<path d="M8 2.5 14 13H2zM8 6.5v3M8 11.25v.1"/>',
  x: '<path d="m4.5 4.5 7 7M11.5 4.5l-7 7"/>',
  moon: '<path d="M13 9.6A5.5 5.5 0 1 1 6.4 3a4.4 4.4 0 0 0 6.6 6.6z"/>',
  half: '<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5v11" /><path d="M8 4.5h2.5M8 7h5M8 9.5h5M8 12h2.5"/>',
  play: '<path d="M5.5 3.5v9l7-4.5z"/>',
  left: '<path d="m9.5 4.500-3.500 3.500 3.500 3.500"/>',
  bell: '<path d="M4 11V7.500a4 4 0 0 1 8 0V11l1 1.500H3zM6.800 14h2.400"/>',
  star: '<path d="m8 2.500 1.700 3.500 3.800.5-2.800 2.700.7 3.800L8 11.200 4.600 13l.7-3.800L2.500 6.500 6.300 6z"/>',
  exit: '<path d="M6.5 2.500h-3v11h3M7 8h6.500M10.800 5.300 13.500 8l-2.700 2.700"/>',
  reload: '<path d="M13 8a5 5 0 1 1-1.500-3.600M13 2.500v3h-3"/>',
} as const;

export type IconName = keyof typeof SYMBOLS;

const USES: ReadonlyMap<string, Html> = new Map(
  Object.keys(SYMBOLS).map((name) => [
    name,
    html`<svg class="i" aria-hidden="true"><use href="#i-${name}"/></svg>`,
  ]),
);

/** An interface icon. It is decoration: the text or label beside it carries the meaning. */
export function icon(name: IconName): Html {
  return USES.get(name) as Html;
}

const USE = '<use href="#i-';

/** The symbols of the icons that the markup refers to, for the start of the page. */
export function symbolsFor(parts: readonly Html[]): Html {
  const names = new Set(parts.flatMap(({ markup }) => namesIn(markup)));
  const used = Object.entries(SYMBOLS)
    .filter(([name]) => names.has(name))
    .map(([name, paths]) => `<symbol id="i-${name}" viewBox="0 0 16 16">${paths}</symbol>`);
  return new Html(`<svg class="defs" aria-hidden="true">${used.join('')}</svg>`);
}

/** Searching for a text is several times faster than a regular expression. */
function namesIn(markup: string): string[] {
  const names: string[] = [];
  for (let at = markup.indexOf(USE); at >= 0; at = markup.indexOf(USE, at)) {
    at += USE.length;
    names.push(markup.slice(at, markup.indexOf('"', at)));
  }
  return names;
}

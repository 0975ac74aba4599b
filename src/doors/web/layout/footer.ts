import { type Html, html } from '../markup/html.ts';
import type { PreferenceName } from './preferences/preferences.ts';
import { PREFERENCES_PATH } from './preferences/routes.ts';
import { SITE_MARK } from './top-bar.ts';
import type { Viewer } from './viewer.ts';

const LINKS = [
  ['/developers', 'Docs'],
  ['/developers/reference', 'API reference'],
  ['/developers/rules', 'How we calculate'],
  ['/coins', 'Coins'],
  ['/depth', 'Depth'],
  ['/status', 'Status'],
  ['/accuracy', 'Accuracy'],
  ['/plans', 'Plans'],
  ['/developers/errors', 'Errors'],
  ['/llms.txt', 'llms.txt'],
] as const;

/** Attribution, links and the reader's settings. */
export function footer(markdownPath: string | null, viewer: Viewer): Html {
  const links = LINKS.map(([to, label]) => html`<a href="${to}">${label}</a>`);
  const markdownLink =
    markdownPath === null ? null : html`<a href="${markdownPath}">This page as Markdown</a>`;
  return html`<footer class="foot">
    <p>
      ${SITE_MARK}
      <span>Market data by Perpwire. Quote a figure with its venue, its interval and its time.</span>
    </p>
<nav aria-label="Footer">${links}${markdownLink}</nav>
${settingsForm(viewer)}</footer>`;
}

const SETTINGS: readonly (readonly [PreferenceName, string, readonly (readonly [string, string])[]])[] = [
  [
    'zone',
    'Times',
    [
      ['utc', 'UTC'],
      ['local', 'Local'],
    ],
  ],
  [
    'palette',
    'Colours',
    [
      ['teal', 'Teal and red'],
      ['blue', 'Blue and orange'],
    ],
  ],
  [
    'theme',
    'Theme',
    [
      ['system', 'System'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
  ],
  [
    'slash',
    'Search with /',
    [
      ['on', 'On'],
      ['off', 'Off'],
    ],
  ],
];

function settingsForm({ preferences, address }: Viewer): Html {
  const groups = SETTINGS.map(([name, label, choices]) => {
    const button = ([value, words]: readonly [string, string]) => {
      const isPressed = preferences[name] === value ? 'true' : 'false';
      return html`<button name="${name}" value="${value}" aria-pressed="${isPressed}">${words}</button>`;
    };
    return html`<span class="lab ${name}" role="group" aria-label="${label}">
      ${label} <span class="seg">${choices.map(button)}</span>
    </span>`;
  });
  return html`<form class="prefs" method="post" action="${PREFERENCES_PATH}" aria-label="Display settings">
    <input type="hidden" name="back" value="${address}">
    ${groups}
  </form>`;
}

import { type Html, html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import { GET_KEY_PATH, SIGN_OUT_PATH } from './paths.ts';
import { PREFERENCES } from './preferences/preferences.ts';
import { PREFERENCES_PATH } from './preferences/routes.ts';
import type { Viewer } from './viewer.ts';

type MenuEntry = readonly [path: string, label: string];

const MENU: readonly MenuEntry[] = [
  ['/funding', 'Funding'],
  ['/arbitrage', 'Arbitrage'],
  ['/spreads', 'Spreads'],
  ['/listings', 'Listings'],
  ['/exchanges', 'Venues'],
];
const SECOND_MENU: readonly MenuEntry[] = [
  ['/developers', 'Docs'],
  ['/plans', 'Plans'],
];

export const SITE_MARK = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M5 17.5c6.5 0 1.5-11 8-11h6"/>
    <circle cx="5" cy="17.5" r="2.6"/>
    <circle class="b" cx="19" cy="6.5" r="2.6"/>
  </svg>`;

export function topBar(path: string, viewer: Viewer): Html {
  return html`<header class="top"><a class="brand" href="/" aria-label="Perpwire, home">${SITE_MARK}<b>Perpwire</b></a>
<nav class="nav" aria-label="Main">${MENU.map((entry) => menuLink(entry, path))}</nav>
<form class="gsearch" role="search" aria-label="Site" action="/search">
    <label class="vh" for="q">Search coins and venues</label>
    ${icon('search')}
    <input id="q" name="q" type="search" placeholder="Search coin or venue" autocomplete="off" maxlength="60">
    <kbd>/</kbd>
  </form>
<nav class="nav nav2" aria-label="Developers and plans">${SECOND_MENU.map((entry) => menuLink(entry, path))}</nav>
${themeButton(viewer)}
${viewer.signedInAs ? accountMenu(viewer.signedInAs, viewer) : SIGN_IN_LINKS}
<a class="ib only-s" href="/search" aria-label="Search">${icon('search')}</a></header>`;
}

const SIGN_IN_LINKS = html`<span class="who"><a class="btn" href="/sign-in">Sign in</a></span>
  <a class="btn pri" href="${GET_KEY_PATH}">Get an API key</a>`;

const ACCOUNT_LINKS = [
  ['/account', 'Account', 'home'],
  ['/account/keys', 'API keys', 'key'],
  ['/account/alerts', 'Alerts', 'bell'],
] as const;

/** Without scripts too: the menu is a disclosure, and its last entry a form. */
function accountMenu(email: string, { csrf }: Viewer): Html {
  const links = ACCOUNT_LINKS.map(([to, label, name]) => html`<a href="${to}">${icon(name)}${label}</a>`);
  return html`<details class="acct" name="menu">
    <summary>
      <span class="vh">Account of </span>
      <span class="av" aria-hidden="true">${email.slice(0, 1).toUpperCase()}</span>
      <span class="who">${email}</span>
    </summary>
    <div class="amenu">
      <p class="mut">${email}</p>
      ${links}
      <form method="post" action="${SIGN_OUT_PATH}">
        ${csrf === undefined ? null : html`<input type="hidden" name="csrf" value="${csrf}">`}
        <button type="submit">${icon('exit')}Sign out</button>
      </form>
    </div>
  </details>`;
}

const THEME_WORDS = { system: 'follow the system', light: 'light', dark: 'dark' } as const;
const THEME_ICONS = { system: 'half', light: 'sun', dark: 'moon' } as const;

/** The next theme with each press. Without scripts it is a form that returns to the page. */
function themeButton({ preferences, address }: Viewer): Html {
  const { theme } = preferences;
  const themes = PREFERENCES.theme;
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const words = `Theme: ${THEME_WORDS[theme]}`;
  return html`<form class="theme" method="post" action="${PREFERENCES_PATH}" data-preference="theme">
    <input type="hidden" name="back" value="${address}">
    <button class="ib" name="theme" value="${next}" aria-label="${words}" title="${words}">${icon(THEME_ICONS[theme])}</button>
  </form>`;
}

const TABS = [
  ['/funding', 'Funding', 'grid'],
  ['/arbitrage', 'Arbitrage', 'swap'],
  ['/spreads', 'Spreads', 'spread'],
  ['/listings', 'Listings', 'cal'],
  ['/more', 'Menu', 'menu'],
] as const;

/** The navigation on phones. */
export function tabBar(path: string): Html {
  const tabs = TABS.map(
    ([to, label, name]) =>
      html`<a href="${to}"${path === to ? html` aria-current="page"` : null}>${icon(name)}<span>${label}</span></a>`,
  );
  return html`<nav class="tabbar" aria-label="Sections">${tabs}</nav>`;
}

function menuLink([to, label]: MenuEntry, path: string): Html {
  return html`<a href="${to}"${path === to ? html` aria-current="page"` : null}>${label}</a>`;
}

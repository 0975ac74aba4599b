import { assetPath } from './assets.ts';
import { type Html, type HtmlValue, html } from './html.ts';

export interface PageOptions {
  title: string;
  description: string;
  /** Path of the page, to mark its entry in the navigation. */
  path: string;
  body: HtmlValue;
  /** Names of client scripts in src/doors/web/client, without extension; `uplot` is the chart library. */
  scripts?: readonly string[];
  /** Path of the same page in Markdown. */
  twin?: string;
  /** More for the head. */
  head?: HtmlValue;
  /** E-mail address of the visitor, when signed in. */
  signedInAs?: string | null;
}

const NAVIGATION: readonly (readonly [path: string, label: string])[] = [
  ['/funding', 'Funding'],
  ['/spreads', 'Spreads'],
  ['/spreads/backtest', 'Backtest'],
  ['/listings', 'Listings'],
  ['/coins', 'Coins'],
  ['/exchanges', 'Exchanges'],
  ['/developers', 'API'],
  ['/plans', 'Plans'],
];

/** Every page: the same head, navigation and foot around a body. */
export function renderPage(options: PageOptions): string {
  const { title, description, path, body, scripts = [], signedInAs, twin, head } = options;
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Perpwire</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath('style.css')}">
${twin === undefined ? null : html`<link rel="alternate" type="text/markdown" href="${twin}">\n`}${head}<script type="module" src="${assetPath('times.js')}"></script>
${scripts.map((name) => html`<script ${name === 'uplot' ? html`defer` : html`type="module"`} src="${assetPath(`${name}.js`)}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/">Perpwire</a>
<nav aria-label="Main">${NAVIGATION.map(([to, label]) => navigationLink(to, label, path))}</nav>
<span class="who">${signedInAs ? html`<a href="/account">${signedInAs}</a>` : html`<a href="/sign-in">Sign in</a>`}</span>
</header>
<main id="main">
${body}
</main>
<footer class="foot">
<p>Market data by <a href="/">Perpwire</a>. Quote a figure with its venue, its settlement interval and its time, and link to the page it came from.</p>
<p><a href="/developers">Developers</a> · <a href="/developers/errors">Errors</a> · <a href="/status">Status</a> · <a href="/llms.txt">llms.txt</a>${twin === undefined ? null : html` · <a href="${twin}">This page as Markdown</a>`}</p>
</footer>
</body>
</html>`;
  return `<!doctype html>\n${page.markup}\n`;
}

function navigationLink(to: string, label: string, path: string): Html {
  const isHere = path === to;
  return html`<a href="${to}"${isHere ? html` aria-current="page"` : null}>${label}</a>`;
}

/**
 * What a browser may do on our pages: nothing inline, nothing from elsewhere. `form-action` is left out, because
 * Chromium applies it to the redirect after a consent form too, which must reach the assistant.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

import { assetPath } from '../assets.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import { MARKET_PAGES } from '../market-pages.ts';
import { TEXT_PAGES } from '../text-pages.ts';

export interface PageOptions {
  title: string;
  description: string;
  /** The path of the menu entry that is marked as the current one. */
  path: string;
  body: HtmlValue;
  /** Names of files in src/doors/web/client, without extension; `uplot` is the chart library. */
  scripts?: readonly string[];
  /** The path of the Markdown twin. */
  twin?: string;
  /** Further elements for the head. */
  head?: HtmlValue;
  /** The e-mail address of the signed-in user. */
  signedInAs?: string | null;
}

const MENU: readonly (readonly [path: string, label: string])[] = [
  ...MARKET_PAGES.flatMap(({ path, label, isInMenu }) => (isInMenu && label ? [[path, label] as const] : [])),
  ...TEXT_PAGES.flatMap(({ path, menuLabel }) => (menuLabel ? [[path, menuLabel] as const] : [])),
];

/** Renders a page: head, menu and footer around the body. */
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
<nav aria-label="Main">${MENU.map(([to, label]) => menuLink(to, label, path))}</nav>
<span class="who">${signedInAs ? html`<a href="/account">${signedInAs}</a>` : html`<a href="/sign-in">Sign in</a>`}</span>
</header>
<main id="main">
${body}
</main>
<footer class="foot">
<p>Market data by <a href="/">Perpwire</a>. Quote a figure with its venue, its settlement interval and its time, and link to the page it came from.</p>
<p><a href="/developers">Developers</a> · <a href="/developers/errors">Errors</a> · <a href="/status">Status</a> · <a href="/accuracy">Accuracy</a> · <a href="/llms.txt">llms.txt</a>${twin === undefined ? null : html` · <a href="${twin}">This page as Markdown</a>`}</p>
</footer>
</body>
</html>`;
  return `<!doctype html>\n${page.markup}\n`;
}

function menuLink(to: string, label: string, path: string): Html {
  return html`<a href="${to}"${path === to ? html` aria-current="page"` : null}>${label}</a>`;
}

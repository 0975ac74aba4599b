import { assetPath } from '../markup/assets.ts';
import { type Html, type HtmlValue, html } from '../markup/html.ts';
import { symbolsFor } from '../markup/icons/ui-icons.ts';
import { footer } from './footer.ts';
import { metaTags, type PageMeta } from './head.ts';
import type { PageLayout } from './page-layout.ts';
import { hasStars, starsForm } from './stars/stars.ts';
import { tabBar, topBar } from './top-bar.ts';
import { ANONYMOUS, type Viewer } from './viewer.ts';

export interface PageOptions {
  title: string;
  description: string;
  /** The path of the menu entry that is marked as the current one. */
  path: string;
  body: HtmlValue;
  layout?: PageLayout;
  /** Names of files in src/doors/web/client, without extension; `uplot` is the chart library. */
  scripts?: readonly string[];
  /** The path of the Markdown file. */
  markdownPath?: string;
  /** For search engines and social networks. Absent: the page is not indexed. */
  meta?: PageMeta;
  /** Further elements for the head. */
  head?: HtmlValue;
  viewer?: Viewer;
}

/** Scripts of every page. */
const LAYOUT_SCRIPTS = ['layout', 'times', 'search', 'copied-text'];

/** Renders a page: head, top bar and footer around the body. */
export function renderPage(options: PageOptions): string {
  const { title, description, path, layout = 'wrap', markdownPath, head, viewer = ANONYMOUS } = options;
  const { theme, palette, zone, slash } = viewer.preferences;
  const content = html`${topBar(path, viewer)}
${mainElement(layout, options.body)}
`;
  const end = html`${footer(markdownPath ?? null, viewer)}
${tabBar(path)}`;
  const alternate =
    markdownPath === undefined
      ? null
      : html`<link rel="alternate" type="text/markdown" href="${markdownPath}">\n`;
  return html`<!doctype html>
<html lang="en"${theme === 'system' ? null : html` data-theme="${theme}"`}${
    palette === 'teal' ? null : html` data-palette="${palette}"`
  } data-zone="${zone}" data-slash="${slash}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Perpwire</title>
<meta name="description" content="${description}">
${metaTags(title, description, options.meta ?? null)}<meta name="color-scheme" content="light dark">
<link rel="preload" href="${assetPath('geist-latin.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath('style.css')}">
${alternate}${head}${scriptTags(options.scripts ?? [])}</head>
<body>
${symbolsFor([content, end])}<a class="skip" href="#main">Skip to content</a>${hasResults(content) ? SKIP_TO_RESULTS : null}
${content}${hasStars(content) ? starsForm(viewer.address) : null}${end}
</body>
</html>
`.markup;
}

const SKIP_TO_RESULTS = html`<a class="skip" href="#results">Skip to the table</a>`;

/** Lists have many controls before their table. */
function hasResults({ markup }: Html): boolean {
  return markup.includes(' id="results"');
}

function scriptTags(names: readonly string[]): Html {
  const all = [...new Set([...LAYOUT_SCRIPTS, ...names])];
  return html`${all.map(
    (name) =>
      html`<script ${name === 'uplot' ? html`defer` : html`type="module"`} src="${assetPath(`${name}.js`)}"></script>\n`,
  )}`;
}

function mainElement(layout: PageLayout, body: HtmlValue): Html {
  switch (layout) {
    case 'wrap':
      return html`<main id="main"><div class="wrap">\n${body}\n</div></main>`;
    case 'card':
      return html`<main id="main" class="solo"><div class="card">\n${body}\n</div></main>`;
    case 'side':
      return html`<main id="main">\n${body}\n</main>`;
    case 'docs':
      return html`<main id="main" class="surf">\n${body}\n</main>`;
    default:
      return html`<main id="main" class="${layout}">\n${body}\n</main>`;
  }
}

import { assetPath } from '../assets.ts';
import { symbolsFor } from '../icons/ui-icons.ts';
import { type Html, type HtmlValue, html, htmlText } from '../markup/html.ts';
import type { PageLayout } from '../page-layout.ts';
import { metaTags, type PageMeta } from '../seo/head.ts';
import { starsForm } from '../stars/stars.ts';
import { EMPTY_FRAME, type Frame } from './frame.ts';
import { aroundContent } from './kept-frame.ts';
import { addNeeds, type Needs, PageWriter } from './page-writer.ts';

export interface PageOptions {
  title: string;
  description: string;
  /** The path of the menu entry that is marked as the current one. */
  path: string;
  body: HtmlValue;
  layout?: PageLayout;
  /** Names of files in src/doors/web/client, without extension; `uplot` is the chart library. */
  scripts?: readonly string[];
  /** The path of the Markdown twin. */
  twin?: string;
  /** For search engines and social networks. Absent: the page is not indexed. */
  meta?: PageMeta;
  /** Further elements for the head. */
  head?: HtmlValue;
  frame?: Frame;
}

/** Scripts of every page. */
const FRAME_SCRIPTS = ['frame', 'times', 'search'];

/** Renders a page: head, top bar and footer around the body. */
export function renderPage(options: PageOptions): string {
  const body = htmlText(options.body);
  const needs: Needs = { icons: new Set(), hasStars: false };
  addNeeds(body, needs);
  const [start, end] = aroundBody(options, needs);
  return `${start}${body}${end}`;
}

/** The same as bytes, with what identifies them. */
export function pageBytes(options: PageOptions): { bytes: Buffer; tag: string } {
  const writer = new PageWriter();
  writer.add(options.body);
  writer.finish();
  const [start, end] = aroundBody(options, writer.needs);
  return { bytes: writer.bytesBetween(start, end), tag: writer.tagBetween(start, end) };
}

function aroundBody(options: PageOptions, needs: Needs): [start: string, end: string] {
  const { title, description, path, layout = 'wrap', twin, head, frame = EMPTY_FRAME } = options;
  const { theme, palette, zone, slash } = frame.preferences;
  const { before, after, icons } = aroundContent(path, frame, twin ?? null);
  const [mainStart, mainEnd] = mainElement(layout);
  for (const name of icons) needs.icons.add(name);
  const start = html`<!doctype html>
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
${twin === undefined ? null : html`<link rel="alternate" type="text/markdown" href="${twin}">\n`}${head}${scriptTags(options.scripts ?? [])}</head>
<body>
${symbolsFor(needs.icons)}<a class="skip" href="#main">Skip to content</a>
${before}
${mainStart}
`;
  const end = html`
${mainEnd}
${needs.hasStars ? starsForm(frame.address) : null}${after}
</body>
</html>
`;
  return [start.markup, end.markup];
}

/** By the names of the scripts: pages have one of few lists. */
const keptScripts = new Map<string, Html>();

function scriptTags(names: readonly string[]): Html {
  const key = names.join();
  let tags = keptScripts.get(key);
  if (!tags) {
    const all = [...new Set([...FRAME_SCRIPTS, ...names])];
    tags = html`${all.map(
      (name) =>
        html`<script ${name === 'uplot' ? html`defer` : html`type="module"`} src="${assetPath(`${name}.js`)}"></script>\n`,
    )}`;
    keptScripts.set(key, tags);
  }
  return tags;
}

const [WRAP, CARD, SIDE, DOCS] = [
  [html`<main id="main"><div class="wrap">`, html`</div></main>`],
  [html`<main id="main" class="solo"><div class="card">`, html`</div></main>`],
  [html`<main id="main">`, html`</main>`],
  [html`<main id="main" class="surf">`, html`</main>`],
] as const;

/** What stands before and after the body. */
function mainElement(layout: PageLayout): readonly [start: Html, end: Html] {
  if (layout === 'wrap') return WRAP;
  if (layout === 'card') return CARD;
  if (layout === 'side') return SIDE;
  return layout === 'docs' ? DOCS : [html`<main id="main" class="${layout}">`, html`</main>`];
}

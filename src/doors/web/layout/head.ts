import { Html, html } from '../markup/html.ts';

/** What search engines and social networks read of a page. */
export interface PageMeta {
  baseUrl: string;
  /** Path and query under which the page should be found; filters and orders of a list do not count. */
  canonical: string;
  /** The path of the picture for links to the page. */
  card: string;
  /** False: search engines leave the page out. */
  isIndexed: boolean;
  /** Objects of schema.org. */
  structured: readonly object[];
}

/** The picture for links to a page. */
export function cardPath(pagePath: string): string {
  const section = /^\/(funding|arbitrage)/.exec(pagePath)?.[1] ?? 'home';
  return `/cards/${section}.png`;
}

/** Canonical link, tags for social networks and structured data. Pages without meta are not indexed. */
export function metaTags(title: string, description: string, meta: PageMeta | null): Html {
  if (meta === null) return html`<meta name="robots" content="noindex">\n`;
  const { baseUrl, canonical, card, isIndexed, structured } = meta;
  const url = `${baseUrl}${canonical}`;
  return html`<link rel="canonical" href="${url}">
${isIndexed ? null : html`<meta name="robots" content="noindex">\n`}<meta property="og:type" content="website">
<meta property="og:site_name" content="Perpwire">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${baseUrl}${card}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">
${structured.length === 0 ? null : dataBlock(structured)}`;
}

/** A data block is not a script: browsers do not run it, and the content security policy does not apply to it. */
function dataBlock(structured: readonly object[]): Html {
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': structured });
  // Nothing in it can end the element.
  return new Html(`<script type="application/ld+json">${text.replaceAll('<', '\\u003c')}</script>\n`);
}

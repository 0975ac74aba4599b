import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import { withTables } from '../../operations/description/tables.ts';
import { type ConnectTarget, connectLinks } from '../mcp/documents/connect-links.ts';
import { escapeHtml, Html } from './markup/html.ts';
import { headingId } from './markup/markdown.ts';
import type { TextPage, TextPageContext } from './text-page.ts';

/** A page whose text is a file in docs/. The page, its .md twin and the repository share this one source. */
export interface Document extends Pick<TextPage, 'path' | 'title' | 'description' | 'menuLabel'> {
  file: string;
}

const DOCS = join(import.meta.dirname, '../../../docs');

export const DOCUMENTS: readonly Document[] = [
  {
    path: '/developers',
    file: 'developers.md',
    title: 'API guide',
    menuLabel: 'Docs',
    description: 'How to use the Perpwire API: keys, limits, caching, filters, errors',
  },
  {
    path: '/developers/streams',
    file: 'streams.md',
    title: 'Streams',
    description: 'Changes of a list as they happen: events, resuming, limits, examples in three languages',
  },
  {
    path: '/developers/alerts',
    file: 'alerts.md',
    title: 'Alerts',
    description:
      'Messages when a list changes: rules, channels, and how to verify webhooks in three languages',
  },
  {
    path: '/developers/rules',
    file: 'data-rules.md',
    title: 'Data rules',
    description: 'What every number means, with its formula',
  },
  {
    path: '/developers/spreads',
    file: 'spreads.md',
    title: 'Live spreads',
    description: 'Which contracts meet in a spread, and every formula of a row',
  },
  {
    path: '/developers/backtest',
    file: 'backtest.md',
    title: 'Spread backtest',
    description: 'The rule of the backtest with a worked example',
  },
  {
    path: '/developers/arbitrage',
    file: 'arbitrage.md',
    title: 'Funding arbitrage',
    description: 'Every figure of a pair of venues, with a worked example',
  },
  {
    path: '/developers/history',
    file: 'history.md',
    title: 'Funding history',
    description: 'What a settled print is, where prints come from, and the figures made from them',
  },
  {
    path: '/developers/listings',
    file: 'listings.md',
    title: 'Listings calendar',
    description: 'Where rows of the calendar come from, what their fields promise, and how to follow them',
  },
  {
    path: '/developers/accuracy',
    file: 'accuracy.md',
    title: 'Accuracy',
    description: 'How published rates are compared with settled ones, and when a venue is in alarm',
  },
  {
    path: '/developers/assistants',
    file: 'assistants.md',
    title: 'AI assistants',
    description: 'How to connect an AI assistant over MCP',
  },
  {
    path: '/developers/venues',
    file: 'venues.md',
    title: 'Venues',
    description: 'Per venue: what comes from which call, and what is unknown',
  },
];

/** The part of a file from this heading on is for operators and contributors, and is not served. */
const NOT_SERVED = /^## For operators and contributors$[\s\S]*/m;
const COMMENT = /<!--[\s\S]*?-->\n*/g;
/** An address in a document that opens an assistant with this server filled in. */
const CONNECT = /\{connect_(claude|cursor|vscode)\}/g;
/** The title of links that are shown as buttons. */
const BUTTON_TITLE = 'Connect';
const LINK = /\[([^\]]+)\]\(([a-z-]+\.md)(#[^)]*)?\)/g;

/** The part for users of the API. `linkTo` converts links between files of docs/. */
function publicText(
  { file }: Document,
  { baseUrl, operations }: TextPageContext,
  linkTo: (path: string) => string,
): string {
  return withTables(readFileSync(join(DOCS, file), 'utf8'), operations)
    .replace(NOT_SERVED, '')
    .replaceAll(COMMENT, '')
    .replaceAll(LINK, (_whole, words: string, target: string, anchor = '') => {
      const found = DOCUMENTS.find((one) => one.file === target);
      // Some files are not served.
      if (!found) return words;
      return `[${words === target ? found.title : words}](${linkTo(found.path)}${anchor})`;
    })
    .replaceAll(CONNECT, (_whole, target: ConnectTarget) => connectLinks(baseUrl)[target])
    .replaceAll('{base_url}', baseUrl);
}

function documentMarkdown(document: Document, context: TextPageContext): string {
  return publicText(document, context, (path) => `${context.baseUrl}${path}.md`);
}

/** Headings get ids for links, code blocks a wrapper for the copy button, and some links the look of a button. */
const marked = new Marked({
  renderer: {
    link({ href, title, tokens }) {
      const look = title === BUTTON_TITLE ? ' class="button"' : '';
      return `<a href="${escapeHtml(href)}"${look}>${this.parser.parseInline(tokens)}</a>`;
    },
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang }) {
      return `<div class="code" data-copy><pre tabindex="0"><code class="language-${escapeHtml(lang ?? 'text')}">${escapeHtml(text)}</code></pre></div>\n`;
    },
    table(token) {
      const cell = (tag: string, cells: typeof token.header) =>
        cells
          .map(
            (one) =>
              `<${tag}>${this.parser.parseInline(one.tokens).replaceAll(/(\d) %/g, '$1&nbsp;%')}</${tag}>`,
          )
          .join('');
      const rows = token.rows.map((row) => `<tr>${cell('td', row)}</tr>`).join('\n');
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table class="text"><thead><tr>${cell('th', token.header)}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
    },
  },
});

/** The text as HTML. Its markup is trusted, because it comes from the repository. */
function documentBody(document: Document, context: TextPageContext): Html {
  const text = publicText(document, context, (path) => path);
  return new Html(`<article class="text">${marked.parse(text, { async: false })}</article>`);
}

export const DOCUMENT_PAGES: readonly TextPage[] = DOCUMENTS.map((document) => ({
  ...document,
  scripts: ['copy'],
  body: (context) => documentBody(document, context),
  markdown: (context) => documentMarkdown(document, context),
}));

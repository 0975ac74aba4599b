import { escapeMarkdown } from '../../../documents/markdown.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { percent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinMark, venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { definePage } from '../market-page.ts';
import { type Found, find } from './find.ts';

interface LoadedSearch {
  query: string;
  found: readonly Found[];
}

const MAX_QUERY = 60;

/** The results page of the site's search, and its JSON for suggestions while the reader types. */
export const SEARCH_PAGE = definePage<LoadedSearch>({
  path: '/search',
  section: '/search',
  parameters: pageParameters(null, ['q']),
  isIndexed: false,
  freshness: () => null,
  load: async (context) => {
    const query = (context.sent.get('q')?.[0] ?? '').slice(0, MAX_QUERY);
    return { query, found: find(context, query) };
  },
  view: ({ query, found }) => ({
    title: query === '' ? 'Search' : `Search: ${query}`,
    description: 'Find a coin by ticker or name, a venue, or a page of the documentation',
    layout: 'wrap',
    body: html`<h1>${query === '' ? 'Search' : html`Results for “${query}”`}</h1>
<form class="hsearch" role="search" aria-label="Search again" action="/search">
        <label class="vh" for="sq">Search a coin, venue or document</label>
        ${icon('search')}
        <input id="sq" name="q" type="search" value="${query}" placeholder="Coin or venue, e.g. SOL or Kraken"
          autocomplete="off" maxlength="${MAX_QUERY}">
        <button class="btn pri" type="submit">Search</button>
      </form>
${found.length === 0 ? nothing(query) : html`<ul class="card found">${found.map(resultLink)}</ul>`}`,
  }),
  markdown: ({ query, found }) =>
    `# Search: ${escapeMarkdown(query)}\n\n${found.map(resultLine).join('\n')}\n`,
  files: {
    '.json': {
      type: 'application/json; charset=utf-8',
      write: ({ found }) => JSON.stringify({ found }),
    },
  },
});

function resultLine({ name, path, note }: Found): string {
  return `- [${escapeMarkdown(name)}](${path}): ${escapeMarkdown(note)}`;
}

function resultLink({ kind, name, path, note, aprPct }: Found): Html {
  const mark = kind === 'coin' ? coinMark(name) : kind === 'venue' ? venueMark(name, 20) : icon('rows');
  const rate =
    aprPct === null ? null : html`<span class="num">${percent(aprPct, 1)} <small>APR</small></span>`;
  return html`<li><a href="${path}">${mark}<b>${name}</b><small>${note}</small>${rate}</a></li>`;
}

function nothing(query: string): Html {
  return html`<div class="card empty">
    ${icon('search')}
    <h2>Nothing is called “${query}”</h2>
    <p>Try a ticker such as SOL, a name such as Solana, or a venue.</p>
    <p class="acts">
      <a class="btn" href="/coins">All coins</a>
      <a class="btn" href="/exchanges">All venues</a>
    </p>
  </div>`;
}

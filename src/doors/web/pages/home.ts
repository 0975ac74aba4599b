import { Problem } from '../../../base/problems.ts';
import { coinsOperation } from '../../../operations/coins.ts';
import { funding } from '../../../operations/funding.ts';
import { listings } from '../../../operations/listings.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { spreads } from '../../../operations/spreads.ts';
import { coinLink, countdown, hours, percent } from '../format.ts';
import { type Html, html } from '../html.ts';
import { asOf } from '../list-page.ts';
import { markdownHead, markdownTable } from '../markdown.ts';
import { definePage, type PageContext } from '../market-page.ts';
import { answerForPage, type PageAnswer, type Row } from '../visitor.ts';

interface Query {
  /** The path of the page with the whole list. */
  path: string;
  operation: AnyOperation;
  filters: Readonly<Record<string, string>>;
}

/** Every figure is the first row, or the number of rows, of a list of the API. */
const QUERIES = {
  contracts: { path: '/funding', operation: funding, filters: {} },
  coins: { path: '/coins', operation: coinsOperation, filters: {} },
  short: {
    path: '/funding',
    operation: funding,
    filters: { sort: 'apr_desc', min_volume_usdt: '1000000', is_inverse: 'false' },
  },
  long: {
    path: '/funding',
    operation: funding,
    filters: { sort: 'apr_asc', min_volume_usdt: '1000000', is_inverse: 'false' },
  },
  spread: { path: '/spreads', operation: spreads, filters: { min_strength: '4' } },
  listing: { path: '/listings', operation: listings, filters: { days_ahead: '30' } },
} satisfies Record<string, Query>;

type Name = keyof typeof QUERIES;
type Figures = Readonly<Record<Name, PageAnswer<Row[]> | null>>;

/** More than one, because price outliers are skipped. */
const ROW_LIMIT = '10';
const TITLE = 'Funding rates, spreads and listings of every perpetual that matters';

export const HOME_PAGE = definePage<Figures>({
  path: '/',
  label: 'Start',
  twinPath: '/index.md',
  section: '/',
  freshness: ({ entrance, caller }) =>
    Object.values(QUERIES)
      .map(({ operation }) => entrance.freshness(operation, caller))
      .join(' '),
  load: async (context) => {
    const figures = await Promise.all(
      Object.entries(QUERIES).map(async ([name, query]) => [name, await answerTo(context, query)]),
    );
    return Object.fromEntries(figures) as Figures;
  },
  view: (figures, { entrance }) => ({
    title: 'Perpetual futures data',
    description: `Funding rates, spreads and listings of crypto perpetual futures on ${entrance.data.venues.length} venues`,
    body: homeBody(figures, entrance.data.venues.length, entrance.baseUrl),
    scripts: ['refresh', 'copy'],
  }),
  markdown: (figures, { entrance }) => {
    const { contracts } = figures;
    const venues = entrance.data.venues.length;
    if (!contracts) return `# ${TITLE}\n\nThe service has just started and is collecting its first data.\n`;
    const lead = `Perpwire watches ${venues} trading venues and publishes what perpetual futures pay and cost. Lists for agents: <${entrance.baseUrl}/llms.txt>.`;
    const counts = { contracts: contracts.meta.total, coins: figures.coins?.meta.total, venues };
    const part = (title: string, name: Name) => {
      const row = firstOf(figures[name]);
      return row ? `\n## ${title}\n\nMore: <${pathOf(QUERIES[name])}>\n\n${markdownTable([row])}` : '';
    };
    return `${markdownHead(TITLE, lead, contracts.meta)}${markdownTable([counts])}${part('Best paid to a short', 'short')}${part('Best paid to a long', 'long')}${part('Widest strong spread', 'spread')}${part('Next listing or delisting', 'listing')}`;
  },
});

/** Null while that table has no data yet; the page shows the others. */
async function answerTo({ entrance, caller }: PageContext, { operation, filters }: Query) {
  const sent = new Map(Object.entries({ ...filters, limit: ROW_LIMIT }).map(([k, v]) => [k, [v]]));
  try {
    return await answerForPage<Row[]>(entrance, operation, caller, sent);
  } catch (error) {
    if (error instanceof Problem && error.code === 'snapshot-unavailable') return null;
    throw error;
  }
}

function firstOf(answer: PageAnswer<Row[]> | null): Row | undefined {
  return answer?.data.find((row) => row.price_outlier !== true);
}

function pathOf({ path, filters }: Query): string {
  const query = new URLSearchParams(filters).toString();
  return query === '' ? path : `${path}?${query}`;
}

function homeBody(figures: Figures, venueCount: number, baseUrl: string): Html {
  const { contracts } = figures;
  return html`<h1>${TITLE}</h1>
<p class="lead">Perpwire watches ${venueCount} trading venues and publishes what perpetual futures pay and cost: with the venue, the settlement interval and the age beside every number, and every formula written down. Read it here, over a <a href="/developers">REST API</a>, or through your AI assistant.</p>
${
  contracts
    ? html`<div id="results">${asOf(contracts)}<div class="cards">${cards(figures)}</div></div>`
    : html`<div class="empty"><p>The service has just started and is collecting its first data. Reload in a minute.</p></div>`
}
<h2>Start</h2>
<div class="code" data-copy><pre tabindex="0"><code>curl -H "Authorization: Bearer YOUR_KEY" \\
  "${baseUrl}/api/v1/funding?coin=BTC,ETH&amp;sort=apr_desc"</code></pre></div>
<p><a class="button" href="/developers">Read the API guide</a> <a href="/plans">Plans</a></p>`;
}

function cards(figures: Figures): Html {
  const count = (name: Name) => (figures[name]?.meta.total ?? 0).toLocaleString('en-US');
  const card = (name: Name, title: string, figure: (row: Row) => Html, words: (row: Row) => Html) => {
    const row = firstOf(figures[name]);
    if (!row) return null;
    return html`<section class="card"><h2>${title}</h2><p class="figure">${figure(row)}</p><p>${words(row)} <a href="${pathOf(QUERIES[name])}" aria-label="More: ${title}">More</a></p></section>\n`;
  };
  const contract = (row: Row) =>
    html`${coinLink(row.coin)} on ${String(row.exchange)}: ${percent(row.rate_pct)} every ${hours(row.interval_hours)}: ${Number(row.rate_pct) >= 0 ? 'longs pay shorts' : 'shorts pay longs'}.`;
  return html`<section class="card"><h2>Contracts watched</h2><p class="figure">${count('contracts')}</p><p>on ${count('coins')} coins. <a href="/funding" aria-label="More: contracts watched">More</a></p></section>
${card('short', 'Best paid to a short, APR', (row) => percent(row.apr_pct, 1), contract)}${card('long', 'Best paid to a long, APR', (row) => percent(row.apr_pct, 1), contract)}${card(
  'spread',
  'Widest strong spread',
  (row) => percent(row.spread_pct, 3),
  (row) => html`${coinLink(row.coin)} between ${String(row.exchange_a)} and ${String(row.exchange_b)}.`,
)}${card(
  'listing',
  'Next listing or delisting',
  (row) => html`${String(row.symbol)}`,
  (row) =>
    html`${String(row.exchange)} ${row.kind === 'listing' ? 'lists' : 'delists'} it ${countdown(row.effective_at)}.`,
)}`;
}

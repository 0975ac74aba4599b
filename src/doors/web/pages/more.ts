import { pageParameters } from '../layout/page-parameters.ts';
import { type Html, html } from '../markup/html.ts';
import { definePage } from './market-page.ts';

const GROUPS = [
  [
    'Markets',
    [
      ['/funding', 'Funding rates'],
      ['/arbitrage', 'Funding arbitrage'],
      ['/spreads', 'Live spreads'],
      ['/spreads/backtest', 'Spread backtest'],
      ['/depth', 'Order-book depth'],
      ['/listings', 'Listings'],
      ['/coins', 'Coins'],
      ['/exchanges', 'Venues'],
    ],
  ],
  [
    'Data',
    [
      ['/status', 'Status'],
      ['/accuracy', 'Accuracy'],
      ['/accuracy/forecasts', 'Accuracy of forecasts'],
      ['/developers/rules', 'How we calculate'],
    ],
  ],
  [
    'Developers and account',
    [
      ['/developers', 'Docs'],
      ['/developers/reference', 'API reference'],
      ['/developers/assistants', 'Connect an assistant'],
      ['/plans', 'Plans'],
      ['/account', 'Your account'],
    ],
  ],
] as const;

/** Every section as plain links, for the last tab on phones. */
export const MORE_PAGE = definePage<null>({
  path: '/more',
  section: '/more',
  parameters: pageParameters(null),
  isIndexed: false,
  freshness: () => 'always',
  load: async () => null,
  view: () => ({
    title: 'All pages',
    description: 'Every section of the site: markets, data, documentation, plans and account',
    layout: 'wrap',
    body: html`<h1>All pages</h1><div class="more-pages">${GROUPS.map(([title, links]) => group(title, links))}</div>`,
  }),
  markdown: () =>
    `# All pages\n\n${GROUPS.flatMap(([, links]) => links.map(([path, label]) => `- [${label}](${path})`)).join('\n')}\n`,
});

function group(title: string, links: readonly (readonly [string, string])[]): Html {
  return html`<section class="mt">
    <h2>${title}</h2>
    <ul class="card found">
      ${links.map(([path, label]) => html`<li><a href="${path}">${label}</a></li>`)}
    </ul>
  </section>`;
}

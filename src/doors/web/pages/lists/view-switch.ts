import { type Html, html } from '../../markup/html.ts';
import { linkTo } from '../../markup/page-links.ts';

/** What belongs to one of the views only. */
const OF_A_VIEW = ['view', 'open', 'page'];

/** One row per coin, which opens to its pairs, or one row per pair. */
export function coinsOrPairs(path: string, sent: ReadonlyMap<string, readonly string[]>): Html {
  const isPairs = sent.get('view')?.[0] === 'pairs';
  const query = new Map(sent);
  for (const name of OF_A_VIEW) query.delete(name);
  const link = (isCurrent: boolean, to: string, label: string) =>
    html`<a href="${to}"${isCurrent ? html` aria-current="page"` : null}>${label}</a>`;
  return html`<span class="seg" role="group" aria-label="View">
    ${link(!isPairs, linkTo(path, query), 'Coins')}
    ${link(isPairs, linkTo(path, new Map(query).set('view', ['pairs'])), 'Pairs')}
  </span>`;
}

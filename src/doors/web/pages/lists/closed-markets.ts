import { LEG_CLOSED } from '../../../../market/session.ts';
import { type AnyOperation, isStreamed } from '../../../../operations/operation.ts';
import { NO_WINDOWS, type Row } from '../../layout/visitor.ts';
import { countText } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { linkWith, linkWithout } from '../../markup/page-links.ts';
import type { PageContext } from '../page-context.ts';

type Sent = PageContext['sent'];

/** In the address: pairs with a closed market are shown too. */
export const CLOSED_PARAMETER = 'closed';
const SHOWN = 'shown';
const FILTER = LEG_CLOSED.name;
const WHY =
  'The market of this share, index, commodity or currency is closed at one of the venues: prices may jump when it opens';

/** Hides pairs with a closed market from the query of the operation, unless the address shows them or filters them itself. */
export function hideClosed(sent: Sent, query: Sent): void {
  query.delete(CLOSED_PARAMETER);
  if (!query.has(FILTER) && !isShown(sent)) query.set(FILTER, ['false']);
}

/** The query of the operation with only what the reader has chosen: an alert watches closed markets too. */
export function chosenOnly(query: Sent): Sent {
  const chosen = new Map(query);
  if (chosen.get(FILTER)?.[0] === 'false') chosen.delete(FILTER);
  return chosen;
}

/** The address without what applies anyway. */
export function cleanClosed(clean: Sent): void {
  if (clean.get(FILTER)?.[0] === 'false') clean.delete(FILTER);
  if (!isShown(clean) || clean.has(FILTER)) clean.delete(CLOSED_PARAMETER);
}

/** How many pairs that fit the other filters have a closed market. `query` is that of the operation. */
export function closedCount(
  { entrance, caller }: Pick<PageContext, 'entrance' | 'caller'>,
  operation: AnyOperation,
  query: Sent,
  asOfMs: number,
): number {
  if (!isStreamed(operation)) return 0;
  const filters = new Map(query).set(FILTER, ['true']);
  for (const name of ['page', 'limit', 'cursor', 'sort']) filters.delete(name);
  const list = entrance.streamedList(operation, { caller, states: NO_WINDOWS }, filters);
  return list.matchesAt(asOfMs)?.rows.length ?? 0;
}

/** How many pairs are hidden, with a link that shows them; or a link that hides them again. */
export function closedNotice(path: string, sent: Sent, count: number): Html | null {
  if (count === 0 || sent.has(FILTER)) return null;
  const pairs = countText(count, 'pair');
  const shown = linkWith(path, sent, { [CLOSED_PARAMETER]: SHOWN });
  const hidden = linkWithout(path, sent, [CLOSED_PARAMETER, 'open']);
  return isShown(sent)
    ? html`<p class="mut">
        ${pairs} ${count === 1 ? 'has' : 'have'} a leg whose market is closed. <a class="lnk" href="${hidden}">Hide them</a>
      </p>`
    : html`<p class="mut">
        ${pairs} ${count === 1 ? 'is' : 'are'} hidden: the market of a leg is closed. <a class="lnk" href="${shown}">Show them</a>
      </p>`;
}

/** The same for the Markdown file. */
export function closedText(sent: Sent, count: number): string {
  if (count === 0 || sent.has(FILTER) || isShown(sent)) return '';
  return `${countText(count, 'pair')} ${count === 1 ? 'is' : 'are'} hidden: the market of a leg is closed (${CLOSED_PARAMETER}=${SHOWN} shows them). `;
}

const CLOSED_BADGE = html` <span class="badge" title="The market of the underlying is closed: its index stands still">closed</span>`;

/** For a contract. */
export function sessionTag({ session }: Row): Html | null {
  return session === 'closed' ? CLOSED_BADGE : null;
}

/** What it means for a pair, for the Markdown file of its own page; empty where no leg is known to be closed. */
export function closedPairText(isLegClosed: boolean): string {
  if (!isLegClosed) return '';
  return 'The market of this share, index, commodity or currency is closed at one of the venues or at both: its index stands still, and so may the quotes. The spread may not be tradable, and prices may jump when the market opens.';
}

/** The same for the page. */
export function closedPairNotice(isLegClosed: boolean): Html {
  const words = closedPairText(isLegClosed);
  return html`<div id="closed" data-live>
    ${words && html`<div class="ban mb">${CLOSED_BADGE}<p>${words}</p></div>`}
  </div>`;
}

/** For a pair. */
export function closedTag(row: Row): Html | null {
  return row[FILTER] === true ? html` <span class="badge" title="${WHY}">closed</span>` : null;
}

function isShown(sent: Sent): boolean {
  return sent.get(CLOSED_PARAMETER)?.[0] === SHOWN;
}

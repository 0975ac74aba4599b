import { ownValue } from '../../../../base/own-value.ts';
import { isStreamed } from '../../../../operations/operation.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import type { ListPage } from './list-page.ts';

/** They choose what the page shows, not which rows fit. */
const NOT_FILTERS = new Set(['cursor', 'fields', 'limit', 'sort']);

/** "Alert me": the form of a new alert with the filters of the page. Null for a list that cannot have alerts. */
export function alertLink(
  { operation }: Pick<ListPage, 'operation'>,
  sent: ReadonlyMap<string, readonly string[]>,
): Html | null {
  if (!isStreamed(operation)) return null;
  const query = new URLSearchParams({ operation: operation.path.slice(1) });
  for (const [name, values] of sent)
    if (ownValue(operation.parameters, name) !== undefined && !NOT_FILTERS.has(name))
      query.set(name, values.join(','));
  return html`<a class="btn" href="/account/alerts/new?${query.toString()}" rel="nofollow">${icon('bell')}Alert me</a>`;
}

import { funding } from '../../../../operations/funding.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { linkChanged } from '../../markup/page-links.ts';
import { filtersOf } from '../lists/filter-bar.ts';
import { forgiving } from '../lists/forgiving.ts';
import type { PageContext } from '../page-context.ts';
import { unitInAddress } from './units.ts';
import { groupOf, venuesIn } from './venue-groups.ts';

type Sent = PageContext['sent'];

/** The filters of a reader who has chosen none: what can be traded, without contracts that nobody trades. */
export const DEFAULTS: Readonly<Record<string, string>> = { is_inverse: 'false', min_volume_usdt: '1000000' };
const FILTER_NAMES = filtersOf(funding).map(({ name }) => name);
const PATH = '/funding';
/** Only the coins that the reader has starred. */
export const STARRED = 'starred';
const VIEW_NAMES = ['view', 'unit', 'group', STARRED];
export const FUNDING_PARAMETERS = pageParameters(funding, ['page', ...VIEW_NAMES]);

/** The filters that apply: those in the address, or the defaults if it has none. */
export function effective(sent: Sent): Sent {
  if (FILTER_NAMES.some((name) => sent.has(name))) return sent;
  const query = new Map(sent);
  for (const [name, value] of Object.entries(DEFAULTS)) query.set(name, [value]);
  return query;
}

/** Whether the reader has chosen contracts; a choice of coins does not change their figures. */
export function hasOwnFilters(sent: Sent): boolean {
  return groupOf(sent) !== null || FILTER_NAMES.some((name) => name !== 'coin' && sent.has(name));
}

/** The parameters of the operation: filters, order and page, with the group of venues as a list. */
export function operationQuery(context: PageContext): Sent {
  const { sent, stars } = context;
  const query = new Map(effective(sent));
  for (const name of VIEW_NAMES) query.delete(name);
  if (sent.has(STARRED) && stars.size > 0) query.set('coin', [[...stars].join(',')]);
  if (query.get('min_volume_usdt')?.[0] === '0') query.delete('min_volume_usdt');
  const group = groupOf(sent);
  if (group === null) return query;
  // The shorter list: a filter takes at most twenty venues.
  const isDex = group === 'dex';
  const names = venuesIn(context, 'dex').join(',');
  const name = isDex ? 'exchange' : 'exclude_exchange';
  const chosen = query.get(name)?.join(',');
  return query.set(name, [chosen === undefined || isDex ? names : `${chosen},${names}`]);
}

/** The address as it should be: without the defaults and the default view, with the unit. */
export function cleanQuery(context: PageContext): Sent {
  const clean = forgiving(funding, context.sent, context.entrance.data.venues);
  const filters = FILTER_NAMES.filter((name) => clean.has(name));
  const isDefault =
    filters.length === Object.keys(DEFAULTS).length &&
    filters.every((name) => clean.get(name)?.[0] === DEFAULTS[name]);
  if (isDefault) for (const name of filters) clean.delete(name);
  if (clean.get('view')?.[0] === 'matrix') clean.delete('view');
  const unit = unitInAddress(context.sent, context.preferences);
  if (unit === undefined) clean.delete('unit');
  else clean.set('unit', [unit]);
  if (clean.get('page')?.[0] === '1') clean.delete('page');
  if (context.stars.size === 0) clean.delete(STARRED);
  else if (clean.has(STARRED)) clean.set(STARRED, ['1']).delete('coin');
  return clean;
}

/** A link with filters changed. Undefined removes one; with none left the address says that there is no filter. */
export function filterLink(sent: Sent, change: Readonly<Record<string, string | undefined>>): string {
  const query = effective(sent);
  const changed: Record<string, string | undefined> = { page: undefined, cursor: undefined };
  for (const name in change) changed[name] = change[name] || undefined;
  const isLeft = FILTER_NAMES.some((name) =>
    Object.hasOwn(changed, name) ? changed[name] !== undefined : query.has(name),
  );
  const link = linkChanged(PATH, query, changed);
  return isLeft ? link : `${link}${link.includes('?') ? '&' : '?'}min_volume_usdt=0`;
}

/** A link that changes how the page shows the rows, not which. */
export function viewLink(sent: Sent, change: Readonly<Record<string, string | undefined>>): string {
  return linkChanged(PATH, sent, { page: undefined, cursor: undefined, ...change });
}

import { SIZE_PARAMETER } from '../../../../engines/depth/size-columns.ts';
import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import { ACCOUNT_FEES } from '../../../../operations/taker-fees.ts';
import { VENUES } from '../../../../venues/registry.ts';
import { steppedFees } from '../../layout/fees/visitor-fees.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { linkChanged, linkTo } from '../../markup/page-links.ts';
import { plainNumber } from '../../markup/plain-number.ts';
import { CLOSED_PARAMETER, cleanClosed, hideClosed } from '../lists/closed-markets.ts';
import { filtersOf } from '../lists/filter-bar.ts';
import { forgiving } from '../lists/forgiving.ts';
import { atOrderSize, cleanOrderSize } from '../lists/size-box.ts';
import type { PageContext } from '../page-context.ts';
import { DEFAULT_SORT } from './default-sort.ts';

type Sent = PageContext['sent'];

export const PATH = '/arbitrage';
/** Parameters of the figures, not filters of rows, with the values that an address does not need. */
const VIEW_DEFAULTS: Readonly<Record<string, string>> = { hold_days: '30', slippage_bp: '5' };
/** Keeps pairs whose capacity is a lower bound: the most liquid ones, of which no whole book is fetched. */
export const CAPACITY_FILTER = 'min_possible_capacity_usd';
/** The filter of a reader who has chosen none: pairs that take a position of some size. */
const DEFAULTS: Readonly<Record<string, string>> = { [CAPACITY_FILTER]: '50000' };
const FILTER_NAMES: ReadonlySet<string> = new Set(
  filtersOf(arbitrage)
    .map(({ name }) => name)
    .filter((name) => name !== 'fees' && name !== SIZE_PARAMETER && !Object.hasOwn(VIEW_DEFAULTS, name)),
);

/** Fees of the figures: the usual ones, those with a rebate, the saved ones, or those in the address. */
export const TIERS = {
  base: 'Taker, base tier',
  less25: 'Taker, 25 % off',
  less50: 'Taker, 50 % off',
  account: 'My saved fees',
  own: 'My own fees…',
} as const;
export type Tier = keyof typeof TIERS;
const REBATES: Partial<Record<Tier, number>> = { less25: 0.25, less50: 0.5 };

function usualTier({ caller }: PageContext): Tier {
  return caller.takerFees ? 'account' : 'base';
}

export function tierOf(context: PageContext): Tier {
  const [fees] = context.sent.get('fees') ?? [];
  if (fees !== undefined) return fees === ACCOUNT_FEES ? 'account' : 'own';
  const [tier = ''] = context.sent.get('tier') ?? [];
  return Object.hasOwn(TIERS, tier) ? (tier as Tier) : usualTier(context);
}

/** The filters that apply: those in the address, or the defaults if it has none. */
export function effective(sent: Sent): Sent {
  for (const name of sent.keys()) if (FILTER_NAMES.has(name)) return sent;
  const query = new Map(sent);
  for (const [name, value] of Object.entries(DEFAULTS)) query.set(name, [value]);
  return query;
}

/** A filter of zero is no filter. */
export function shownFilters(sent: Sent): Sent {
  const query = new Map(effective(sent));
  for (const name of [CAPACITY_FILTER, 'min_capacity_usd'])
    if (query.get(name)?.[0] === '0') query.delete(name);
  return query;
}

/** The parameters of the operation, with the fees of the chosen tier. */
export function operationQuery(context: PageContext): Sent {
  const query = atOrderSize(context, shownFilters(context.sent));
  for (const name of ['open', 'tier', 'view']) query.delete(name);
  hideClosed(context.sent, query);
  if (!query.has('sort')) query.set('sort', [DEFAULT_SORT]);
  const rebate = REBATES[tierOf(context)];
  if (rebate !== undefined) query.set('fees', [usualFees(context, rebate)]);
  return query;
}

/** Only what the figures depend on: the same for every filter. */
export function viewQuery(context: PageContext): Sent {
  const query = operationQuery(context);
  for (const name of [...FILTER_NAMES, 'sort', 'page', 'limit']) query.delete(name);
  return query;
}

/** One row per pair instead of one per coin. */
export function isPairs({ sent }: PageContext): boolean {
  return sent.get('view')?.[0] === 'pairs';
}

/** With the base tier the saved fees of the account do not apply. */
export function callerOf(context: PageContext): PageContext['caller'] {
  const { takerFees: _saved, ...usual } = context.caller;
  return tierOf(context) === 'base' ? usual : context.caller;
}

function usualFees({ entrance }: PageContext, rebate: number): string {
  return entrance.data.venues
    .map(({ facts }) => `${facts.exchange}:${Number((facts.takerFeePct.value * (1 - rebate)).toFixed(6))}`)
    .join(',');
}

const FEE_FIELD = /^fee_(.+)$/;
export const ARBITRAGE_PARAMETERS = pageParameters(arbitrage, [
  ...['page', 'open', 'tier', 'view', CLOSED_PARAMETER],
  ...VENUES.map(({ facts }) => `fee_${facts.exchange}`),
]);

/** The address as it should be: without defaults, and the fields of the form of own fees as one list. */
export function cleanQuery(context: PageContext): Sent {
  const clean = forgiving(arbitrage, context.sent, context.entrance.data.venues);
  takeOwnFees(clean, context);
  cleanOrderSize(context, clean);
  cleanClosed(clean);
  for (const [name, value] of Object.entries(VIEW_DEFAULTS))
    if (clean.get(name)?.[0] === value) clean.delete(name);
  const filters = [...FILTER_NAMES].filter((name) => clean.has(name));
  const isDefault =
    filters.length === Object.keys(DEFAULTS).length &&
    filters.every((name) => clean.get(name)?.[0] === DEFAULTS[name]);
  if (isDefault) for (const name of filters) clean.delete(name);
  if (clean.get('view')?.[0] !== 'pairs') clean.delete('view');
  if (clean.get('page')?.[0] === '1') clean.delete('page');
  if (clean.get('sort')?.[0] === DEFAULT_SORT) clean.delete('sort');
  return clean;
}

function takeOwnFees(clean: Sent, context: PageContext): void {
  const typed: string[] = [];
  for (const [name, [value = '']] of [...clean]) {
    const exchange = FEE_FIELD.exec(name)?.[1];
    if (exchange === undefined) continue;
    clean.delete(name);
    typed.push(steppedFees(`${exchange}:${plainNumber(value)}`));
  }
  const [tier] = clean.get('tier') ?? [];
  if (typed.length > 0) clean.set('fees', [typed.join(',')]);
  else if (tier !== undefined && tier !== 'own') clean.delete('fees');
  if (clean.has('fees') || tier === usualTier(context)) clean.delete('tier');
}

/** A link with filters changed. Undefined removes one; with none left the address says that there is no filter. */
export function filterLink(sent: Sent, change: Readonly<Record<string, string | undefined>>): string {
  const query = effective(sent);
  const changed: Record<string, string | undefined> = { page: undefined, cursor: undefined, open: undefined };
  for (const name in change) changed[name] = change[name] || undefined;
  const isLeft =
    Object.keys(changed).some((name) => FILTER_NAMES.has(name) && changed[name] !== undefined) ||
    query.keys().some((name) => FILTER_NAMES.has(name) && !Object.hasOwn(changed, name));
  const link = linkChanged(PATH, query, changed);
  return isLeft ? link : `${link}${link.includes('?') ? '&' : '?'}${CAPACITY_FILTER}=0`;
}

/** A link to the same list with one row open, or with none. */
export function openLink(sent: Sent, open: string | null): string {
  const query = new Map(sent);
  query.delete('open');
  const closed = linkTo(PATH, query);
  return open === null ? closed : withOpen(closed, open);
}

export function withOpen(closed: string, open: string): string {
  return `${closed}${closed.includes('?') ? '&' : '?'}open=${encodeURIComponent(open)}`;
}

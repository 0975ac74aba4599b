import { isStreamed } from '../../../../operations/operation.ts';
import { spreads } from '../../../../operations/spreads.ts';
import { NO_WINDOWS } from '../../layout/visitor.ts';
import { html } from '../../markup/html.ts';
import { CLOSED_PARAMETER, closedCount, hideClosed } from '../lists/closed-markets.ts';
import { type CoinGroup, coinsAt } from '../lists/coin-groups.ts';
import type { ListPage } from '../lists/list-page.ts';
import { type LoadedList, listAt, withOwnFees } from '../lists/list-route.ts';
import { type PagePlace, pageNumber } from '../lists/pager.ts';
import { atOrderSize } from '../lists/size-box.ts';
import type { PageContext } from '../page-context.ts';
import { CHOICES } from './bar.ts';
import { DEFAULT_SORT } from './default-sort.ts';
import { spreadTabs } from './tabs.ts';

export interface LoadedSpreads extends Omit<LoadedList, 'page' | 'prepared'> {
  /** Coins with their pairs; null in the view of pairs. */
  coins: { shown: readonly CoinGroup[]; place: PagePlace } | null;
  /** Pairs that fit the filters and have a closed market. */
  closed: number;
}

export const PATH = '/spreads';

export const VIEW_NAMES = ['view', 'open', CLOSED_PARAMETER];

export const PAGE: ListPage = {
  path: PATH,
  operation: spreads,
  sorts: [
    ['net_spread_desc', 'Net spread'],
    ['spread_desc', 'Spread before fees'],
    ['strength_desc', 'Strength'],
    ['volume_desc', 'Volume'],
    ['updated_desc', 'Newest quotes'],
    ['coin_asc', 'Coin'],
  ],
  title: 'Spreads',
  description: 'Price differences of the same perpetual between two venues, live and net of fees',
  lead: html`Buy a coin where it is cheap, sell it where it is dear. Net of the taker fees of four fills; funding is
    what the position pays or earns a day.`,
  noun: 'pairs',
  tabs: spreadTabs('live'),
  mainParameters: ['coin'],
  ownParameters: CHOICES,
  viewParameters: ['view', CLOSED_PARAMETER],
  defaultSort: DEFAULT_SORT,
  columns: [],
};

export function isPairs({ sent }: PageContext): boolean {
  return sent.get('view')?.[0] === 'pairs';
}

/** The parameters of the operation. */
export function operationQuery(context: PageContext): PageContext['sent'] {
  const query = atOrderSize(context, context.sent);
  for (const name of VIEW_NAMES) query.delete(name);
  hideClosed(context.sent, query);
  if (!query.has('sort')) query.set('sort', [DEFAULT_SORT]);
  return query;
}

export async function loadSpreads(context: PageContext): Promise<LoadedSpreads> {
  const { entrance, caller } = context;
  if (!isStreamed(spreads)) throw new Error('the list of spreads has a stream');
  const query = operationQuery(context);
  const { list, place } = await listAt(context, PAGE, query);
  const all = withOwnFees(PAGE, caller, query);
  const closed = closedCount(context, spreads, all, Date.parse(list.meta.as_of));
  if (isPairs(context)) return { list, place, coins: null, closed };
  const { page: _page, limit: _limit, ...filters } = Object.fromEntries(all);
  const matched = entrance
    .streamedList(spreads, { caller, states: NO_WINDOWS }, new Map(Object.entries(filters)))
    .matchesAt(Date.parse(list.meta.as_of)) ?? { table: list.rows.table, rows: list.rows.numbers };
  const [open] = context.sent.get('open') ?? [];
  const sort = query.get('sort')?.[0] ?? DEFAULT_SORT;
  return {
    list: { ...list, rows: { ...list.rows, table: matched.table } },
    place,
    coins: coinsAt(spreads, matched, sort, pageNumber(context.sent), open),
    closed,
  };
}

import type { ForecastModels } from '../../../../engines/forecast/models.ts';
import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import { noBetterThanNothing } from '../../../../operations/forecast-accuracy/no-better.ts';
import { isStreamed, type MatchedRows } from '../../../../operations/operation.ts';
import { NO_WINDOWS, type Row } from '../../layout/visitor.ts';
import { html } from '../../markup/html.ts';
import { closedCount } from '../lists/closed-markets.ts';
import { coinsAt } from '../lists/coin-groups.ts';
import type { ListPage } from '../lists/list-page.ts';
import { type LoadedList, listAt, withOwnFees } from '../lists/list-route.ts';
import { type PagePlace, pageNumber } from '../lists/pager.ts';
import { tableRow } from '../lists/row-memo.ts';
import type { PageContext } from '../page-context.ts';
import { type LateVenues, lateVenues } from '../venues/late-venues.ts';
import { type Carry, loadCarry } from './carry.ts';
import { DEFAULT_SORT } from './default-sort.ts';
import { allPairs, type Overview, overviewOf } from './picks.ts';
import { callerOf, isPairs, operationQuery, PATH } from './query.ts';
import type { ShownGroup } from './table.ts';

export interface LoadedPairs extends Omit<LoadedList, 'page' | 'prepared'> {
  groups: readonly ShownGroup[];
  /** What explains the forecasts of the rows. */
  models: ForecastModels;
  /** The place of the page among the coins; null in the view of pairs. */
  coins: PagePlace | null;
  /** Of every pair that the reader may see; null if the snapshot has just gone. */
  overview: Overview | null;
  late: LateVenues;
  doubted: ReadonlySet<string>;
  /** Pairs that fit the filters and have a closed market. */
  closed: number;
  open: { name: string; row: Row; carry: Carry | null } | null;
}

export const PAGE: ListPage = {
  path: PATH,
  operation: arbitrage,
  title: 'Funding arbitrage',
  description:
    'Which two venues to hold a coin long and short on, what it earns after costs, and what it really earned',
  lead: html`Long a coin where funding is low, short it where funding is high, keep the difference. Every APR is percent of
    one leg, after costs, a year.`,
  noun: 'pairs',
  defaultSort: DEFAULT_SORT,
  mainParameters: [],
  columns: [],
};

export async function loadPairs(context: PageContext): Promise<LoadedPairs> {
  const reader = { ...context, caller: callerOf(context) };
  const query = operationQuery(context);
  const { list, place } = await listAt(reader, PAGE, query);
  const { table } = list.rows;
  const asOfMs = Date.parse(list.meta.as_of);
  const late = lateVenues(context.venueTimes(), list.meta.as_of);
  const overview = overviewOf(context, table, asOfMs, late, {
    slippageBp: Number(list.fields.slippage_bp),
    holdDays: Number(list.fields.hold_days),
  });
  const opened = openedPair(context, asOfMs);
  const shown = isPairs(context)
    ? { groups: pairGroups(list.rows, opened?.row), coins: null }
    : coinGroupsOf(reader, query, asOfMs, opened);
  const closed = closedCount(reader, arbitrage, withOwnFees(PAGE, reader.caller, query), asOfMs);
  const carry = opened ? await loadCarry(context, opened.row, list.meta.as_of) : null;
  const { entrance, caller } = reader;
  const models = entrance.data.arbitrage.modelsAt(asOfMs);
  const doubted = await noBetterThanNothing(
    { data: entrance.data, plan: caller.plan, nowMs: entrance.clock.nowMs() },
    Number(list.fields.hold_days),
  );
  return {
    list,
    place,
    models,
    doubted,
    ...shown,
    overview,
    late,
    closed,
    open: opened && { ...opened, carry },
  };
}

interface OpenedPair {
  name: string;
  row: Row;
}

/** The pair that the address names, whether or not it fits the filters. */
function openedPair(context: PageContext, asOfMs: number): OpenedPair | null {
  const [name] = context.sent.get('open') ?? [];
  const all = name === undefined ? null : allPairs(context, asOfMs);
  if (name === undefined || !all) return null;
  const { table, rows } = all;
  const text = (column: string, row: number) => table.text(column, row);
  const found = rows.find(
    (row) =>
      name.startsWith(`${text('coin', row)}-`) &&
      name === `${text('coin', row)}-${text('long_exchange', row)}-${text('short_exchange', row)}`,
  );
  return found === undefined ? null : { name, row: tableRow({ table, numbers: [], columns: null }, found) };
}

/** A shared address opens its row even where the row is on another page by now. */
function pairGroups(rows: LoadedPairs['list']['rows'], opened: Row | undefined): ShownGroup[] {
  const shown = rows.numbers.map((number) => tableRow(rows, number));
  const missing = opened && !shown.some((row) => isSamePair(row, opened)) ? [opened] : [];
  return [...missing, ...shown].map((row) => ({ count: null, pairs: [row] }));
}

function coinGroupsOf(
  context: PageContext,
  query: PageContext['sent'],
  asOfMs: number,
  opened: OpenedPair | null,
): Pick<LoadedPairs, 'groups' | 'coins'> {
  const matched = matchingPairs(context, query, asOfMs);
  if (!matched) return { groups: [], coins: null };
  const sort = query.get('sort')?.[0] ?? DEFAULT_SORT;
  const openCoin = opened === null ? undefined : String(opened.row.coin);
  const { shown, place } = coinsAt(arbitrage, matched, sort, pageNumber(query), openCoin);
  const rowOf = (number: number) => tableRow({ table: matched.table, numbers: [], columns: null }, number);
  const groups: ShownGroup[] = shown.map(({ rows, count }) => ({ count, pairs: rows.map(rowOf) }));
  return { groups: opened ? withOpened(groups, opened.row) : groups, coins: place };
}

/** The opened pair is shown with its coin, also where the filters leave it out. */
function withOpened(groups: ShownGroup[], opened: Row): ShownGroup[] {
  const group = groups.find(({ pairs }) => pairs[0]?.coin === opened.coin);
  if (!group) return [{ count: 1, pairs: [opened] }, ...groups];
  if (group.pairs.some((pair) => isSamePair(pair, opened))) return groups;
  return groups.map((one) => (one === group ? { ...one, pairs: [...one.pairs, opened] } : one));
}

function matchingPairs(context: PageContext, query: PageContext['sent'], asOfMs: number): MatchedRows | null {
  if (!isStreamed(arbitrage)) return null;
  const { entrance, caller } = context;
  const { page: _page, limit: _limit, ...filters } = Object.fromEntries(withOwnFees(PAGE, caller, query));
  const admission = { caller, states: NO_WINDOWS };
  return entrance.streamedList(arbitrage, admission, new Map(Object.entries(filters))).matchesAt(asOfMs);
}

function isSamePair(a: Row, b: Row): boolean {
  return a.coin === b.coin && a.long_exchange === b.long_exchange && a.short_exchange === b.short_exchange;
}

import { rowObject } from '../../../../operations/answer/answer.ts';
import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import type { MatchedRows } from '../../../../operations/operation.ts';
import type { Row } from '../../layout/visitor.ts';
import { html } from '../../markup/html.ts';
import type { ListPage } from '../lists/list-page.ts';
import { type LoadedList, listAt } from '../lists/list-route.ts';
import { tableRow } from '../lists/row-memo.ts';
import type { PageContext } from '../page-context.ts';
import { type Carry, loadCarry } from './carry.ts';
import { rowName } from './paths.ts';
import { allPairs } from './picks.ts';
import { callerOf, operationQuery, PATH } from './query.ts';

export interface LoadedPairs extends Omit<LoadedList, 'page' | 'prepared'> {
  /** Every pair that the reader may see; null if the snapshot has just gone. */
  all: MatchedRows | null;
  rows: readonly Row[];
  open: { name: string; carry: Carry | null } | null;
}

export const PAGE: ListPage = {
  path: PATH,
  operation: arbitrage,
  title: 'Funding arbitrage',
  description:
    'Which two venues to hold a coin long and short on, what it earns after costs, and what it really earned',
  lead: html`Long a coin where funding is low, short it where funding is high, keep the difference. Ranked after costs.`,
  noun: 'pairs',
  mainParameters: [],
  columns: [],
};

export async function loadPairs(context: PageContext): Promise<LoadedPairs> {
  const { sent } = context;
  const { list, place } = await listAt(
    { ...context, caller: callerOf(context) },
    PAGE,
    operationQuery(context),
  );
  const all = allPairs(context, Date.parse(list.meta.as_of));
  let rows = list.rows.numbers.map((number) => tableRow(list.rows, number));
  const [name] = sent.get('open') ?? [];
  if (name === undefined) return { list, place, all, rows, open: null };
  let opened = rows.find((row) => rowName(row) === name);
  if (!opened && all) {
    opened = rowNamed(all, name);
    // A shared address opens its row even where the row is on another page by now.
    if (opened) rows = [opened, ...rows];
  }
  const carry = opened ? await loadCarry(context, opened, list.meta.as_of) : null;
  return { list, place, all, rows, open: opened ? { name, carry } : null };
}

function rowNamed({ table, rows }: MatchedRows, name: string): Row | undefined {
  const found = rows.find(
    (row) =>
      name.startsWith(`${table.text('coin', row)}-`) &&
      name ===
        `${table.text('coin', row)}-${table.text('long_exchange', row)}-${table.text('short_exchange', row)}`,
  );
  return found === undefined ? undefined : rowObject({ table, numbers: [], columns: null }, found);
}

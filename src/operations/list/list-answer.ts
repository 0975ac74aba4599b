import { perSnapshot } from '../../base/per-snapshot.ts';
import { ChangedTable } from '../../market/tables/changed-table.ts';
import type { Table } from '../../market/tables/table.ts';
import type { TableSnapshot } from '../../market/timeline.ts';
import type { FilterPart, FilterSet } from '../../query/filter-set.ts';
import {
  chosenColumns,
  DEFAULT_PAGE_ROWS,
  decodeCursor,
  encodeCursor,
  queryChecksum,
} from '../../query/paging.ts';
import { rangeStart } from '../../query/range-start.ts';
import type { RowFilter } from '../../query/row-filters.ts';
import { SharedRowSets } from '../../query/shared-row-sets.ts';
import { orderOf } from '../../query/sorting.ts';
import { topRows } from '../../query/top-rows.ts';
import { type Page, walk } from '../../query/walk.ts';
import { pageTooLarge } from '../access/refusals.ts';
import type { Answer, AnswerRows } from '../answer/answer.ts';
import { type Meta, metaOf } from '../answer/meta.ts';
import type { MatchedRows, OperationContext } from '../operation.ts';
import { currentSnapshot, cursorSnapshot } from '../snapshots.ts';
import type { ListDescription, Values } from './list-description.ts';

/** Answers a request: snapshot, order, filters, page, fields. `streamed` is the snapshot of a stream's page. */
export function answerList(
  list: ListDescription,
  compiled: FilterSet,
  sent: Values,
  context: OperationContext,
  streamed: TableSnapshot | null = null,
): Answer {
  const { plan } = context;
  const { delaySeconds } = plan;
  const { id: operation, variant, view, object } = list;
  const values = variant || view ? withDefaults(sent, defaultsOf(list)) : sent;
  const chosen = variant ? (values[variant.parameter.name] as number) : 0;
  const sortName = sortNameOf(list, values);
  // A cursor is a parameter, and parameters are checked before the limits of the plan.
  const cursor =
    values.cursor === undefined
      ? null
      : decodeCursor(values.cursor as string, {
          operation,
          delaySeconds,
          query: queryChecksum(values, sortName),
        });
  const limit = limitOf(list, values.limit as number | undefined, context);
  const source = list.source(context.data, chosen);
  const snapshot =
    streamed ?? (cursor ? cursorSnapshot(source, cursor.asOfMs, context) : currentSnapshot(source, context));
  const { asOfMs } = snapshot;
  const selected = select(list, compiled, values, context, snapshot);
  const { table } = selected;
  const page = pageOf(list, selected, sortName, cursor?.position ?? 0, limit);
  const meta: Meta = metaOf(asOfMs, list.path, context);
  meta.count = page.rows.length;
  meta.total = page.total;
  if (page.next !== null) {
    const query = cursor?.query ?? queryChecksum(values, sortName);
    meta.next_cursor = encodeCursor({ operation, delaySeconds, query, asOfMs, position: page.next });
  }
  const rows: AnswerRows = {
    table,
    numbers: page.rows,
    columns: chosenColumns(
      table.spec,
      fieldsOf(list, values.fields as readonly string[] | undefined, streamed),
    ),
  };
  if (!object) return { fields: null, rows, meta };
  return {
    fields: object.fields(values, selected.withheldCount, asOfMs, context),
    rows: { ...rows, field: object.rowsField },
    meta,
    isOfSnapshot: true,
  };
}

/** All matching rows, in no order, or the best ones if `limit` was sent. */
export function matchingRows(
  list: ListDescription,
  compiled: FilterSet,
  sent: Values,
  context: OperationContext,
  snapshot: TableSnapshot,
): MatchedRows {
  const values = withDefaults(sent, defaultsOf(list));
  if (sent.limit === undefined) {
    const table = list.view?.of(snapshot, values, context) ?? snapshot.table;
    const parts = partsOf(sent, compiled, values);
    const rows = rowSets.matching(parts, { table, asOfMs: snapshot.asOfMs });
    const withheld = list.withheld?.(snapshot.table, context) ?? null;
    return { table, rows: withheld === null ? rows : rows.filter((row) => !withheld.has(row)) };
  }
  const selected = select(list, compiled, values, context, snapshot);
  const { table } = selected;
  const limit = limitOf(list, sent.limit as number, context);
  return { table, rows: pageOf(list, selected, sortNameOf(list, values), 0, limit).rows };
}

const rowSets = new SharedRowSets();
/** By the values as they were sent, which are the same object for all snapshots of a question. */
const partsOf = perSnapshot((_sent: Values, compiled: FilterSet, values: Values): readonly FilterPart[] =>
  compiled.parts(values),
);

/** What a request selects from a snapshot, before paging. */
interface Selection {
  table: Table;
  filters: readonly RowFilter[];
  withheldCount: number;
}

function select(
  list: ListDescription,
  compiled: FilterSet,
  values: Values,
  context: OperationContext,
  snapshot: TableSnapshot,
): Selection {
  const { asOfMs } = snapshot;
  const table = list.view?.of(snapshot, values, context) ?? snapshot.table;
  const withheld = list.withheld?.(snapshot.table, context) ?? null;
  const chosen = compiled.rowFilters(values, { table, asOfMs });
  const filters = withheld === null ? chosen : [...chosen, (row: number) => !withheld.has(row)];
  return { table, filters, withheldCount: withheld?.size ?? 0 };
}

function pageOf(
  list: ListDescription,
  { table, filters }: Selection,
  sortName: string,
  position: number,
  limit: number,
): Page {
  const sort = list.sorts[sortName];
  if (!sort) throw new Error(`no sort ${sortName}`);
  if (table instanceof ChangedTable && table.changesColumn(sort.column))
    return topRows(table, sortName, sort, list.ties, filters, position, limit);
  const order = orderOf(baseOf(table), sortName, sort, list.ties);
  return walk(order, filters, rangeStart(table, order, sort, filters, position), limit);
}

function sortNameOf({ defaultSort }: ListDescription, { sort }: Values): string {
  return (sort as string | undefined) ?? defaultSort;
}

function defaultsOf({ view, variant }: ListDescription): Values {
  return { ...view?.defaults, ...(variant ? { [variant.parameter.name]: variant.default } : {}) };
}

/** Orders are kept with the base, because a changed table serves one request. */
function baseOf(table: Table): Table {
  return table instanceof ChangedTable ? table.base : table;
}

/** Without the columns of its identity, a changed row could not be matched with the row that it replaces. */
function fieldsOf(
  { identity }: ListDescription,
  fields: readonly string[] | undefined,
  streamed: TableSnapshot | null,
): readonly string[] | undefined {
  return fields === undefined || streamed === null ? fields : [...identity, ...fields];
}

/** Defaults are part of the cursor's checksum even when they were not sent, always in the same place. */
function withDefaults(sent: Values, defaults: Values): Values {
  const values: Record<string, unknown> = {};
  for (const name in sent) if (!(name in defaults)) values[name] = sent[name];
  for (const name in defaults) values[name] = sent[name] ?? defaults[name];
  return values;
}

function limitOf({ isWhole }: ListDescription, sent: number | undefined, { plan }: OperationContext): number {
  if (sent !== undefined && sent > plan.maxPageRows) throw pageTooLarge(sent, plan);
  return isWhole ? Number.MAX_SAFE_INTEGER : (sent ?? Math.min(DEFAULT_PAGE_ROWS, plan.maxPageRows));
}

import type { Scope } from '../accounts/scopes.ts';
import type { Deprecation } from '../base/deprecation.ts';
import type { Table, TableSpec } from '../market/table.ts';
import type { TableSnapshot, TableSource } from '../market/timeline.ts';
import { FilterSet, type ListFilter } from '../query/filter-set.ts';
import { choice } from '../query/kinds.ts';
import {
  cursorParameter,
  DEFAULT_PAGE_ROWS,
  decodeCursor,
  encodeCursor,
  fieldsParameter,
  keptColumns,
  limitParameter,
  queryChecksum,
} from '../query/paging.ts';
import type { JsonSchema, Parameter, ParameterSet } from '../query/parameter.ts';
import { orderOf, type Sorts, tieOrder } from '../query/sorting.ts';
import { topRows } from '../query/top-rows.ts';
import { walk } from '../query/walk.ts';
import type { Answer, AnswerRows, Fields, Row } from './answer/answer.ts';
import { listConclusion } from './answer/conclusion.ts';
import { flatObjects } from './answer/flat-rows.ts';
import { type Meta, metaOf } from './answer/meta.ts';
import { rowSchema } from './description/row-schema.ts';
import type {
  AnyOperation,
  DataSources,
  OperationContext,
  StreamDescription,
  ToolDescription,
} from './operation.ts';
import { pageTooLarge } from './refusals.ts';
import { checkExchanges } from './served-exchanges.ts';
import { currentSnapshot, cursorSnapshot, heldSnapshot, untilNextSnapshot } from './snapshots.ts';

type Values = Readonly<Record<string, unknown>>;

/** An endpoint that lists rows of one table. Filters, sorting, paging, schemas and words are all made from this. */
export interface ListDescription {
  id: string;
  /** Name in OpenAPI; see Operation.operationId. */
  operationId: string;
  /** Below /api/v1; also the path of the human page with the same rows. */
  path: string;
  scope: Scope | null;
  summary: string;
  description: string;
  table: TableSpec;
  /** Where its snapshots are. `variant` is the chosen or default value of the parameter `variant`, if there is one. */
  source(data: DataSources, variant: number): TableSource;
  /** A parameter that chooses among several tables with the same columns. */
  variant?: { parameter: Parameter<number>; default: number };
  /** Parameters that change figures of the rows, and nothing else. */
  view?: ListView;
  /** The columns that together identify a row from one snapshot to the next. */
  identity: readonly string[];
  filters: Readonly<Record<string, ListFilter>>;
  /** Validates values that belong together; throws a Problem. */
  check?(values: Values): void;
  sorts: Sorts;
  defaultSort: string;
  /** Follows the name of the default sort in the description of `sort`. */
  sortNote?: string;
  /** Columns that break ties, the most significant first. Empty: the table's own row order does. */
  ties: readonly string[];
  /** The list is short and always returned whole: it has no `limit` and `cursor`. */
  isWhole?: boolean;
  /** False for a catalogue, which hardly ever changes: it has no stream. */
  isStreamed?: boolean;
  /** Rows that the caller's plan never gets, whatever the filters. */
  withheld?(table: Table, context: OperationContext): ReadonlySet<number> | null;
  /** Set when `data` is an object that has the rows in one of its fields. */
  object?: ListObject;
  tool?: ListTool;
  example: unknown;
  deprecated?: Deprecation;
}

export interface ListObject {
  title: string;
  /** The field that has the rows; it comes last. */
  rowsField: string;
  properties: Readonly<Record<string, JsonSchema>>;
  /** `values` has the sent or default value of `variant` and of the parameters of `view`. */
  fields(values: Values, withheldCount: number): Fields;
}

export interface ListView {
  parameters: ParameterSet;
  /** The values of parameters that are not sent. */
  defaults: Values;
  /** The table with the figures that the values ask for. It has the same rows as the snapshot's own. */
  of(snapshot: TableSnapshot, values: Values, context: OperationContext): ViewedTable;
}

export interface ViewedTable {
  table: Table;
  /** The columns that only this request needs; null if the table is kept as long as the snapshot. */
  ownColumns: ReadonlySet<string> | null;
}

export interface ListTool extends Omit<ToolDescription, 'conclusion'> {
  /** What one row is, as a noun. */
  noun: string;
  /** The first row in words. */
  conclusion(row: Row): string;
  /** Puts the sentence about the rows into its context, where `data` has other fields. */
  inContext?(sentence: string, fields: Row): string;
}

export function defineList(list: ListDescription): AnyOperation {
  const { id, path, table, filters, variant, object, identity } = list;
  const compiled = new FilterSet(filters);
  checkColumns(list, compiled);
  const parameters: ParameterSet = {
    ...(variant ? { [variant.parameter.name]: variant.parameter } : {}),
    ...list.view?.parameters,
    ...compiled.parameters,
    sort: choice(
      'sort',
      Object.keys(list.sorts),
      `Order of the rows; default ${list.defaultSort}${list.sortNote ?? ''}`,
    ),
    ...(list.isWhole ? {} : { limit: limitParameter, cursor: cursorParameter }),
    fields: fieldsParameter(table),
  };
  const exchangeNames = Object.values(parameters).flatMap((one) => (one.isExchangeName ? [one.name] : []));
  const check = (values: Values, context: OperationContext) => {
    for (const name of exchangeNames)
      if (values[name] !== undefined) checkExchanges(context, values[name] as readonly string[]);
    list.check?.(values);
  };
  const rowsSchema: JsonSchema = { type: 'array', items: rowSchema(table) };
  return {
    id,
    operationId: list.operationId,
    path,
    scope: list.scope,
    summary: list.summary,
    description: list.description,
    ...(list.tool ? { tool: toolOf(list.tool) } : {}),
    parameters,
    // Where there are variants, all their tables are published together.
    freshness: untilNextSnapshot((data) => list.source(data, variant?.default ?? 0)),
    data: object ? objectSchema(object, rowsSchema) : rowsSchema,
    rows: { table, identity },
    formats: {
      names: ['csv'],
      flat: (data) => flatObjects(table.columns, rowsIn(data, object)),
    },
    ...(list.isStreamed === false ? {} : { stream: streamOf(list, compiled, parameters, check) }),
    example: list.example,
    ...(list.deprecated ? { deprecated: list.deprecated } : {}),
    run: (values, context) => {
      check(values, context);
      return answerList(list, compiled, values, context);
    },
  };
}

function streamOf(
  list: ListDescription,
  compiled: FilterSet,
  { cursor: _cursor, ...parameters }: ParameterSet,
  check: (values: Values, context: OperationContext) => void,
): StreamDescription {
  const { variant } = list;
  const sourceOf = (values: Values, { data }: OperationContext) =>
    list.source(data, variant ? ((values[variant.parameter.name] as number) ?? variant.default) : 0);
  return {
    parameters,
    newestAsOfMs: (values, context) =>
      sourceOf(values, context).at(context.plan.delaySeconds, context.nowMs)?.asOfMs ?? null,
    pageAt: (asOfMs, values, context) => {
      check(values, context);
      const snapshot = heldSnapshot(sourceOf(values, context), asOfMs, context);
      if (!snapshot) return null;
      const answer = answerList(list, compiled, values, context, snapshot);
      delete answer.meta.next_cursor;
      return answer;
    },
  };
}

/** Answers a request: snapshot, order, filters, page, fields. `streamed` is the snapshot of a stream's page. */
function answerList(
  list: ListDescription,
  compiled: FilterSet,
  sent: Values,
  context: OperationContext,
  streamed: TableSnapshot | null = null,
): Answer {
  const { plan } = context;
  const { delaySeconds } = plan;
  const { id: operation, variant, view, object } = list;
  const defaults = { ...view?.defaults, ...(variant ? { [variant.parameter.name]: variant.default } : {}) };
  const values = variant || view ? withDefaults(sent, defaults) : sent;
  const chosen = variant ? (values[variant.parameter.name] as number) : 0;
  const sortName = (values.sort as string | undefined) ?? list.defaultSort;
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
  const viewed = view?.of(snapshot, values, context) ?? { table: snapshot.table, ownColumns: null };
  const { table } = viewed;
  const sort = list.sorts[sortName];
  if (!sort) throw new Error(`no sort ${sortName}`);
  const withheld = list.withheld?.(snapshot.table, context) ?? null;
  const chosenRows = compiled.rowFilters(values, { table, asOfMs });
  const filters = withheld === null ? chosenRows : [...chosenRows, (row: number) => !withheld.has(row)];
  const position = cursor?.position ?? 0;
  const page = viewed.ownColumns?.has(sort.column)
    ? topRows(table, sort, tieOrder(snapshot.table, list.ties), filters, position, limit)
    : walk(
        orderOf(viewed.ownColumns ? snapshot.table : table, sortName, sort, list.ties),
        filters,
        position,
        limit,
      );
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
    columns: keptColumns(
      table.spec,
      fieldsOf(list, values.fields as readonly string[] | undefined, streamed),
    ),
  };
  if (!object) return { fields: null, rows, meta };
  return {
    fields: object.fields(values, withheld?.size ?? 0),
    rows: { ...rows, field: object.rowsField },
    meta,
  };
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

function rowsIn(data: unknown, object: ListObject | undefined): readonly Row[] {
  const rows = object ? (data as Row)[object.rowsField] : data;
  return rows as readonly Row[];
}

function objectSchema({ title, properties, rowsField }: ListObject, rows: JsonSchema): JsonSchema {
  const all = { ...properties, [rowsField]: rows };
  return {
    type: 'object',
    title,
    properties: all,
    required: Object.keys(all),
    additionalProperties: false,
  };
}

function toolOf({ name, title, place, noun, conclusion, inContext }: ListTool): ToolDescription {
  const sentenceOf = listConclusion(noun, conclusion);
  return {
    name,
    title,
    place,
    conclusion: inContext
      ? (answer) => inContext(sentenceOf(answer), (answer.fields ?? {}) as Row)
      : sentenceOf,
  };
}

/** A mistyped column fails when the module is loaded, not when somebody uses it. */
function checkColumns({ id, table, sorts, ties, identity }: ListDescription, { columns }: FilterSet): void {
  const sorted = Object.values(sorts).flatMap(({ column, orSmaller }) => [column, orSmaller ?? column]);
  for (const name of [...columns, ...sorted, ...ties, ...identity]) {
    if (!table.columns.some((column) => column.name === name))
      throw new Error(`${id}: the table ${table.name} has no column ${name}`);
  }
}

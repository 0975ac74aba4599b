import { Problem } from '../base/problems.ts';
import { isoTime } from '../base/times.ts';
import type { Table, TableSpec } from '../market/table.ts';
import type { TableSnapshot, TableSource } from '../market/timeline.ts';
import type { MaybeFilter } from '../query/filters.ts';
import { DEFAULT_PAGE_ROWS, decodeCursor, encodeCursor, questionOf } from '../query/paging.ts';
import type { JsonSchema } from '../query/parameter.ts';
import { orderOf, type Sorts } from '../query/sorting.ts';
import { walk } from '../query/walk.ts';
import { deprecatedField } from './description/deprecation.ts';
import {
  type Answer,
  type AnyOperation,
  type DataSources,
  type Meta,
  type OperationContext,
  SOURCE_NAME,
} from './operation.ts';
import { pageTooLarge, snapshotUnavailable, unknownExchange } from './refusals.ts';

interface ListValues {
  limit?: number | undefined;
  cursor?: string | undefined;
  fields?: readonly string[] | undefined;
  sort?: string | undefined;
}

export interface ListQuestion {
  operationId: string;
  /** Path of the human page of the same rows. */
  page: string;
  values: ListValues & Readonly<Record<string, unknown>>;
  sorts: Sorts;
  defaultSort: string;
  /** Columns that break ties, most telling first. */
  ties: readonly string[];
  source: TableSource;
  filtersOf: (table: Table, asOfMs: number) => readonly MaybeFilter[];
  /** Lists that are short by nature come whole. */
  isWhole?: boolean;
}

/** Answers a list endpoint: snapshot, order, filters, page, fields. */
export function answerList(question: ListQuestion, context: OperationContext): Answer {
  const { values } = question;
  const { plan } = context;
  const sortName = values.sort ?? question.defaultSort;
  const { operationId: operation } = question;
  const { delaySeconds } = plan;
  // A cursor is a parameter, and parameters come before the plan's limits.
  const cursor =
    values.cursor === undefined
      ? null
      : decodeCursor(values.cursor, { operation, delaySeconds, question: questionOf(values, sortName) });
  if (values.limit !== undefined && values.limit > plan.maxPageRows) throw pageTooLarge(values.limit, plan);
  const limit = question.isWhole
    ? Number.MAX_SAFE_INTEGER
    : (values.limit ?? Math.min(DEFAULT_PAGE_ROWS, plan.maxPageRows));
  const { source } = question;
  const { asOfMs, table } = cursor
    ? heldSnapshot(source, cursor.asOfMs, context)
    : currentSnapshot(source, context);
  const sort = question.sorts[sortName];
  if (!sort) throw new Error(`no sort ${sortName}`);
  const order = orderOf(table, sortName, sort, question.ties);
  const page = walk(order, question.filtersOf(table, asOfMs), cursor?.position ?? 0, limit);
  const meta = metaOf(asOfMs, question.page, context);
  meta.count = page.rows.length;
  meta.total = page.total;
  if (page.next !== null) {
    const name = cursor?.question ?? questionOf(values, sortName);
    meta.next_cursor = encodeCursor({ operation, delaySeconds, question: name, asOfMs, position: page.next });
  }
  const { fields } = values;
  if (fields) return { data: rowsJson(table, page.rows, fields), meta };
  return new RowsAnswer(table, page.rows, meta);
}

/** An answer of whole rows. Doors that write the rows themselves never ask for them as one text. */
class RowsAnswer implements Answer {
  readonly rows: { table: Table; numbers: readonly number[] };
  readonly meta: Meta;
  #data: string | null = null;

  constructor(table: Table, numbers: readonly number[], meta: Meta) {
    this.rows = { table, numbers };
    this.meta = meta;
  }

  get data(): string {
    this.#data ??= rowsJson(this.rows.table, this.rows.numbers, undefined);
    return this.#data;
  }
}

export function rowsJson(
  table: Table,
  rows: readonly number[],
  fields: readonly string[] | undefined,
): string {
  const columns = fields ? table.spec.columns.filter((column) => fields.includes(column.name)) : null;
  let text = '[';
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (i > 0) text += ',';
    text += columns ? table.fieldsJson(row, columns) : table.rowJson(row);
  }
  return `${text}]`;
}

/** What the caller's plan may see now. */
export function currentSnapshot(source: TableSource, context: OperationContext): TableSnapshot {
  const moment = source.at(context.plan.delaySeconds, context.nowMs);
  if (moment) return moment;
  throw snapshotUnavailable();
}

/** A cursor may name any held moment that its reader's plan may see by now. */
function heldSnapshot(source: TableSource, asOfMs: number, context: OperationContext): TableSnapshot {
  const isAllowed = asOfMs <= context.nowMs - context.plan.delaySeconds * 1000;
  const moment = isAllowed ? source.exactly(asOfMs) : null;
  if (moment) return moment;
  throw new Problem(
    'invalid-parameter',
    '"cursor" has expired: its snapshot is no longer held; start again without it.',
  );
}

/** For operations that answer from one table: fresh until the next moment of it. */
export function untilNextSnapshot(
  pick: (data: DataSources) => TableSource,
): NonNullable<AnyOperation['freshness']> {
  return (data, delaySeconds, nowMs) => pick(data).at(delaySeconds, nowMs)?.asOfMs ?? null;
}

const NOT_IN_PAGE_ADDRESS = new Set(['cursor', 'limit', 'fields']);

export function metaOf(asOfMs: number, page: string, context: OperationContext): Meta {
  let text = '';
  for (const [name, values] of context.sent) {
    if (!NOT_IN_PAGE_ADDRESS.has(name)) text += `${text === '' ? '' : '&'}${name}=${inQuery(values)}`;
  }
  return {
    as_of: asOfText(asOfMs),
    delayed_seconds: context.plan.delaySeconds,
    source: SOURCE_NAME,
    url: `${context.baseUrl}${page}${text === '' ? '' : `?${text}`}`,
    count: null,
    total: null,
  };
}

/** By character: 0 stands in a query as it is, 1 is a comma, 2 must be escaped like all from 128 on. */
const IN_QUERY = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return character === ',' ? 1 : /[\w.*-]/.test(character) ? 0 : 2;
});

/** A list as URLSearchParams writes it, which is slow for what are mostly plain words. */
function inQuery(values: readonly string[]): string {
  const list = values.length === 1 ? (values[0] as string) : values.join(',');
  let kinds = 0;
  for (let i = 0; i < list.length; i++) kinds |= IN_QUERY[list.charCodeAt(i)] ?? 2;
  if (kinds === 0) return list;
  return kinds === 1 ? list.replaceAll(',', '%2C') : new URLSearchParams([['', list]]).toString().slice(1);
}

let lastAsOf = { ms: 0, text: '' };

/** One request after the other tells of the same moment. */
function asOfText(asOfMs: number): string {
  if (lastAsOf.ms !== asOfMs) lastAsOf = { ms: asOfMs, text: isoTime(asOfMs) };
  return lastAsOf.text;
}

/** Venue names must be served ones in their exact spelling. */
export function checkExchanges(context: OperationContext, ...lists: (readonly string[] | undefined)[]): void {
  const { venues } = context.data;
  for (const list of lists) {
    for (const name of list ?? []) {
      if (venues.some(({ facts }) => facts.exchange === name)) continue;
      throw unknownExchange(
        name,
        venues.map(({ facts }) => facts.exchange),
      );
    }
  }
}

/** JSON Schema of a table's row, from its columns. */
export function rowSchema(spec: TableSpec): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const column of spec.columns) {
    const base = COLUMN_SCHEMAS[column.type];
    properties[column.name] = {
      ...(column.nullable ? { anyOf: [base, { type: 'null' }] } : base),
      description: column.description,
      ...(column.deprecated ? deprecatedField(column.deprecated) : {}),
    };
  }
  return {
    type: 'object',
    title: spec.rowTitle ?? `${spec.name.charAt(0).toUpperCase()}${spec.name.slice(1)}Row`,
    properties,
    required: spec.columns.map((column) => column.name),
    additionalProperties: false,
  };
}

const COLUMN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  text: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  number: { type: 'number', format: 'double' },
  integer: { type: 'integer', format: 'int32' },
  flag: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
};

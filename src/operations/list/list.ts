import { FilterSet } from '../../query/filter-set.ts';
import { choice } from '../../query/kinds.ts';
import { cursorParameter, fieldsParameter, limitParameter } from '../../query/paging.ts';
import type { JsonSchema, ParameterSet } from '../../query/parameter.ts';
import type { Row } from '../answer/answer.ts';
import { listConclusion } from '../answer/conclusion.ts';
import { flatObjects } from '../answer/flat-rows.ts';
import { alwaysShown, rowSchema } from '../description/row-schema.ts';
import type { AnyOperation, OperationContext, StreamDescription, ToolDescription } from '../operation.ts';
import { checkExchanges } from '../served-exchanges.ts';
import { heldSnapshot, untilNextSnapshot } from '../snapshots.ts';
import { answerList, matchingRows } from './list-answer.ts';
import type { ListDescription, ListObject, ListTool, Values } from './list-description.ts';
import { neededParameters } from './needed-parameters.ts';

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
  const checkNeeded = neededParameters(list);
  const check = (values: Values, context: OperationContext) => {
    checkNeeded(values);
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
    rows: {
      ...{ table, identity, sorts: list.sorts, defaultSort: list.defaultSort, ties: list.ties },
      ...(list.words ? { words: list.words } : {}),
    },
    shortRows: list.shortRows,
    formats: {
      names: ['csv'],
      flat: (data) => flatObjects(alwaysShown(table), rowsIn(data, object)),
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
    series: (values) =>
      `${list.id} ${variant ? (values[variant.parameter.name] ?? variant.default) : ''}`.trim(),
    newestAsOfMs: (values, context) =>
      sourceOf(values, context).at(context.plan.delaySeconds, context.nowMs)?.asOfMs ?? null,
    nextAsOfMs: (asOfMs, values, context) =>
      sourceOf(values, context).after(asOfMs, context.plan.delaySeconds, context.nowMs),
    pageAt: (asOfMs, values, context) => {
      check(values, context);
      const snapshot = heldSnapshot(sourceOf(values, context), asOfMs, context);
      if (!snapshot) return null;
      const answer = answerList(list, compiled, values, context, snapshot);
      delete answer.meta.next_cursor;
      return answer;
    },
    matchesAt: (asOfMs, values, context) => {
      check(values, context);
      const snapshot = heldSnapshot(sourceOf(values, context), asOfMs, context);
      return snapshot && matchingRows(list, compiled, values, context, snapshot);
    },
    fetch: async (asOfMs, values, context) => (await sourceOf(values, context).fetch?.(asOfMs)) ?? false,
  };
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
function checkColumns(
  { id, table, sorts, ties, identity, shortRows }: ListDescription,
  { columns }: FilterSet,
): void {
  const sorted = Object.values(sorts).flatMap(({ column, orSmaller }) => [column, orSmaller ?? column]);
  const short = [...shortRows.leading, ...Object.entries(shortRows.intervals ?? {}).flat()];
  for (const name of [...columns, ...sorted, ...ties, ...identity, ...short]) {
    if (!table.columns.some((column) => column.name === name))
      throw new Error(`${id}: the table ${table.name} has no column ${name}`);
  }
}

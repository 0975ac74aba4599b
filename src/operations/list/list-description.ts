import type { Scope } from '../../accounts/scopes.ts';
import type { Deprecation } from '../../base/deprecation.ts';
import type { Table, TableSpec } from '../../market/tables/table.ts';
import type { TableSnapshot, TableSource } from '../../market/timeline.ts';
import type { ListFilter } from '../../query/filter-set.ts';
import type { JsonSchema, Parameter, ParameterSet } from '../../query/parameter.ts';
import type { Sorts } from '../../query/sorting.ts';
import type { Fields, Row } from '../answer/answer.ts';
import type { RowWords } from '../answer/row-words.ts';
import type { ShortRows } from '../answer/short-rows.ts';
import type { DataSources, OperationContext, ToolDescription } from '../operation.ts';

export type Values = Readonly<Record<string, unknown>>;

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
  shortRows: ShortRows;
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
  /** How alerts describe a row; by default it is made from the identity. */
  words?: RowWords;
  example: unknown;
  deprecated?: Deprecation;
}

export interface ListObject {
  title: string;
  /** The field that has the rows; it comes last. */
  rowsField: string;
  properties: Readonly<Record<string, JsonSchema>>;
  /** `values` has the sent or default value of `variant` and of the parameters of `view`. */
  fields(values: Values, withheldCount: number, asOfMs: number, context: OperationContext): Fields;
}

interface ListView {
  parameters: ParameterSet;
  /** The values of parameters that are not sent. */
  defaults: Values;
  /** The table with the figures that the values ask for. It has the same rows as the snapshot's own. */
  of(snapshot: TableSnapshot, values: Values, context: OperationContext): Table;
}

export interface ListTool extends Omit<ToolDescription, 'conclusion'> {
  /** What one row is, as a noun. */
  noun: string;
  /** The first row in words. */
  conclusion(row: Row): string;
  /** Puts the sentence about the rows into its context, where `data` has other fields. */
  inContext?(sentence: string, fields: Row): string;
}

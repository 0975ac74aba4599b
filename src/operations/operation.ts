import type { Caller } from '../accounts/keys/directory.ts';
import type { Plan } from '../accounts/plans.ts';
import type { Scope } from '../accounts/scopes.ts';
import type { WindowStates } from '../accounts/windows/windows.ts';
import type { Deprecation } from '../base/deprecation.ts';
import type { MaybeLater } from '../base/maybe-later.ts';
import type { SizeUsd } from '../history/samples/model.ts';
import type { SettlementKeeper } from '../history/settlements/keeper.ts';
import type { Table } from '../market/table.ts';
import type { TableSource } from '../market/timeline.ts';
import type { JsonSchema, ParameterSet, ValuesOf } from '../query/parameter.ts';
import type { Venue } from '../venues/venue.ts';

/** Everything that answers are made from. */
export interface DataSources {
  venues: readonly Venue[];
  funding: TableSource;
  spreads: TableSource;
  /** One table for each order size. */
  backtest: Readonly<Record<SizeUsd, TableSource>>;
  listings: TableSource;
  coins: TableSource;
  exchanges: TableSource;
  history: HistorySource;
  /**
   * Of several processes one may be a moment behind. After a question has failed: null when nothing was missing here
   * that others may hold, else whether it is here now and the question worth asking again.
   */
  lookAgain?: () => Promise<boolean> | null;
}

/** Settled prints: which contracts have any, and how to read them. */
export type HistorySource = Pick<SettlementKeeper, 'directory' | 'reader' | 'changes'>;

/** What an operation may use to answer. */
export interface OperationContext {
  baseUrl: string;
  nowMs: number;
  plan: Plan;
  caller: Caller;
  /** The caller's windows, this request already counted. */
  states: WindowStates;
  data: DataSources;
  /** The parameters as they were sent, for the address of the page with the same filters. */
  sent: ReadonlyMap<string, readonly string[]>;
}

export interface Meta {
  as_of: string;
  delayed_seconds: number;
  source: string;
  url: string;
  count: number | null;
  total: number | null;
  next_cursor?: string;
}

/** `data` is JSON text: rows are serialised once per snapshot, and put together when it is first read. */
export interface Answer {
  data: string;
  meta: Meta;
  /** Of a plain list: the rows that `data` is made of, for doors that also write them in another way. */
  rows?: { table: Table; numbers: readonly number[] };
}

/** One endpoint: REST route, MCP tool, API description, discovery and docs are all made from this. */
export interface Operation<P extends ParameterSet = ParameterSet> {
  id: string;
  /** Below /api/v1; path parameters in braces. */
  path: string;
  /** Null: any valid key will do. */
  scope: Scope | null;
  summary: string;
  /** Units, signs, ages, and when to use a neighbour instead. */
  description: string;
  tool: { name: string; title: string };
  parameters: P;
  /**
   * A number that changes whenever answers may change, so that finished answers can be kept until then. Null: answers
   * are never kept, nor may anybody else keep them.
   */
  freshness: ((data: DataSources, delaySeconds: number, nowMs: number) => number | null) | null;
  /** JSON Schema of `data`. */
  data: JsonSchema;
  /** A plausible `data` for the API description; by default one is made from the schema. */
  example?: unknown;
  /** Callers are told in headers and in the API description. A field says it in its own schema. */
  deprecated?: Deprecation;
  /** Answers from memory come at once; what a database must be asked for may come later. */
  run(values: ValuesOf<P>, context: OperationContext): MaybeLater<Answer>;
}

export type AnyOperation = Operation<ParameterSet>;

/** Keeps the parameter types inside the operation and hides them outside. */
export function defineOperation<P extends ParameterSet>(operation: Operation<P>): AnyOperation {
  return operation as unknown as AnyOperation;
}

export const SOURCE_NAME = 'Perpwire';

import type { Caller } from '../accounts/directory.ts';
import type { Plan } from '../accounts/plans.ts';
import type { Scope } from '../accounts/scopes.ts';
import type { WindowStates } from '../accounts/windows.ts';
import type { TableSource } from '../market/timeline.ts';
import type { JsonSchema, ParameterSet, ValuesOf } from '../query/parameter.ts';
import type { Venue } from '../venues/venue.ts';

/** Everything that answers are made from. */
export interface DataSources {
  venues: readonly Venue[];
  funding: TableSource;
  coins: TableSource;
  exchanges: TableSource;
}

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

/** `data` is JSON text already: rows are serialised once per snapshot, not once per answer. */
export interface Answer {
  data: string;
  meta: Meta;
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
  run(values: ValuesOf<P>, context: OperationContext): Answer;
}

export type AnyOperation = Operation<ParameterSet>;

/** Keeps the parameter types inside the operation and hides them outside. */
export function defineOperation<P extends ParameterSet>(operation: Operation<P>): AnyOperation {
  return operation as unknown as AnyOperation;
}

export const SOURCE_NAME = 'Perpwire';

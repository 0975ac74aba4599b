import type { Caller } from '../accounts/keys/directory.ts';
import type { Plan } from '../accounts/plans.ts';
import type { Scope } from '../accounts/scopes.ts';
import type { WindowStates } from '../accounts/windows/windows.ts';
import type { Deprecation } from '../base/deprecation.ts';
import type { ArbitrageSource } from '../engines/arbitrage/source.ts';
import type { DepthCostStore } from '../history/depth/store.ts';
import type { ForecastStore } from '../history/forecasts/store.ts';
import type { CoinPriceStore } from '../history/prices/store.ts';
import type { SizeUsd } from '../history/samples/model.ts';
import type { SettlementKeeper } from '../history/settlements/keeper.ts';
import type { TapeStore } from '../history/tape/store.ts';
import type { Table, TableSpec } from '../market/tables/table.ts';
import type { TableSource } from '../market/timeline.ts';
import type { JsonSchema, ParameterSet, ValuesOf } from '../query/parameter.ts';
import type { Sorts } from '../query/sorting.ts';
import type { Venue } from '../venues/venue.ts';
import type { Answer } from './answer/answer.ts';
import type { RowWords } from './answer/row-words.ts';
import type { ShortRows } from './answer/short-rows.ts';
import type { FileFormats } from './format.ts';

/** Everything that answers are made from. */
export interface DataSources {
  venues: readonly Venue[];
  funding: TableSource;
  spreads: TableSource;
  /** One table for each order size. */
  backtest: Readonly<Record<SizeUsd, TableSource>>;
  arbitrage: ArbitrageSource;
  /** What the order books hold. */
  depth: TableSource;
  /** What orders cost against the books over time. */
  depthCosts: Pick<DepthCostStore, 'series'>;
  /** Running rates, premiums and open interest over time. */
  tape: Pick<TapeStore, 'series'>;
  /** The weights of the forecasts. */
  forecastModels: TableSource;
  /** How past forecasts turned out. */
  forecastScores: Pick<ForecastStore, 'scored' | 'scores'>;
  listings: TableSource;
  coins: TableSource;
  exchanges: TableSource;
  history: HistorySource;
  /** Prices of coins over time. */
  prices: Pick<CoinPriceStore, 'series'>;
}

/** Settled prints: the directory of contracts that have any, and their reader. */
export type HistorySource = Pick<SettlementKeeper, 'directory' | 'reader' | 'changes'>;

/** What an operation may use to answer. */
export interface OperationContext {
  baseUrl: string;
  nowMs: number;
  plan: Plan;
  caller: Caller;
  /** The caller's windows, with this request already counted. */
  states: WindowStates;
  data: DataSources;
  /** The query parameters as they were sent, for the address of the page with the same filters. */
  sent: ReadonlyMap<string, readonly string[]>;
}

/** How the operation appears to AI assistants. */
export interface ToolDescription<A extends Answer = Answer> {
  name: string;
  title: string;
  /** Position in the list of tools, which follows a conversation: find the coin, then its rates. */
  place: number;
  /** What the answer says, in one or two sentences with units. It states only what the data shows. */
  conclusion(answer: A): string;
}

/** The table rows in an operation's answers. */
export interface RowsDescription {
  table: TableSpec;
  /** The columns that together identify a row from one snapshot to the next. */
  identity: readonly string[];
  /** With these a client that follows the list can keep its rows in order. */
  sorts: Sorts;
  defaultSort: string;
  /** Columns that break ties, the most significant first. */
  ties: readonly string[];
  words?: RowWords;
}

/** Rows of a snapshot that match the filters of a list, by their numbers in its table. */
export interface MatchedRows {
  table: Table;
  rows: readonly number[];
}

/** How clients follow the answers of a list: `GET /stream` and the path of the operation. */
export interface StreamDescription {
  /** The parameters of the list without `cursor`. */
  parameters: ParameterSet;
  /** The time of the newest snapshot that the caller's plan may see; null if there is none yet. */
  newestAsOfMs(values: Values, context: OperationContext): number | null;
  /** The time of the first snapshot after the given time that is held and that the plan may see; null if there is none. */
  nextAsOfMs(asOfMs: number, values: Values, context: OperationContext): number | null;
  /**
   * The page at one snapshot; its rows always have the columns of `rows.identity`. Null if the snapshot is not held, or
   * the plan may not see it yet. Throws the problems of the list. Depends only on plan, parameters and snapshot, so
   * callers with the same plan and parameters share it.
   */
  pageAt(asOfMs: number, values: Values, context: OperationContext): Answer | null;
  /** All matching rows, in no order, or the best ones if `limit` was sent. Null and problems as for `pageAt`. */
  matchesAt(asOfMs: number, values: Values, context: OperationContext): MatchedRows | null;
  /** Fetches a snapshot that is not held but that another process may have; resolves to whether it is held now. */
  fetch(asOfMs: number, values: Values, context: OperationContext): Promise<boolean>;
  /** Names the table that the values choose. Values with the same name have snapshots of the same times. */
  series(values: Values): string;
}

type Values = Readonly<Record<string, unknown>>;

/** One endpoint: REST route, MCP tool, API description, discovery and docs are all made from this. */
export interface Operation<P extends ParameterSet = ParameterSet, A extends Answer = Answer> {
  id: string;
  /** Name in OpenAPI, from which clients make their methods, so it must never change. */
  operationId: string;
  /** Below /api/v1; path parameters in braces. */
  path: string;
  /** Null: any valid key may call it. */
  scope: Scope | null;
  summary: string;
  /** Units, signs, ages, and when to use a neighbouring endpoint instead. */
  description: string;
  /** Absent for an endpoint that only REST has. */
  tool?: ToolDescription<A>;
  parameters: P;
  /**
   * A number that changes whenever answers may change; finished answers are cached until then. Null: answers are never
   * cached, by us or by clients.
   */
  freshness: ((data: DataSources, delaySeconds: number, nowMs: number) => number | null) | null;
  /** JSON Schema of `data`. */
  data: JsonSchema;
  /** Set for operations whose answers are lists of table rows. */
  rows?: RowsDescription;
  /** Absent for an operation without rows. */
  shortRows?: ShortRows;
  /**
   * The fields of `data` that lead to the rows that clients show as a table. Absent where there is no choice. Objects in
   * such rows are columns with dotted names.
   */
  tableRows?: readonly string[];
  /** Absent for an operation that only answers JSON. */
  formats?: FileFormats;
  /** Set for operations that clients can follow as a stream. */
  stream?: StreamDescription;
  /** An example of `data` for the API description; by default one is made from the schema. */
  example?: unknown;
  /** Announced to callers in headers and in the API description. A deprecated field has it in its own schema. */
  deprecated?: Deprecation;
  /** Answers from memory are returned at once; answers from the database come later. */
  run(values: ValuesOf<P>, context: OperationContext): A | Promise<A>;
}

export type AnyOperation = Operation<ParameterSet>;
export type StreamedOperation = AnyOperation & Required<Pick<AnyOperation, 'rows' | 'stream'>>;

export function isStreamed(operation: AnyOperation): operation is StreamedOperation {
  return operation.rows !== undefined && operation.stream !== undefined;
}

/** Checks the types of parameters and answers inside the operation and erases them outside. */
export function defineOperation<P extends ParameterSet, A extends Answer>(
  operation: Operation<P, A>,
): AnyOperation {
  return operation as unknown as AnyOperation;
}

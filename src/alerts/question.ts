import type { Caller } from '../accounts/keys/directory.ts';
import type { WindowState } from '../accounts/windows/windows.ts';
import { Problem } from '../base/problems.ts';
import { scopeMissing } from '../operations/access/refusals.ts';
import { metaOf } from '../operations/answer/meta.ts';
import {
  type AnyOperation,
  type DataSources,
  isStreamed,
  type MatchedRows,
  type OperationContext,
  type StreamedOperation,
} from '../operations/operation.ts';
import { withAccountFees } from '../operations/taker-fees.ts';
import { type RawValues, readParameters, sentInOrder } from '../query/parameter.ts';
import { nearest } from '../query/suggestions.ts';

/** The list of one or more rules, with checked filters. */
export interface Question {
  /** Equal for rules that get the same rows: operation, filters, and whether the data is delayed. */
  readonly key: string;
  /** Equal for questions whose snapshots have the same times. */
  readonly source: string;
  readonly operation: StreamedOperation;
  readonly delaySeconds: number;
  /** The filters as they were typed, in the order of the list, without those that it does not know. */
  readonly query: string;
  newestAsOfMs(nowMs: number): number | null;
  /** The first held snapshot after the given time; null if there is none. */
  nextAsOfMs(asOfMs: number, nowMs: number): number | null;
  /** Null if the snapshot is not held. */
  matchesAt(asOfMs: number, nowMs: number): MatchedRows | null;
}

export interface QuestionContext {
  baseUrl: string;
  data: DataSources;
  operations: readonly AnyOperation[];
}

/** A rule uses no quota, so its questions have no windows. */
const UNUSED: WindowState = { limit: 0, used: 0, remaining: 0, resetsAtMs: 0, resetSeconds: 0 };
/** They choose what a page shows, and a rule has none. */
const NOT_OF_A_RULE = new Set(['fields', 'cursor']);

/** The list with this path. Throws the problem of an unknown endpoint. */
function operationAt(operations: readonly AnyOperation[], path: string): StreamedOperation {
  const streamed = operations.filter(isStreamed);
  const found = streamed.find((operation) => operation.path === `/${path}`);
  if (found) return found;
  const paths = streamed.map((operation) => operation.path.slice(1));
  throw new Problem('not-found', `There is no list "${path.slice(0, 40)}".`, {
    suggestions: nearest(path, paths),
  });
}

/** The filters of a URL's query. */
function rawValuesOf(query: string): RawValues {
  const raw = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (NOT_OF_A_RULE.has(name)) continue;
    const values = raw.get(name);
    if (values) values.push(value);
    else raw.set(name, [value]);
  }
  return raw;
}

/** The page of a list with the same filters. */
export function pageUrlOf(baseUrl: string, path: string, query: string): string {
  return metaOf(0, `/${path}`, { baseUrl, plan: { delaySeconds: 0 }, sent: rawValuesOf(query) }).url;
}

function queryOf(sent: RawValues): string {
  return new URLSearchParams([...sent].map(([name, values]) => [name, values.join(',')])).toString();
}

/** Throws the problems that the list has with the same filters, except that its data may be missing. */
export function questionOf(
  path: string,
  query: string,
  caller: Caller,
  { baseUrl, data, operations }: QuestionContext,
): Question {
  const operation = operationAt(operations, path);
  const { scope, stream } = operation;
  const states = { minute: UNUSED, month: UNUSED };
  if (scope !== null && !caller.scopes.includes(scope)) throw scopeMissing(scope, caller.scopes, states);
  const typed = rawValuesOf(query);
  const raw = withAccountFees(operation, caller, typed);
  const values = readParameters(stream.parameters, raw);
  const { plan } = caller;
  const sent = sentInOrder(stream.parameters, raw);
  const contextAt = (nowMs: number): OperationContext => ({
    ...{ baseUrl, nowMs, plan, caller, states, data, sent },
  });
  const source = `${plan.delaySeconds} ${stream.series(values)}`;
  return {
    key: `${source} ${JSON.stringify(values)}`,
    source,
    operation,
    delaySeconds: plan.delaySeconds,
    query: queryOf(sentInOrder(stream.parameters, typed)),
    newestAsOfMs: (nowMs) => stream.newestAsOfMs(values, contextAt(nowMs)),
    nextAsOfMs: (asOfMs, nowMs) => stream.nextAsOfMs(asOfMs, values, contextAt(nowMs)),
    matchesAt: (asOfMs, nowMs) => stream.matchesAt(asOfMs, values, contextAt(nowMs)),
  };
}

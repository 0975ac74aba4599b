import type { Caller } from '../../accounts/directory.ts';
import type { WindowStates } from '../../accounts/windows.ts';
import type { KnownText } from '../../base/known-text.ts';
import { andThen, type MaybeLater } from '../../base/maybe-later.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import type { Admission, Entrance } from '../../operations/entrance.ts';
import { rawValues } from './arguments.ts';
import type { Era } from './protocol.ts';
import { ResultCache } from './result-cache.ts';
import { errorTail, resultTail } from './tool-result.ts';
import type { Tool } from './tools.ts';

export interface CallOutcome {
  /** The message from after its id to its end; bytes when they are kept for others too. */
  tail: Buffer | KnownText;
  /** The caller's windows after the call; null when it was not counted. */
  states: WindowStates | null;
  /** What a refusal tells in headers: how long to wait, and the windows where they stopped the call. */
  told?: Readonly<Record<string, string>>;
}

export type ToolArguments = Readonly<Record<string, unknown>>;
export type CallTool = (tool: Tool, args: ToolArguments, caller: Caller, era: Era) => MaybeLater<CallOutcome>;

/** A tool call is one request through the same entrance as REST; finished results are kept as long as REST's are. */
export function toolCalls(entrance: Entrance, metrics: Metrics): CallTool {
  const cache = new ResultCache();
  const counters = new Map<string, { inc(): void }>();

  const count = (operation: string, status: number): void => {
    const key = `${operation} ${status}`;
    let counter = counters.get(key);
    if (!counter) {
      counter = metrics.requests.labels({ operation, status });
      counters.set(key, counter);
    }
    counter.inc();
  };

  const resultFor = (
    { operation }: Tool,
    args: ToolArguments,
    { caller, states }: Admission,
    era: Era,
  ): MaybeLater<Buffer | KnownText> => {
    const { name } = operation.tool;
    const freshness = entrance.freshness(operation, caller);
    const question = freshness === null ? '' : `${era} ${caller.plan.name} ${name} ${JSON.stringify(args)}`;
    const known = freshness === null ? undefined : cache.get(question, freshness);
    if (known) return known;
    return andThen(entrance.run(operation, caller, states, rawValues(operation, args)), (answer) => {
      const made = resultTail(name, answer, era);
      return freshness === null ? made : cache.offer(question, freshness, made);
    });
  };

  const failed = (
    error: unknown,
    tool: Tool,
    caller: Caller,
    admission: Admission | null,
    era: Era,
  ): MaybeLater<CallOutcome> => {
    if (!(error instanceof Problem)) throw error;
    // A key cannot get another scope, so its owner is told in words; a grant can, so its client is told by HTTP.
    if (error.code === 'scope-missing' && caller.keyId === null) throw error;
    count(tool.definition.name, error.status);
    // The challenge belongs to HTTP's 401 and 403, which a result is not.
    const { 'www-authenticate': _challenge, ...told } = error.headers;
    const outcome = { tail: errorTail(error, era), told };
    if (!admission) return { ...outcome, states: null };
    const states = error.status === 503 ? entrance.refund(admission) : admission.states;
    return andThen(states, (told) => ({ ...outcome, states: told }));
  };

  return (tool, args, caller, era) => {
    let admission: Admission | null = null;
    const fail = (error: unknown) => failed(error, tool, caller, admission, era);
    try {
      const outcome = andThen(entrance.admit(tool.operation, caller), (admitted) => {
        admission = admitted;
        return andThen(resultFor(tool, args, admitted, era), (tail): CallOutcome => {
          count(tool.definition.name, 200);
          return { tail, states: admitted.states };
        });
      });
      return outcome instanceof Promise ? outcome.catch(fail) : outcome;
    } catch (error) {
      return fail(error);
    }
  };
}

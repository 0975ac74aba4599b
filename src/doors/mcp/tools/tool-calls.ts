import type { Caller } from '../../../accounts/keys/directory.ts';
import type { WindowStates } from '../../../accounts/windows/windows.ts';
import { andThen, type MaybeLater } from '../../../base/maybe-later.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { Problem } from '../../../base/problems.ts';
import type { Tally } from '../../../base/tally-counter.ts';
import type { Admission, Entrance } from '../../../operations/entrance.ts';
import type { Era } from '../protocol/protocol.ts';
import { rawValues } from './arguments.ts';
import { ResultCache } from './result-cache.ts';
import type { Tail } from './tail.ts';
import { errorTail, resultTail } from './tool-result.ts';
import type { Tool } from './tools.ts';

export interface CallOutcome {
  /** The message from after its id to its end. */
  tail: Tail;
  /** The caller's windows after the call; null when it was not counted. */
  states: WindowStates | null;
  /** What a refusal tells in headers: how long to wait, and the windows where they stopped the call. */
  told?: Readonly<Record<string, string>>;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A tool and what it is asked. */
export class ToolCall {
  readonly tool: Tool;
  readonly args: ToolArguments;
  #era: Era | null = null;
  #planName = '';
  #question = '';

  constructor(tool: Tool, args: ToolArguments) {
    this.tool = tool;
    this.args = args;
  }

  /** What results are kept under. The one of before is kept, because it is mostly asked for again. */
  questionOf(era: Era, planName: string): string {
    if (era !== this.#era || planName !== this.#planName) {
      this.#era = era;
      this.#planName = planName;
      this.#question = `${era} ${planName} ${this.tool.definition.name} ${JSON.stringify(this.args)}`;
    }
    return this.#question;
  }
}

export type CallTool = (call: ToolCall, caller: Caller, era: Era) => MaybeLater<CallOutcome>;

/** A tool call is one request through the same entrance as REST; finished results are kept as long as REST's are. */
export function toolCalls(entrance: Entrance, metrics: Metrics): CallTool {
  const cache = new ResultCache();
  const counted = new Map<Tool, Tally>();

  const countGood = (tool: Tool): void => {
    let counter = counted.get(tool);
    if (!counter) {
      counter = metrics.requests.labels({ operation: tool.definition.name, status: 200 });
      counted.set(tool, counter);
    }
    counter.inc();
  };

  const resultFor = (call: ToolCall, { caller, states }: Admission, era: Era): MaybeLater<Tail> => {
    const { operation } = call.tool;
    const freshness = entrance.freshness(operation, caller);
    const question = freshness === null ? '' : call.questionOf(era, caller.plan.name);
    const known = freshness === null ? undefined : cache.get(question, freshness);
    if (known) return known;
    return andThen(entrance.run(operation, caller, states, rawValues(operation, call.args)), (answer) => {
      const made = resultTail(operation.tool.name, answer, era);
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
    metrics.requests.inc({ operation: tool.definition.name, status: error.status });
    // The challenge belongs to HTTP's 401 and 403, which a result is not.
    const { 'www-authenticate': _challenge, ...told } = error.headers;
    const outcome = { tail: errorTail(error, era), told };
    if (!admission) return { ...outcome, states: null };
    const states = error.status === 503 ? entrance.refund(admission) : admission.states;
    return andThen(states, (told) => ({ ...outcome, states: told }));
  };

  return (call, caller, era) => {
    const { tool } = call;
    let admission: Admission | null = null;
    const fail = (error: unknown) => failed(error, tool, caller, admission, era);
    try {
      const outcome = andThen(entrance.admit(tool.operation, caller), (admitted) => {
        admission = admitted;
        return andThen(resultFor(call, admitted, era), (tail): CallOutcome => {
          countGood(tool);
          return { tail, states: admitted.states };
        });
      });
      return outcome instanceof Promise ? outcome.catch(fail) : outcome;
    } catch (error) {
      return fail(error);
    }
  };
}

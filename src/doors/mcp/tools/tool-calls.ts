import type { Caller } from '../../../accounts/keys/directory.ts';
import type { WindowStates } from '../../../accounts/windows/windows.ts';
import { andThen, type MaybeLater } from '../../../base/maybe-later.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { Problem } from '../../../base/problems.ts';
import type { Tally } from '../../../base/tally-counter.ts';
import { textHash } from '../../../base/text-hash.ts';
import type { Admission } from '../../../operations/access/admission.ts';
import type { Entrance } from '../../../operations/access/entrance.ts';
import type { CacheKey } from '../../http/connection-memory.ts';
import type { Era } from '../protocol/protocol.ts';
import { rawValues } from './arguments.ts';
import { ResultCache } from './result-cache.ts';
import type { Tail } from './tail.ts';
import { errorTail, resultTail } from './tool-result.ts';
import type { Tool } from './tools.ts';

export interface CallOutcome {
  /** The JSON-RPC response after its id: everything that is the same for all callers. */
  tail: Tail;
  /** The caller's windows after the call; null if the call was not counted. */
  states: WindowStates | null;
  /** Headers of a refusal: Retry-After, and the windows if they are spent. */
  headers?: Readonly<Record<string, string>>;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

/** Of a result that is not cached. */
const NO_KEY: CacheKey = { text: '', hash: 0 };

/** A tool and the arguments of one call. */
export class ToolCall {
  readonly tool: Tool;
  readonly args: ToolArguments;
  #era: Era | null = null;
  #planName = '';
  #cacheKey = NO_KEY;

  constructor(tool: Tool, args: ToolArguments) {
    this.tool = tool;
    this.args = args;
  }

  /** The cache key of the result. The last one is remembered: repeated calls usually have the same. */
  cacheKey(era: Era, planName: string): CacheKey {
    if (era !== this.#era || planName !== this.#planName) {
      this.#era = era;
      this.#planName = planName;
      const text = `${era} ${planName} ${this.tool.definition.name} ${JSON.stringify(this.args)}`;
      this.#cacheKey = { text, hash: textHash(text) };
    }
    return this.#cacheKey;
  }
}

/** Results at saved fees differ between accounts that make the same call. */
function withFees(key: CacheKey, fees: string): CacheKey {
  return fees === '' ? key : { text: `${key.text}${fees}`, hash: textHash(fees, key.hash) };
}

export type CallTool = (call: ToolCall, caller: Caller, era: Era) => MaybeLater<CallOutcome>;

/** A tool call is one request through the same entrance as REST. Finished results are cached as long as REST's. */
export function toolCalls(entrance: Entrance, metrics: Metrics): CallTool {
  const cache = new ResultCache();
  const counted = new Map<Tool, Tally>();

  const countSuccess = (tool: Tool): void => {
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
    const fees = operation.parameters.fees ? (caller.takerFees ?? '') : '';
    const key = freshness === null ? NO_KEY : withFees(call.cacheKey(era, caller.plan.name), fees);
    const known = freshness === null ? undefined : cache.get(key, freshness);
    if (known) return known;
    return andThen(entrance.run(operation, caller, states, rawValues(operation, call.args)), (answer) => {
      const made = resultTail(call.tool, answer, era);
      return freshness === null ? made : cache.offer(key, freshness, made);
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
    // A grant can get another scope, so its client needs the HTTP challenge; a key cannot, so its owner gets the text.
    if (error.code === 'scope-missing' && caller.keyId === null) throw error;
    metrics.requests.inc({ operation: tool.definition.name, status: error.status });
    // The challenge belongs to a 401 or 403; a result has status 200.
    const { 'www-authenticate': _challenge, ...headers } = error.headers;
    const outcome = { tail: errorTail(error, era), headers };
    if (!admission) return { ...outcome, states: null };
    const states = error.status === 503 ? entrance.refund(admission) : admission.states;
    return andThen(states, (after) => ({ ...outcome, states: after }));
  };

  return (call, caller, era) => {
    const { tool } = call;
    let admission: Admission | null = null;
    const fail = (error: unknown) => failed(error, tool, caller, admission, era);
    try {
      const outcome = andThen(entrance.admit(tool.operation, caller), (admitted) => {
        admission = admitted;
        return andThen(resultFor(call, admitted, era), (tail): CallOutcome => {
          countSuccess(tool);
          return { tail, states: admitted.states };
        });
      });
      return outcome instanceof Promise ? outcome.catch(fail) : outcome;
    } catch (error) {
      return fail(error);
    }
  };
}

import type { Caller } from '../../../accounts/keys/directory.ts';
import type { WindowStates } from '../../../accounts/windows/windows.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { Problem } from '../../../base/problems.ts';
import type { Admission } from '../../../operations/access/admission.ts';
import type { Entrance } from '../../../operations/access/entrance.ts';
import type { SizedText } from '../../../operations/answer/answer.ts';
import { AnswerCache } from '../../http/answers/answer-cache.ts';
import type { Era } from '../protocol/protocol.ts';
import { rawValues } from './arguments.ts';
import { errorResult, toolResult } from './tool-result.ts';
import type { Tool } from './tools.ts';

export interface CallOutcome {
  /** The JSON of the result; as bytes if it is cached. */
  result: Buffer | SizedText;
  /** The caller's windows after the call; null if the call was not counted. */
  states: WindowStates | null;
  /** Headers of a refusal: Retry-After, and the windows if they are spent. */
  headers?: Readonly<Record<string, string>>;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A tool and the arguments of one call. */
export interface ToolCall {
  tool: Tool;
  args: ToolArguments;
}

export type CallTool = (call: ToolCall, caller: Caller, era: Era) => Promise<CallOutcome>;

interface CachedResult {
  /** Null for a call that came once: most come only once, and caching their results costs more than it saves. */
  result: Buffer | null;
  /** See Operation.freshness. */
  freshness: number;
  bytes: number;
}

const CAME_ONCE: CachedResult = { result: null, freshness: 0, bytes: 0 };
const CACHE_BYTES = 64 * 1024 * 1024;

/** A tool call is one request through the same entrance as REST. Finished results are cached as long as REST's. */
export function toolCalls(entrance: Entrance, metrics: Metrics): CallTool {
  const cache = new AnswerCache<CachedResult>(CACHE_BYTES);

  const resultFor = async (
    { tool, args }: ToolCall,
    { caller, states }: Admission,
    era: Era,
  ): Promise<Buffer | SizedText> => {
    const { operation, definition } = tool;
    const freshness = entrance.freshness(operation, caller);
    // Results at saved fees differ between accounts that make the same call.
    const fees = operation.parameters.fees ? (caller.takerFees ?? '') : '';
    const key = `${era} ${caller.plan.name} ${definition.name} ${fees} ${JSON.stringify(args)}`;
    const known = freshness === null ? undefined : cache.get(key);
    if (known?.result && known.freshness === freshness) return known.result;
    const answer = await entrance.run(operation, caller, states, rawValues(tool, args));
    const result = toolResult(tool, answer, era);
    if (freshness === null) return result;
    if (!known) {
      cache.set(key, CAME_ONCE);
      return result;
    }
    const bytes = Buffer.from(result.text);
    cache.set(key, { result: bytes, freshness, bytes: bytes.length });
    return bytes;
  };

  const failed = async (
    error: unknown,
    tool: Tool,
    caller: Caller,
    admission: Admission | null,
    era: Era,
  ): Promise<CallOutcome> => {
    if (!(error instanceof Problem)) throw error;
    // A grant can get another scope, so its client needs the HTTP challenge; a key cannot, so its owner gets the text.
    if (error.code === 'scope-missing' && caller.keyId === null) throw error;
    metrics.requests.inc({ operation: tool.definition.name, status: error.status });
    // The challenge belongs to a 401 or 403; a result has status 200.
    const { 'www-authenticate': _challenge, ...headers } = error.headers;
    const states = admission && (error.status === 503 ? await entrance.refund(admission) : admission.states);
    return { result: errorResult(error, era), headers, states };
  };

  return async (call, caller, era) => {
    const { tool } = call;
    let admission: Admission | null = null;
    try {
      admission = await entrance.admit(tool.operation, caller);
      const result = await resultFor(call, admission, era);
      metrics.requests.inc({ operation: tool.definition.name, status: 200 });
      return { result, states: admission.states };
    } catch (error) {
      return await failed(error, tool, caller, admission, era);
    }
  };
}

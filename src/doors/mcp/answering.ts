import type { Caller } from '../../accounts/keys/directory.ts';
import type { Log } from '../../base/log.ts';
import { andThen, type MaybeLater } from '../../base/maybe-later.ts';
import { Problem } from '../../base/problems.ts';
import { type ChallengeTargets, challenged } from './credentials.ts';
import { type HttpCall, publicFault, sendAccepted, sendResult } from './http-call.ts';
import type { PromptLibrary } from './prompts/library.ts';
import { readMessage } from './protocol/message.ts';
import { FreeMethods } from './protocol/methods.ts';
import { type Era, eraOf, type RpcRequest } from './protocol/protocol.ts';
import { RpcError } from './protocol/rpc-error.ts';
import type { DocumentResources } from './resources/resources.ts';
import { rethrowing } from './rethrowing.ts';
import { KnownCalls, type SplitBody, splitBody } from './tools/known-calls.ts';
import { type CallOutcome, type CallTool, type ToolArguments, ToolCall } from './tools/tool-calls.ts';
import type { Tool } from './tools/tools.ts';

export interface AnsweringOptions {
  tools: readonly Tool[];
  resources: DocumentResources;
  prompts: PromptLibrary;
  callTool: CallTool;
  challenge: ChallengeTargets;
  log: Log;
}

/** Answers one message of an authenticated caller. */
export type AnswerMessage = (httpCall: HttpCall, caller: Caller, text: string) => MaybeLater<void>;

const INVALID_PARAMS = -32_602;

export function answering(options: AnsweringOptions): AnswerMessage {
  const { tools, callTool, challenge, log } = options;
  const free = new FreeMethods(options);
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const knownCalls = new KnownCalls();

  const callIn = ({ id, params }: RpcRequest): ToolCall => {
    const { name, arguments: args = {} } = params;
    const tool = typeof name === 'string' ? byName.get(name) : undefined;
    if (!tool) throw new RpcError(INVALID_PARAMS, `There is no tool "${String(name).slice(0, 80)}"`, { id });
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      throw new RpcError(INVALID_PARAMS, '"arguments" must be an object', { id });
    return new ToolCall(tool, args as ToolArguments);
  };

  const called = (call: ToolCall, era: Era, caller: Caller): MaybeLater<CallOutcome> =>
    rethrowing(
      () => callTool(call, caller, era),
      (error) => (error instanceof Problem ? challenged(error, call.tool.scope, challenge) : error),
    );

  const answerNew = (
    httpCall: HttpCall,
    caller: Caller,
    message: RpcRequest,
    split: SplitBody | null,
  ): MaybeLater<void> => {
    const { id, method, params } = message;
    const era = eraOf(message, httpCall.request.headers);
    if (method !== 'tools/call')
      return sendResult(httpCall, id, { tail: free.answer(message, era), states: null });
    const call = callIn(message);
    return andThen(called(call, era, caller), (outcome) => {
      if (split && outcome.tail.isCached) knownCalls.add(split.rest, { method, params, call });
      sendResult(httpCall, id, outcome);
    });
  };

  return (httpCall, caller, text) => {
    const split = splitBody(text);
    const known = split ? knownCalls.get(split.rest) : undefined;
    const message =
      split && known ? { id: split.id, method: known.method, params: known.params } : readMessage(text);
    if (message === null) return sendAccepted(httpCall);
    return rethrowing(
      () =>
        known
          ? andThen(called(known.call, eraOf(message, httpCall.request.headers), caller), (outcome) =>
              sendResult(httpCall, message.id, outcome),
            )
          : answerNew(httpCall, caller, message, split),
      (error) => publicFault(error, httpCall.requestId, log, message.id),
    );
  };
}

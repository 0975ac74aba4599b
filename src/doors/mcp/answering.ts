import type { Caller } from '../../accounts/keys/directory.ts';
import type { Log } from '../../base/log.ts';
import { Problem } from '../../base/problems.ts';
import { rateHeaders } from '../../operations/access/refusals.ts';
import { type ChallengeTargets, challenged } from './credentials.ts';
import { type HttpCall, publicFault, sendAccepted, sendResult } from './http-call.ts';
import type { PromptLibrary } from './prompts/library.ts';
import { readMessage } from './protocol/message.ts';
import { FreeMethods } from './protocol/methods.ts';
import { type Era, eraOf, type RpcRequest } from './protocol/protocol.ts';
import { RpcError } from './protocol/rpc-error.ts';
import type { DocumentResources } from './resources/resources.ts';
import type { CallOutcome, CallTool, ToolArguments, ToolCall } from './tools/tool-calls.ts';
import type { Tool } from './tools/tools.ts';

type RateHeadersOf = (caller: Caller) => Promise<Readonly<Record<string, string>>>;

interface AnsweringOptions {
  tools: readonly Tool[];
  resources: DocumentResources;
  prompts: PromptLibrary;
  callTool: CallTool;
  /** The windows of a caller whose message does not count. */
  rateHeadersOf: RateHeadersOf;
  challenge: ChallengeTargets;
  log: Log;
}

/** Answers one message of an authenticated caller. */
type AnswerMessage = (httpCall: HttpCall, caller: Caller, text: string) => Promise<void>;

const INVALID_PARAMS = -32_602;

export function answering(options: AnsweringOptions): AnswerMessage {
  const { tools, callTool, rateHeadersOf, challenge, log } = options;
  const free = new FreeMethods(options);
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));

  const callIn = ({ id, params }: RpcRequest): ToolCall => {
    const { name, arguments: args = {} } = params;
    const tool = typeof name === 'string' ? byName.get(name) : undefined;
    if (!tool) throw new RpcError(INVALID_PARAMS, `There is no tool "${String(name).slice(0, 80)}"`, { id });
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      throw new RpcError(INVALID_PARAMS, '"arguments" must be an object', { id });
    return { tool, args: args as ToolArguments };
  };

  const called = async (call: ToolCall, era: Era, caller: Caller): Promise<CallOutcome> => {
    try {
      return await callTool(call, caller, era);
    } catch (error) {
      throw error instanceof Problem ? challenged(error, call.tool.scope, challenge) : error;
    }
  };

  return async (httpCall, caller, text) => {
    const message = readMessage(text);
    if (message === null) return sendAccepted(httpCall, await rateHeadersOf(caller));
    try {
      const era = eraOf(message, httpCall.request.headers);
      const outcome =
        message.method === 'tools/call'
          ? await called(callIn(message), era, caller)
          : { result: Buffer.from(free.answer(message, era)), states: null };
      const { states } = outcome;
      sendResult(httpCall, message.id, outcome, states ? rateHeaders(states) : await rateHeadersOf(caller));
    } catch (error) {
      throw publicFault(error, httpCall.requestId, log, message.id);
    }
  };
}

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../accounts/directory.ts';
import type { Log } from '../../base/log.ts';
import { andThen, type MaybeLater } from '../../base/maybe-later.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import type { Entrance } from '../../operations/entrance.ts';
import { requestIdOf } from '../http/request-id.ts';
import type { RawHandler } from '../http/server.ts';
import { type ChallengeWords, challenged, type FindGrant, identify } from './credentials.ts';
import { type Exchange, publicFault, sendAccepted, sendFault, sendResult } from './exchange.ts';
import { readMessage } from './message.ts';
import { FreeMethods } from './methods.ts';
import { type OriginRules, originGuard } from './origins.ts';
import { type Era, eraOf, type RpcRequest } from './protocol.ts';
import { readBody } from './read-body.ts';
import { RpcError } from './rpc-error.ts';
import { type CallOutcome, type CallTool, type ToolArguments, toolCalls } from './tool-calls.ts';
import type { Tool } from './tools.ts';

export const MCP_PATH = '/mcp';

export interface McpOptions {
  entrance: Entrance;
  tools: readonly Tool[];
  findGrant: FindGrant;
  origins: OriginRules;
  challenge: ChallengeWords;
  metrics: Metrics;
  log: Log;
  /** Only tests give their own, to add tools that the conformance suite wants. */
  callTool?: CallTool;
}

const PREFLIGHT = {
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-Api-Key',
  'access-control-max-age': '86400',
};
const INVALID_PARAMS = -32_602;

/** The assistants' door: one POST address for both protocol eras, without sessions. */
export function mcpDoor(options: McpOptions): (server: FastifyInstance) => Promise<void> {
  const { entrance, tools, findGrant, metrics, log } = options;
  const guard = originGuard(options.origins);
  const free = new FreeMethods(tools);
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const callTool = options.callTool ?? toolCalls(entrance, metrics);

  const toolOf = ({ id, params }: RpcRequest): Tool => {
    const { name, arguments: args } = params;
    const tool = typeof name === 'string' ? byName.get(name) : undefined;
    if (!tool) throw new RpcError(INVALID_PARAMS, `There is no tool "${String(name).slice(0, 80)}"`, { id });
    if (args !== undefined && (typeof args !== 'object' || args === null || Array.isArray(args)))
      throw new RpcError(INVALID_PARAMS, '"arguments" must be an object', { id });
    return tool;
  };

  const outcomeOf = (message: RpcRequest, era: Era, caller: Caller): MaybeLater<CallOutcome> => {
    if (message.method !== 'tools/call') return { tail: free.answer(message, era), states: null };
    const tool = toolOf(message);
    const args = (message.params.arguments ?? {}) as ToolArguments;
    return rethrowing(
      () => callTool(tool, args, caller, era),
      (error) => (error instanceof Problem ? challenged(error, tool.scope, options.challenge) : error),
    );
  };

  const answer = (exchange: Exchange, caller: Caller, text: string): MaybeLater<void> => {
    const message = readMessage(text);
    if (message === null) return sendAccepted(exchange);
    return rethrowing(
      () =>
        andThen(outcomeOf(message, eraOf(message, exchange.request.headers), caller), (outcome) =>
          sendResult(exchange, message.id, outcome),
        ),
      (error) => publicFault(error, exchange.requestId, log, message.id),
    );
  };

  const callerOf = (request: IncomingMessage, address: string): MaybeLater<Caller> =>
    rethrowing(
      () => identify(entrance, findGrant, request.headers, address),
      (error) => (error instanceof Problem ? challenged(error, null, options.challenge) : error),
    );

  return async (server) => {
    const { addressOf, directPosts } = server.bare;
    /** Origin and host, then credentials, and only then the body: strangers cost next to nothing. */
    const post: RawHandler = (request, response) => {
      const { headers } = request;
      const requestId = requestIdOf(headers['x-request-id']);
      const exchange = { request, response, requestId, cors: guard.corsHeaders(headers) };
      const fail = (error: unknown) =>
        sendFault(exchange, publicFault(error, requestId, log, null), entrance.baseUrl);
      try {
        guard.check(headers);
        const done = andThen(callerOf(request, addressOf(request)), (caller) =>
          readBody(request).then((text) => answer(exchange, caller, text)),
        );
        if (done instanceof Promise) done.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    directPosts.set(MCP_PATH, post);
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', (_request, _payload, done) => done(null));
    server.post(MCP_PATH, (request, reply) => {
      reply.hijack();
      post(request.raw, reply.raw);
    });
    server.options(MCP_PATH, async (request, reply) => {
      guard.check(request.headers);
      return reply
        .code(204)
        .headers({ ...PREFLIGHT, ...guard.corsHeaders(request.headers) })
        .send();
    });
    server.route({
      method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
      url: MCP_PATH,
      handler: async () => {
        throw new Problem(
          'method-not-allowed',
          'Assistants send POST here; there are no streams or sessions.',
          { headers: { allow: 'POST, OPTIONS' } },
        );
      },
    });
  };
}

/** Does the work, now or later, and puts another error in the place of the one that it ends with. */
function rethrowing<Value>(
  work: () => MaybeLater<Value>,
  instead: (error: unknown) => unknown,
): MaybeLater<Value> {
  const rethrow = (error: unknown): never => {
    throw instead(error);
  };
  try {
    const value = work();
    return value instanceof Promise ? value.catch(rethrow) : value;
  } catch (error) {
    return rethrow(error);
  }
}

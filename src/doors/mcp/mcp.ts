import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../accounts/keys/directory.ts';
import type { PlanOffers } from '../../accounts/plan-offers.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { DOCUMENTS } from '../documents/registry.ts';
import type { RawHandler } from '../http/exact-paths.ts';
import { requestIdOf } from '../http/request-id.ts';
import { answering } from './answering.ts';
import { type ChallengeTargets, challenged, type FindGrant, identify } from './credentials.ts';
import { publicFault, sendFault } from './http-call.ts';
import { PromptLibrary } from './prompts/library.ts';
import { PROMPTS } from './prompts/prompts.ts';
import { type OriginRules, originGuard } from './protocol/origins.ts';
import { readBody } from './protocol/read-body.ts';
import { DocumentResources } from './resources/resources.ts';
import { type CallTool, toolCalls } from './tools/tool-calls.ts';
import type { Tool } from './tools/tools.ts';

const MCP_PATH = '/mcp';

interface McpOptions {
  entrance: Entrance;
  tools: readonly Tool[];
  /** The operations that the documents, which are the resources, describe. */
  operations: readonly AnyOperation[];
  /** What the document of the plans offers. */
  offers?: PlanOffers;
  findGrant: FindGrant;
  origins: OriginRules;
  challenge: ChallengeTargets;
  metrics: Metrics;
  log: Log;
  /** For tests, which add the tools that the conformance suite calls. */
  callTool?: CallTool;
}

const PREFLIGHT = {
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-Api-Key',
  'access-control-max-age': '86400',
};

/** The MCP door: one POST address for both protocol eras, without sessions. */
export function mcpDoor(options: McpOptions): (server: FastifyInstance) => Promise<void> {
  const { entrance, tools, findGrant, metrics, log, challenge } = options;
  const guard = originGuard(options.origins);
  const callTool = options.callTool ?? toolCalls(entrance, metrics);
  const { baseUrl, freePagesPerMinute, data } = entrance;
  const resources = new DocumentResources(DOCUMENTS, {
    baseUrl,
    operations: options.operations,
    freePagesPerMinute,
    ...(options.offers ? { offers: options.offers } : {}),
  });
  const prompts = new PromptLibrary(PROMPTS, baseUrl, () => data.venues.map(({ facts }) => facts.exchange));
  const rateHeadersOf = async (caller: Caller) => ({ ...(await entrance.rateHeadersOf(caller)) });
  const answer = answering({ tools, resources, prompts, callTool, rateHeadersOf, challenge, log });

  const callerOf = async (request: IncomingMessage, address: string): Promise<Caller> => {
    try {
      return await identify(entrance, findGrant, request, address);
    } catch (error) {
      throw error instanceof Problem ? challenged(error, null, challenge) : error;
    }
  };

  return async (server) => {
    const { addressOf, directPosts } = server.bare;
    /** Checks origin and host, then credentials, and reads the body last, so that unknown callers cost little. */
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { headers } = request;
      const requestId = requestIdOf(headers['x-request-id']);
      const httpCall = { request, response, requestId, cors: guard.corsHeaders(headers) };
      let caller: Caller | null = null;
      try {
        guard.check(headers);
        caller = await callerOf(request, addressOf(request));
        await answer(httpCall, caller, await readBody(request));
      } catch (error) {
        const rates = caller ? await rateHeadersOf(caller) : {};
        sendFault(httpCall, publicFault(error, requestId, log, null), baseUrl, rates);
      }
    };
    const post: RawHandler = (request, response) => {
      serve(request, response).catch(() => response.destroy());
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

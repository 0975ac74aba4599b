import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../accounts/keys/directory.ts';
import type { PlanOffers } from '../../accounts/plan-offers.ts';
import type { Log } from '../../base/log.ts';
import { andThen, type MaybeLater } from '../../base/maybe-later.ts';
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
import { rethrowing } from './rethrowing.ts';
import { type CallTool, toolCalls } from './tools/tool-calls.ts';
import type { Tool } from './tools/tools.ts';

export const MCP_PATH = '/mcp';

export interface McpOptions {
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
  const answer = answering({ tools, resources, prompts, callTool, challenge, log });

  const callerOf = (request: IncomingMessage, address: string): MaybeLater<Caller> =>
    rethrowing(
      () => identify(entrance, findGrant, request, address),
      (error) => (error instanceof Problem ? challenged(error, null, challenge) : error),
    );

  return async (server) => {
    const { addressOf, directPosts } = server.bare;
    /** Checks origin and host, then credentials, and reads the body last, so that unknown callers cost little. */
    const post: RawHandler = (request, response) => {
      const { headers } = request;
      const requestId = requestIdOf(headers['x-request-id']);
      const httpCall = { request, response, requestId, cors: guard.corsHeaders(headers) };
      const fail = (error: unknown) =>
        sendFault(httpCall, publicFault(error, requestId, log, null), entrance.baseUrl);
      const readFor = (caller: Caller) => {
        const take = (text: string) => {
          try {
            const done = answer(httpCall, caller, text);
            if (done instanceof Promise) done.catch(fail);
          } catch (error) {
            fail(error);
          }
        };
        readBody(request, { take, fail });
      };
      try {
        guard.check(headers);
        const done = andThen(callerOf(request, addressOf(request)), readFor);
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../base/metrics.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import { API_PATH, discoveryDocument } from '../../operations/description/discovery.ts';
import { openApiDocument } from '../../operations/description/openapi.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { AnswerCache } from '../http/answers/answer-cache.ts';
import { PREFLIGHT_HEADERS } from '../http/common-headers.ts';
import { documentHandler } from './documents.ts';
import { type CachedAnswer, type PathValues, serveOperation } from './serve.ts';

interface RestOptions {
  entrance: Entrance;
  operations: readonly AnyOperation[];
  metrics: Metrics;
}

const CACHE_BYTES = 64 * 1024 * 1024;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The REST door: a route for each operation, and the two documents that describe them. */
export function restDoor({
  entrance,
  operations,
  metrics,
}: RestOptions): (server: FastifyInstance) => Promise<void> {
  const { baseUrl } = entrance;
  const cache = new AnswerCache<CachedAnswer>(CACHE_BYTES);

  const preflight: Handler = async (request, reply) =>
    reply
      .code(204)
      .headers({ ...PREFLIGHT_HEADERS, 'x-request-id': request.id })
      .send();

  return async (server) => {
    const { direct, addressOf, log } = server.bare;
    const route = (path: string, get: Handler) => {
      server.route({ method: ['GET', 'HEAD'], url: path, handler: get });
      server.route({ method: 'OPTIONS', url: path, handler: preflight });
    };
    for (const operation of operations) {
      const serve = serveOperation(operation, { entrance, cache, addressOf, metrics, log });
      const path = `${API_PATH}${operation.path}`;
      if (!path.includes('{')) direct.set(path, serve);
      route(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
        reply.hijack();
        serve(request.raw, reply.raw, request.params as PathValues);
        return reply;
      });
    }
    const refuseDisabled = () => entrance.refuseDisabled();
    route(API_PATH, documentHandler(discoveryDocument(operations, baseUrl), entrance, refuseDisabled));
    route(`${API_PATH}/openapi.json`, documentHandler(openApiDocument(operations, baseUrl), entrance));
    // Without a preflight answer, a page of another origin could not even read the 404 of an unknown path.
    server.route({ method: 'OPTIONS', url: `${API_PATH}/*`, handler: preflight });
  };
}

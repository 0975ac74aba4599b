import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { PROBLEM_TYPE, problemBody } from './problem-body.ts';
import { requestIdOf } from './request-id.ts';

export interface HttpOptions {
  baseUrl: () => string;
  trustedProxies: readonly string[];
  log: Log;
  metrics: Metrics;
}

const MAX_HEADER_BYTES = 32 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

/** The HTTP server that all public doors share: ids, problem bodies for every fault, nothing private in answers. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const server = Fastify({
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    // Doors read the query themselves, and only when an answer is not at hand already.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500, querystringParser: () => ({}) },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) => {
      sendProblem(
        request,
        reply as FastifyReply,
        new Problem('bad-request', 'The URL cannot be read; check its percent-encoding.'),
        options,
      );
    },
    clientErrorHandler: (_error, socket) => {
      if (!socket.writable) return;
      const problem = new Problem(
        'bad-request',
        'The request cannot be read as HTTP, or its headers are over 32 kB.',
      );
      const body = problemBody(problem, requestIdOf(undefined), options.baseUrl());
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    },
  });
  server.setErrorHandler((error, request, reply) => {
    sendProblem(request, reply, publicProblem(error, request, options.log), options);
  });
  return server;
}

/** What a caller may learn of an error. Anything that is not a Problem is logged in full and shown as nothing. */
function publicProblem(error: unknown, request: FastifyRequest, log: Log): Problem {
  if (error instanceof Problem) return error;
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new Problem('bad-request', 'The request body or headers cannot be read.');
  }
  log.error({ err: error, requestId: request.id, url: request.url }, 'request failed');
  return new Problem(
    'internal',
    'Something failed on our side. Tell the operator the request id in "instance".',
  );
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  options: Pick<HttpOptions, 'baseUrl' | 'metrics'>,
): void {
  options.metrics.requests.inc({ operation: 'problem', status: problem.status });
  void reply
    .code(problem.status)
    .headers({
      'content-type': PROBLEM_TYPE,
      'cache-control': 'no-store',
      'x-request-id': request.id,
      'access-control-allow-origin': '*',
      ...problem.headers,
    })
    .send(problemBody(problem, request.id, options.baseUrl()));
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { holdTickShape } from '../../base/tick-shape.ts';
import { databaseUnavailable } from '../../operations/refusals.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import { type AddressOf, addressReader } from './address.ts';
import { unreadable, writeUnreadable } from './client-errors.ts';
import { ExactPaths, type RawHandler } from './exact-paths.ts';
import { KnownRoutes } from './known-routes.ts';
import { problemBody, problemHeaders } from './problem-body.ts';
import { requestIdOf } from './request-id.ts';
import { responseTimer } from './timing.ts';
import type { TlsPair } from './tls.ts';

export interface HttpOptions {
  baseUrl: () => string;
  trustedProxies: readonly string[];
  log: Log;
  metrics: Metrics;
  /** Null or absent: plain HTTP. */
  tls?: TlsPair | null;
}

/** What a door needs that answers on the bare request and response. */
export interface BareDoorstep {
  /** Exact paths answered without the framework, GET and HEAD only: for answers that are mostly ready-made. */
  direct: ExactPaths;
  /** The same for POST. The handler reads the body itself. */
  directPosts: ExactPaths;
  addressOf: AddressOf;
  log: Log;
}

declare module 'fastify' {
  interface FastifyInstance {
    bare: BareDoorstep;
  }
  interface FastifyRequest {
    /** The client's address. Fastify's `ip` would keep ports, and text that is no address. */
    readonly clientAddress: string;
  }
}

const MAX_HEADER_BYTES = 32 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time of usual load balancers, so that they close first. */
const KEEP_ALIVE_MS = 72_000;

/** The HTTP server that all public doors share: ids, problem bodies for every fault, nothing private in answers. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  holdTickShape();
  const [direct, directPosts] = [new ExactPaths(), new ExactPaths()];
  const routes = new KnownRoutes();
  const closing = { isClosing: false };
  const server = Fastify({
    serverFactory: (framework) => rawServer(options, framework, { direct, directPosts }, closing),
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    bodyLimit: MAX_BODY_BYTES,
    // Doors read the query themselves, and only when an answer is not at hand already.
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: MAX_HEADER_BYTES,
      querystringParser: () => ({}),
    },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // A request that arrives while we stop is answered like any other, and its connection closed.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      const problem = new Problem('bad-request', 'The URL cannot be read; check its percent-encoding.');
      sendProblem(request, reply as FastifyReply, problem, options);
    },
    clientErrorHandler: (error, socket) => writeUnreadable(socket, unreadable(error), options.baseUrl()),
  });
  // Node would close the connection without a word.
  server.server.on('connect', (_request, socket) => {
    const problem = new Problem(
      'bad-request',
      'This is no proxy: CONNECT leads nowhere. Send a GET request.',
    );
    writeUnreadable(socket, problem, options.baseUrl());
  });
  const addressOf = addressReader(options.trustedProxies);
  server.decorate('bare', { direct, directPosts, addressOf, log: options.log });
  server.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this.raw);
    },
  });
  server.addHook('onRoute', ({ url, method }) =>
    routes.add(url, typeof method === 'string' ? [method] : method),
  );
  server.addHook('preClose', async () => {
    closing.isClosing = true;
  });
  server.setNotFoundHandler((request, reply) => {
    sendProblem(request, reply, routes.problemFor(request.method, request.url), options);
  });
  server.setErrorHandler((error, request, reply) => {
    // A body that cannot be read matters less than that nothing is there to read it.
    const problem = request.is404
      ? routes.problemFor(request.method, request.url)
      : publicProblem(error, request.id, request.url, options.log);
    sendProblem(request, reply, problem, options);
  });
  return server;
}

function rawServer(
  { tls = null, metrics }: Pick<HttpOptions, 'tls' | 'metrics'>,
  framework: RawHandler,
  { direct, directPosts }: Pick<BareDoorstep, 'direct' | 'directPosts'>,
  closing: { readonly isClosing: boolean },
): Server {
  const time = responseTimer(metrics);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '' } = request;
    const handlers =
      method === 'GET' || method === 'HEAD' ? direct : method === 'POST' ? directPosts : undefined;
    const known = handlers?.find(url);
    time(response, known?.path ?? 'other');
    if (known && !closing.isClosing) known.handler(request, response);
    else framework(request, response);
  };
  const shared = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Nothing here depends on the host name, and Node's own refusal has no problem body.
    requireHostHeader: false,
  };
  const server = tls ? createTlsServer({ ...shared, ...tls }, handle) : createServer(shared, handle);
  // The same for expectations that Node does not know: they may be ignored.
  server.on('checkExpectation', handle);
  return server;
}

/** What a caller may learn of an error. Anything that is not a Problem is logged in full and shown as nothing. */
export function publicProblem(error: unknown, requestId: string, url: string, log: Log): Problem {
  if (error instanceof Problem) return error;
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new Problem('bad-request', 'The request body or headers cannot be read.');
  }
  if (isStorageUnavailable(error)) return databaseUnavailable();
  log.error({ err: error, requestId, url }, 'request failed');
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
    .headers(problemHeaders(problem, request.id, options.baseUrl()))
    // As bytes: to a text of JSON the framework would add a charset, which other doors do not send.
    .send(Buffer.from(problemBody(problem, request.id, options.baseUrl())));
}

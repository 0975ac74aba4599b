import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createServer } from '../../base/http/node-http.ts';
import type { LoadMonitor } from '../../base/load.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { databaseUnavailable, diskUnwritable, MOST_ADDRESS_BYTES } from '../../operations/access/refusals.ts';
import { API_PATH } from '../../operations/description/discovery.ts';
import { isDiskUnwritable } from '../../storage/disk-faults.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import { type AddressOf, addressReader } from './address.ts';
import { KEEP_ALIVE_MS, NO_SNIFF } from './common-headers.ts';
import { credentialIn } from './credential.ts';
import { ExactPaths, type RawHandler } from './exact-paths.ts';
import { answerBeforeEnd, waitsIn } from './half-closed.ts';
import { KnownRoutes } from './known-routes.ts';
import { parseProblem, problemBody, problemHeaders, writeProblemToSocket } from './problem-body.ts';
import { isShed, refuseAddress, refuseOverload, refuseSpent } from './refusing.ts';
import { requestIdOf } from './request-id.ts';
import type { TlsPair } from './tls.ts';
import { type Admission, admission, type Budgets, type Spender } from './turns/admission.ts';

interface HttpOptions {
  baseUrl: () => string;
  trustedProxies: readonly string[];
  log: Log;
  metrics: Metrics;
  /** Refuses requests under overload. */
  load?: Pick<LoadMonitor, 'stage' | 'sheds'>;
  /** The rate limit headers of a key whose request no door counts; absent: there are none. */
  rateHeaders?: (keyText: string, address: string) => Promise<Readonly<Record<string, string>>>;
  /** Null or absent: the server speaks plain HTTP. */
  tls?: TlsPair | null;
  /** Absent: nobody's computing time is limited. */
  budgets?: Budgets;
}

/**
 * Fastify routes pages, documents and errors. REST, streams and MCP have paths past its router, on Node's own request and
 * response: most of their answers are finished bytes, for which its request and reply objects would cost more than
 * everything else together.
 */
interface BareServer {
  /** GET and HEAD handlers of exact paths. */
  direct: ExactPaths;
  /** The same for POST. The handler reads the body. */
  directPosts: ExactPaths;
  addressOf: AddressOf;
  /** Who pays for what goes on after the answer to a request has started. */
  spenderOf: (request: IncomingMessage) => Spender;
  log: Log;
}

declare module 'fastify' {
  interface FastifyInstance {
    bare: BareServer;
  }
  interface FastifyRequest {
    /** The client's address. Fastify's `ip` would keep ports, and text that is no address. */
    readonly clientAddress: string;
  }
}

/** Browsers use only HTTPS for a year. Behind a proxy that terminates TLS, the proxy sends it. */
const HSTS = 'max-age=31536000';
const MAX_HEADER_BYTES = 32 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** An answer that nobody reads holds its memory. Open streams send something more often. */
export const UNREAD_MS = 60_000;
/** How long requests that are being answered, or have not arrived whole, keep a server that stops. */
const CLOSE_WITHIN_MS = 10_000;

/** Doors validate and write JSON themselves. Without these, Fastify loads compilers of schemas, which takes 60 ms. */
const noSchemas = () => () => {
  throw new Error('routes have no schema');
};

/** The HTTP server of all public doors: request ids, a problem body for every error, no internals in responses. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const [direct, directPosts] = [new ExactPaths(), new ExactPaths()];
  const routes = new KnownRoutes();
  const closing = { isClosing: false };
  const addressOf = addressReader(options.trustedProxies);
  const problemOptions = { ...options, addressOf };
  const { admit, accepted, spenderOf } = admission(problemOptions);
  const server = Fastify({
    serverFactory: (framework) =>
      rawServer({ ...options, admit }, framework, { direct, directPosts }, closing),
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    bodyLimit: MAX_BODY_BYTES,
    // Doors parse the query themselves, and only when the answer is not cached.
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: MAX_HEADER_BYTES,
      querystringParser: () => ({}),
    },
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    forceCloseConnections: 'idle',
    // Requests that arrive during the shutdown are answered, then their connection is closed.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      const problem = new Problem('bad-request', 'The URL cannot be read; check its percent-encoding.');
      void sendProblem(request, reply as FastifyReply, problem, problemOptions);
    },
    clientErrorHandler: (error, socket) =>
      writeProblemToSocket(socket, parseProblem(error), options.baseUrl()),
  });
  // Without a listener Node closes the connection without a response.
  server.server.on('connect', (_request, socket) => {
    const problem = new Problem(
      'bad-request',
      'This server is not a proxy and does not support CONNECT; send a GET request.',
    );
    writeProblemToSocket(socket, problem, options.baseUrl());
  });
  // The system may refuse to accept a connection, for example without memory. Without a listener that ends the process.
  server.addHook('onListen', async () => {
    server.server.on('error', (error) => options.log.error({ err: error }, 'could not accept a connection'));
  });
  server.decorate('bare', { direct, directPosts, addressOf, spenderOf, log: options.log });
  server.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this.raw);
    },
  });
  // `GET *` is no path; without this Fastify would treat it as one.
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...NO_SNIFF, 'x-request-id': request.id });
    if (request.raw.url === '*')
      throw new Problem('bad-request', 'The request target * is not a path; send a path such as /api/v1.');
  });
  server.addHook('onRoute', ({ url, method }) =>
    routes.add(url, typeof method === 'string' ? [method] : method),
  );
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    accepted();
    socket.once('close', () => sockets.delete(socket));
  });
  server.addHook('preClose', async () => {
    closing.isClosing = true;
    // Node closes idle connections, but would wait for these without a limit.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, CLOSE_WITHIN_MS).unref();
    server.server.once('close', () => clearTimeout(timer));
  });
  server.setNotFoundHandler(
    async (request, reply) =>
      await sendProblem(request, reply, routes.problemFor(request.method, request.url), problemOptions),
  );
  server.setErrorHandler(async (error, request, reply) => {
    // Report an unknown path as such, also if the request's body could not be parsed.
    const problem = request.is404
      ? routes.problemFor(request.method, request.url)
      : publicProblem(error, request.id, request.url, options.log);
    return await sendProblem(request, reply, problem, problemOptions);
  });
  return server;
}

/** Timing a request costs as much as a part of answering it, so only one in this many is timed. */
export const TIMED_ONE_IN = 64;

/** Returns a function to call when a response starts. `path` is a metric label, so it must be one of few values. */
function responseTimer({ requestSeconds }: Pick<Metrics, 'requestSeconds'>) {
  let started = 0;
  return (response: ServerResponse, path: string): void => {
    if (++started % TIMED_ONE_IN !== 0) return;
    const startedMs = performance.now();
    response.once('finish', () => requestSeconds.observe({ path }, (performance.now() - startedMs) / 1000));
  };
}

function rawServer(
  options: Pick<HttpOptions, 'tls' | 'metrics' | 'load' | 'baseUrl'> & Pick<Admission, 'admit'>,
  framework: RawHandler,
  { direct, directPosts }: Pick<BareServer, 'direct' | 'directPosts'>,
  closing: { readonly isClosing: boolean },
): Server {
  const { tls = null, metrics, load, admit } = options;
  const time = responseTimer(metrics);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '' } = request;
    if (tls) response.setHeader('strict-transport-security', HSTS);
    if (url.length > MOST_ADDRESS_BYTES) return refuseAddress(request, response, options);
    if (load && load.stage > 0 && isShed(load, url)) return refuseOverload(request, response, options);
    const handlers =
      method === 'GET' || method === 'HEAD' ? direct : method === 'POST' ? directPosts : undefined;
    const known = handlers?.find(url);
    time(response, known?.path ?? 'other');
    const startedIn = waitsIn(request.socket);
    admit(request, response, {
      start: () => {
        if (closing.isClosing || !known) framework(request, response);
        else known.handler(request, response);
        startedIn();
      },
      refuse: (retryAfterSeconds) => {
        response.once('close', startedIn);
        refuseSpent(request, response, retryAfterSeconds, options);
      },
    });
  };
  const shared = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // No door depends on the host name, and Node's own rejection has no problem body.
    requireHostHeader: false,
  };
  const server = tls
    ? createTlsServer({ ...shared, ...tls, allowHalfOpen: true }, handle)
    : createServer(shared, handle);
  // Node ends a connection on which nothing has moved for so long. Between requests the keep-alive timeout holds instead.
  server.setTimeout(UNREAD_MS);
  // An unknown Expect header may be ignored; Node would reject it without a problem body.
  server.on('checkExpectation', handle);
  server.on(tls ? 'secureConnection' : 'connection', answerBeforeEnd);
  return server;
}

/** The problem that is shown for an error. An error that is not a Problem is logged, and its message is not shown. */
export function publicProblem(error: unknown, requestId: string, url: string, log: Log): Problem {
  if (error instanceof Problem) return error;
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new Problem('bad-request', 'The request body or headers cannot be read.');
  }
  if (isStorageUnavailable(error)) return databaseUnavailable();
  log.error({ err: error, requestId, url: loggedUrl(url) }, 'request failed');
  if (isDiskUnwritable(error)) return diskUnwritable();
  return new Problem(
    'internal',
    'Something failed on our side. Tell the operator the request id in "instance".',
  );
}

/** Addresses of pages can have tokens of mailed links and codes of OAuth, so their query is not logged. */
function loggedUrl(url: string): string {
  return url.startsWith(`${API_PATH}/`) ? url : (url.split('?', 1)[0] ?? '');
}

interface ProblemOptions extends Pick<HttpOptions, 'baseUrl' | 'metrics' | 'rateHeaders'> {
  addressOf: AddressOf;
}

async function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  options: ProblemOptions,
): Promise<FastifyReply> {
  options.metrics.requests.inc({ operation: 'problem', status: problem.status });
  const rates = await ratesOf(request, problem, options);
  return (
    reply
      .code(problem.status)
      .headers({ ...rates, ...problemHeaders(problem, request.id, options.baseUrl()) })
      // A Buffer: to a JSON string Fastify would add a charset, which the other doors do not send.
      .send(Buffer.from(problemBody(problem, request.id, options.baseUrl())))
  );
}

/** The windows of a valid key stand on every answer to it, also on one that does not count. */
async function ratesOf(
  { headers, raw }: FastifyRequest,
  { status }: Problem,
  { rateHeaders, addressOf }: ProblemOptions,
): Promise<Readonly<Record<string, string>>> {
  const credential = credentialIn(headers);
  // A door that refused the key has counted it already.
  if (!rateHeaders || credential === null || status === 401 || status === 429) return {};
  // The problem is the answer, whatever becomes of its headers.
  return await rateHeaders(credential, addressOf(raw)).catch(() => ({}));
}

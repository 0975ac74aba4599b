import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WindowStates } from '../../accounts/windows/windows.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import type { Admission } from '../../operations/access/admission.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import { rateHeaders } from '../../operations/access/refusals.ts';
import { API_PATH } from '../../operations/description/discovery.ts';
import { streamPath } from '../../operations/description/streams.ts';
import { type AnyOperation, isStreamed, type StreamedOperation } from '../../operations/operation.ts';
import { parametersOf } from '../../query/parameter.ts';
import type { AddressOf } from '../http/address.ts';
import { acceptsGzip } from '../http/answers/negotiate.ts';
import type { Headers } from '../http/answers/send-body.ts';
import { API_HEADERS, PREFLIGHT_HEADERS, VARY } from '../http/common-headers.ts';
import { credentialIn } from '../http/credential.ts';
import type { RawHandler } from '../http/exact-paths.ts';
import { writeProblem } from '../http/problem-body.ts';
import { requestIdOf } from '../http/request-id.ts';
import { publicProblem } from '../http/server.ts';
import type { Spender } from '../http/turns/admission.ts';
import { operationHeaders } from '../rest/headers.ts';
import { sentValues } from '../rest/sent-values.ts';
import { lastEventMs, StreamConnection } from './connection.ts';
import { StreamHub } from './hub.ts';

interface StreamsOptions {
  entrance: Entrance;
  operations: readonly AnyOperation[];
  metrics: Metrics;
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
/** A client that has gone without closing is noticed by the system after about this time. */
const KEEP_ALIVE_MS = 60_000;

/** Server-sent events of every list: `GET /api/v1/stream/{operation}`. */
export function streamsDoor({
  entrance,
  operations,
  metrics,
}: StreamsOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    const { direct, addressOf, spenderOf, log } = server.bare;
    const hub = new StreamHub({ entrance, metrics, log });
    // Open streams would keep the server from closing.
    server.addHook('preClose', () => hub.stop());
    for (const operation of operations.filter(isStreamed)) {
      const path = `${API_PATH}${streamPath(operation)}`;
      const serve = serveStream(operation, hub, { entrance, metrics, log, addressOf, spenderOf });
      direct.set(path, serve);
      server.route({
        method: ['GET', 'HEAD'],
        url: path,
        handler: (request: FastifyRequest, reply: FastifyReply) => {
          reply.hijack();
          serve(request.raw, reply.raw);
        },
      });
      server.route({
        method: 'OPTIONS',
        url: path,
        handler: async (request, reply) =>
          reply
            .code(204)
            .headers({ ...PREFLIGHT_HEADERS, 'x-request-id': request.id })
            .send(),
      });
    }
  };
}

interface ServeOptions extends Omit<StreamsOptions, 'operations'> {
  log: FastifyInstance['bare']['log'];
  addressOf: AddressOf;
  spenderOf: (request: IncomingMessage) => Spender;
}

/** The windows after the first minute of the stream, which is counted when it opens. */
function withFirstMinute({ minute, month }: WindowStates): WindowStates {
  const { used, remaining } = month;
  return { minute, month: { ...month, used: used + 1, remaining: Math.max(0, remaining - 1) } };
}

function serveStream(operation: StreamedOperation, hub: StreamHub, options: ServeOptions): RawHandler {
  const { entrance, metrics, log, addressOf, spenderOf } = options;
  const { baseUrl } = entrance;
  const names = parametersOf(operation.stream.parameters).map(({ name }) => name);
  const { stream: _own, ...list } = operation;
  const { link: described, ...dates } = operationHeaders(list, baseUrl);
  const link = `${described}, <${baseUrl}/developers/streams>; rel="help"; type="text/html"`;
  const counted = (status: number) => metrics.requests.inc({ operation: `stream/${operation.id}`, status });

  const headersOf = (admission: Admission, requestId: string, isGzip: boolean): Headers => ({
    ...API_HEADERS,
    ...rateHeaders(withFirstMinute(admission.states)),
    ...dates,
    'cache-control': 'no-store',
    'content-type': EVENT_STREAM,
    link,
    vary: VARY,
    'x-request-id': requestId,
    connection: 'close',
    // Nginx would otherwise collect events until its buffer is full.
    'x-accel-buffering': 'no',
    ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
  });

  async function open(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    admission: Admission,
  ): Promise<void> {
    const raw = sentValues(request.url ?? '', {}, names);
    const list = hub.listFor(operation, admission, raw);
    const isGzip = acceptsGzip(request.headers['accept-encoding']);
    const headers = headersOf(admission, requestId, isGzip);
    if (request.method === 'HEAD') {
      counted(200);
      response.writeHead(200, headers).end();
      return;
    }
    const fromMs = lastEventMs(request);
    const release = await entrance.openStream(admission.caller);
    try {
      await entrance.countOnMonth(admission.caller);
      if (fromMs !== null) await list.prepareResume(fromMs);
    } catch (error) {
      release();
      throw error;
    }
    if (request.socket.destroyed) return release();
    counted(200);
    const connection = new StreamConnection({
      response,
      isGzip,
      requestId,
      operation,
      admission,
      raw,
      release,
      spender: spenderOf(request),
    });
    connection.start(headers);
    hub.join(list, connection, fromMs);
    if (hub.isStopped) hub.endForRestart(connection);
  }

  async function fail(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    admission: Admission | null,
    error: unknown,
  ): Promise<void> {
    const problem = publicProblem(error, requestId, request.url ?? '', log);
    if (response.headersSent) return void response.destroy();
    const states =
      admission && (problem.status === 503 ? await entrance.refund(admission) : admission.states);
    counted(problem.status);
    const { code, detail, suggestions = [] } = problem;
    const headers = { ...dates, link, ...(states ? rateHeaders(states) : {}), ...problem.headers };
    const complete = new Problem(code, detail, { suggestions, headers });
    writeProblem(response, complete, requestId, baseUrl, request.method === 'HEAD');
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = requestIdOf(request.headers['x-request-id']);
    let admission: Admission | null = null;
    try {
      request.socket.setKeepAlive(true, KEEP_ALIVE_MS);
      const caller = await entrance.identify(credentialIn(request.headers), addressOf(request));
      admission = await entrance.admit(operation, caller);
      await open(request, response, requestId, admission);
    } catch (error) {
      await fail(request, response, requestId, admission, error);
    }
  }

  return (request, response) => {
    serve(request, response).catch(() => response.destroy());
  };
}

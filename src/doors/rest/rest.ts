import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { API_PATH, discoveryDocument } from '../../operations/discovery.ts';
import { type Admission, type Entrance, rateHeaders } from '../../operations/entrance.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { nearest } from '../../query/suggestions.ts';
import { sendProblem } from '../http/server.ts';
import { AnswerCache, CachedAnswer } from './answer-cache.ts';
import { CORS_HEADERS, cacheControl, PREFLIGHT_HEADERS, VARY } from './headers.ts';
import { encodingFor, hasTag, keyOf } from './negotiate.ts';

export interface RestOptions {
  entrance: Entrance;
  operations: readonly AnyOperation[];
  metrics: Metrics;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];
const ALLOW = 'GET, HEAD, OPTIONS';
const SUGGESTED_PATHS = 3;

/** The REST door: routes from the operations, answers from the cache or the entrance. */
export function restDoor({
  entrance,
  operations,
  metrics,
}: RestOptions): (server: FastifyInstance) => Promise<void> {
  const { baseUrl } = entrance;
  const cache = new AnswerCache(CACHE_BYTES);
  const describedBy = `<${baseUrl}${API_PATH}/openapi.json>; rel="describedby"`;

  const handler = (operation: AnyOperation) => {
    const counted = (status: number) =>
      metrics.requests.labels({ operation: operation.id, status: String(status) });
    const [ok, notModified] = [counted(200), counted(304)];

    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      let admission: Admission | null = null;
      try {
        const caller = entrance.identify(keyOf(request.headers), request.ip);
        const pending = entrance.admit(operation, caller);
        admission = pending instanceof Promise ? await pending : pending;
        const answer = answerFor(operation, request, admission);
        const isKnown = operation.freshness !== null && hasTag(request.headers['if-none-match'], answer.etag);
        if (isKnown) {
          const refunded = entrance.refund(admission);
          admission = { ...admission, states: refunded instanceof Promise ? await refunded : refunded };
        }
        (isKnown ? notModified : ok).inc();
        send(operation, request, reply, admission, answer, isKnown);
        return reply;
      } catch (error) {
        if (!(error instanceof Problem) || !admission) throw error;
        throw await withRates(error, admission);
      }
    };
  };

  function answerFor(
    operation: AnyOperation,
    request: FastifyRequest,
    { caller, states }: Admission,
  ): CachedAnswer {
    const url = request.raw.url ?? '';
    const key = `${caller.plan.name} ${url}`;
    const freshness = entrance.freshness(operation, caller);
    const known = freshness === null ? undefined : cache.get(key);
    if (known && known.freshness === freshness) return known;
    const answer = new CachedAnswer(
      entrance.run(operation, caller, states, sentValues(request, url)),
      freshness,
    );
    if (freshness !== null) cache.set(key, answer);
    return answer;
  }

  function send(
    operation: AnyOperation,
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, states }: Admission,
    answer: CachedAnswer,
    isKnown: boolean,
  ): void {
    const headers: Record<string, string | number> = {
      ...CORS_HEADERS,
      ...rateHeaders(states),
      'cache-control': cacheControl(operation, caller.plan),
      etag: answer.etag,
      link: describedBy,
      vary: VARY,
      'x-request-id': request.id,
    };
    // The answer is complete, so it goes straight to the socket: Fastify's reply pipeline would only copy it.
    reply.hijack();
    if (isKnown) {
      reply.raw.writeHead(304, headers).end();
      return;
    }
    const encoding = encodingFor(request.headers['accept-encoding'], answer.body.length);
    const body = answer.encoded(encoding);
    headers['content-type'] = 'application/json; charset=utf-8';
    headers['content-length'] = body.length;
    if (encoding !== null) headers['content-encoding'] = encoding;
    reply.raw.writeHead(200, headers);
    if (request.method === 'HEAD') reply.raw.end();
    else reply.raw.end(body);
  }

  /** A counted request's problem tells the windows too; a 503 is given back. */
  async function withRates(problem: Problem, admission: Admission): Promise<Problem> {
    const states = problem.status === 503 ? await entrance.refund(admission) : admission.states;
    return new Problem(problem.code, problem.detail, {
      ...(problem.suggestions ? { suggestions: problem.suggestions } : {}),
      headers: { ...rateHeaders(states), ...problem.headers },
    });
  }

  return async (server) => {
    // Bodies are never read: whatever comes with another method is answered with 405.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', (_request, _payload, done) => done(null));
    server.addHook('onRequest', async (_request, reply) => {
      reply.headers(CORS_HEADERS);
    });
    const refuseMethod = async () => {
      throw new Problem('method-not-allowed', `This path is read with GET; allowed are ${ALLOW}.`, {
        headers: { allow: ALLOW },
      });
    };
    const route = (path: string, get: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) => {
      server.route({ method: ['GET', 'HEAD'], url: path, handler: get });
      server.route({
        method: 'OPTIONS',
        url: path,
        handler: async (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send(),
      });
      server.route({ method: OTHER_METHODS, url: path, handler: refuseMethod });
    };
    route(API_PATH, async (request, reply) =>
      reply
        .headers({
          'cache-control': 'public, max-age=300',
          'x-request-id': request.id,
          link: describedBy,
          'content-type': 'application/json; charset=utf-8',
        })
        .send(JSON.stringify(discoveryDocument(operations, baseUrl))),
    );
    for (const operation of operations)
      route(`${API_PATH}${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, handler(operation));
    route(`${API_PATH}/*`, async (request, reply) => {
      const path = (request.raw.url ?? '').split('?')[0] ?? '';
      const paths = [API_PATH, ...operations.map((operation) => `${API_PATH}${operation.path}`)];
      const problem = new Problem(
        'not-found',
        `There is no endpoint at ${path.slice(0, 100)}; GET ${API_PATH} lists them.`,
        {
          suggestions: nearest(path, paths, SUGGESTED_PATHS),
        },
      );
      sendProblem(request, reply, problem, { baseUrl: () => baseUrl, metrics });
      return reply;
    });
  };
}

/** Query values by name, each as often as it was sent, with the path parameters. */
function sentValues(request: FastifyRequest, url: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start >= 0) {
    for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
      const known = values.get(name);
      if (known) known.push(value);
      else values.set(name, [value]);
    }
  }
  for (const [name, value] of Object.entries(request.params as Record<string, string>)) {
    if (name !== '*') values.set(name, [value]);
  }
  return values;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WindowStates } from '../../accounts/windows/windows.ts';
import type { Log } from '../../base/log.ts';
import { andThen, type MaybeLater } from '../../base/maybe-later.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { textHash } from '../../base/text-hash.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { Admission, Entrance } from '../../operations/entrance.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { rateHeaders } from '../../operations/refusals.ts';
import { parametersOf } from '../../query/parameter.ts';
import type { AddressOf } from '../http/address.ts';
import { answerBody } from '../http/answers/answer-body.ts';
import { type AnswerCache, CachedAnswer } from '../http/answers/answer-cache.ts';
import type { AskedBefore } from '../http/answers/asked-before.ts';
import type { Body } from '../http/answers/body.ts';
import { encodingFor } from '../http/answers/negotiate.ts';
import { CORS_HEADERS, JSON_TYPE, VARY } from '../http/common-headers.ts';
import { type ConnectionMemory, memoryOf } from '../http/connection-memory.ts';
import { writeProblem } from '../http/problem-body.ts';
import { requestIdOf } from '../http/request-id.ts';
import { publicProblem } from '../http/server.ts';
import { cacheControl, operationHeaders } from './headers.ts';
import { sentValues } from './sent-values.ts';

export interface ServeOptions {
  entrance: Entrance;
  cache: AnswerCache;
  asked: AskedBefore;
  addressOf: AddressOf;
  metrics: Metrics;
  log: Log;
}

export type PathValues = Readonly<Record<string, string>>;
export type Serve = (request: IncomingMessage, response: ServerResponse, pathValues?: PathValues) => void;

/** As long as a cursor lives at least: a kept page must not outlive it by more. */
const CURSOR_PAGE_KEPT_MS = 20 * MINUTE_MS;
const NO_VALUES: PathValues = {};

/**
 * Answers one operation's requests on the bare request and response: most answers are ready-made bytes, for which the
 * framework's request and reply would cost more than the rest together.
 */
export function serveOperation(operation: AnyOperation, options: ServeOptions): Serve {
  const { entrance, cache, asked, addressOf, metrics, log } = options;
  const { baseUrl, clock } = entrance;
  const names = parametersOf(operation.parameters).map(({ name }) => name);
  // Links in answers begin with it.
  const addressHash = textHash(baseUrl);
  const own = operationHeaders(operation, baseUrl);
  const { link, ...dates } = own;
  const datePairs = Object.entries(dates).flat();
  const counted = (status: number) => metrics.requests.labels({ operation: operation.id, status });
  const [ok, notModified] = [counted(200), counted(304)];

  function answerFor(
    url: string,
    pathValues: PathValues,
    { caller, states }: Admission,
    memory: ConnectionMemory,
  ): MaybeLater<Body> {
    const freshness = entrance.freshness(operation, caller);
    const question = memory.questionOf(caller.plan.name, url);
    const known = freshness === null ? undefined : cache.get(question.text, question.hash);
    if (known && (known.freshness === freshness || known.goodUntilMs > clock.nowMs())) return known.body;
    const sent = sentValues(url, pathValues, names);
    return andThen(entrance.run(operation, caller, states, sent), (made) => {
      const body = answerBody(made, question.hash ^ addressHash);
      const isPageOfCursor = operation.parameters.cursor !== undefined && sent.has('cursor');
      const goodUntilMs = isPageOfCursor ? clock.nowMs() + CURSOR_PAGE_KEPT_MS : 0;
      // Keeping what is asked once would cost more, in memory to be cleared, than making it did.
      const isKept = freshness !== null && (known !== undefined || asked.noteHash(question.hash, freshness));
      if (!isKept) return body;
      const kept = body.giveBack ? body.copy() : body;
      body.giveBack?.();
      cache.set(question.text, new CachedAnswer(kept, freshness, goodUntilMs), question.hash);
      return kept;
    });
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    admission: Admission,
    body: Body,
  ): MaybeLater<void> {
    const encoding = encodingFor(request.headers['accept-encoding'], body.plain.length);
    const headersWith = (states: WindowStates): string[] => {
      const rates = rateHeaders(states);
      return [
        'access-control-allow-origin',
        CORS_HEADERS['access-control-allow-origin'],
        'access-control-expose-headers',
        CORS_HEADERS['access-control-expose-headers'],
        'cache-control',
        cacheControl(operation, admission.caller.plan),
        'etag',
        body.etag(encoding),
        'ratelimit',
        rates.ratelimit,
        'ratelimit-policy',
        rates['ratelimit-policy'],
        'vary',
        VARY,
        'x-ratelimit-limit',
        rates['x-ratelimit-limit'],
        'x-ratelimit-remaining',
        rates['x-ratelimit-remaining'],
        'x-ratelimit-reset',
        rates['x-ratelimit-reset'],
        'x-request-id',
        requestId,
        'link',
        link,
        ...datePairs,
      ];
    };
    if (operation.freshness !== null && body.isNamedIn(request.headers['if-none-match'])) {
      return andThen(entrance.refund(admission), (states) => {
        notModified.inc();
        body.giveBack?.();
        response.writeHead(304, headersWith(states)).end();
      });
    }
    return andThen(body.encoded(encoding), (bytes) => {
      ok.inc();
      const headers = headersWith(admission.states);
      headers.push('content-type', JSON_TYPE, 'content-length', String(bytes.length));
      if (encoding !== null) headers.push('content-encoding', encoding);
      response.writeHead(200, headers);
      response.end(request.method === 'HEAD' ? undefined : bytes);
      // Only once they have left: a slow reader must not get the bytes of the answer after its own. Mostly the system
      // has taken all of them by now.
      if (body.giveBack && response.writableLength > 0) response.on('finish', body.giveBack);
      else body.giveBack?.();
    });
  }

  /** A counted request's problem tells the windows too; a 503 is given back. */
  function fail(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    admission: Admission | null,
    error: unknown,
  ): MaybeLater<void> {
    const problem = publicProblem(error, requestId, request.url ?? '', log);
    const states = admission && (problem.status === 503 ? entrance.refund(admission) : admission.states);
    return andThen(states, (told) => {
      counted(problem.status).inc();
      const complete = new Problem(problem.code, problem.detail, {
        ...(problem.suggestions ? { suggestions: problem.suggestions } : {}),
        headers: { ...own, ...(told ? rateHeaders(told) : {}), ...problem.headers },
      });
      writeProblem(response, complete, requestId, baseUrl, request.method === 'HEAD');
    });
  }

  return (request, response, pathValues = NO_VALUES) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    let admission: Admission | null = null;
    const onError = (error: unknown) => {
      const failed = fail(request, response, requestId, admission, error);
      if (failed instanceof Promise) failed.catch(() => response.destroy());
    };
    try {
      const memory = memoryOf(request.socket);
      const caller = entrance.identify(memory.keyIn(request.headers), addressOf(request), memory);
      const done = andThen(entrance.admit(operation, caller), (admitted) => {
        admission = admitted;
        return andThen(answerFor(request.url ?? '', pathValues, admitted, memory), (body) =>
          send(request, response, requestId, admitted, body),
        );
      });
      if (done instanceof Promise) done.catch(onError);
    } catch (error) {
      onError(error);
    }
  };
}

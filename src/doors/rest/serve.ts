import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WindowStates } from '../../accounts/windows/windows.ts';
import type { Log } from '../../base/log.ts';
import { andThen, type MaybeLater } from '../../base/maybe-later.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { textHash } from '../../base/text-hash.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { Admission } from '../../operations/admission.ts';
import type { Entrance } from '../../operations/entrance.ts';
import { type FileFormat, type Format, formatParameter } from '../../operations/format.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { rateHeaders } from '../../operations/refusals.ts';
import { parametersOf, readParameters } from '../../query/parameter.ts';
import type { AddressOf } from '../http/address.ts';
import { answerBody } from '../http/answers/answer-body.ts';
import { type AnswerCache, CachedAnswer } from '../http/answers/answer-cache.ts';
import type { Body } from '../http/answers/body.ts';
import { encodingFor } from '../http/answers/negotiate.ts';
import type { RepeatDetector } from '../http/answers/repeat-detector.ts';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { CORS_HEADERS, JSON_TYPE, VARY } from '../http/common-headers.ts';
import { type ConnectionMemory, memoryOf } from '../http/connection-memory.ts';
import { writeProblem } from '../http/problem-body.ts';
import { requestIdOf } from '../http/request-id.ts';
import { publicProblem } from '../http/server.ts';
import { acceptedFormat } from './accepted-format.ts';
import { FILE_EXPOSED_HEADERS, fileBody } from './file-body.ts';
import { cacheControl, operationHeaders } from './headers.ts';
import { sentValues } from './sent-values.ts';

export interface ServeOptions {
  entrance: Entrance;
  cache: AnswerCache;
  repeats: RepeatDetector;
  addressOf: AddressOf;
  metrics: Metrics;
  log: Log;
}

export type PathValues = Readonly<Record<string, string>>;
export type Serve = (request: IncomingMessage, response: ServerResponse, pathValues?: PathValues) => void;

/** `isComputed`: the answer did not come from the cache. Set on the admission to spare an object per request. */
type ServedAdmission = Admission & { isComputed?: boolean };

/** The lifetime of a cursor: a cached page must not outlive its cursor by more than that. */
const CURSOR_PAGE_VALID_MS = 20 * MINUTE_MS;
const NO_VALUES: PathValues = {};

/**
 * Serves one operation on Node's own request and response. Most answers are finished bytes, for which the framework's
 * request and reply objects would cost more than everything else together.
 */
export function serveOperation(operation: AnyOperation, options: ServeOptions): Serve {
  const { entrance, cache, repeats, addressOf, metrics, log } = options;
  const { baseUrl, clock } = entrance;
  const { formats } = operation;
  const formatParameters = formats ? { format: formatParameter(formats) } : null;
  const names = [
    ...parametersOf(operation.parameters).map(({ name }) => name),
    ...Object.keys(formatParameters ?? {}),
  ];
  const hasFees = operation.parameters.fees !== undefined;
  // The base URL is part of the links in answers, so it is part of their ETags.
  const baseUrlHash = textHash(baseUrl);
  const own = operationHeaders(operation, baseUrl);
  const { link, ...dates } = own;
  const datePairs = Object.entries(dates).flat();
  const counted = (status: number) => metrics.requests.labels({ operation: operation.id, status });
  const [ok, notModified] = [counted(200), counted(304)];

  /** Takes the format out of the sent values: it is no parameter of the operation. Throws for an unknown one. */
  function formatOf(sent: Map<string, string[]>, accepted: FileFormat | null): Format {
    const named = sent.get('format');
    if (formatParameters && named) {
      sent.delete('format');
      return readParameters(formatParameters, new Map([['format', named]])).format ?? 'json';
    }
    return accepted ?? 'json';
  }

  function answerFor(
    url: string,
    pathValues: PathValues,
    admission: ServedAdmission,
    memory: ConnectionMemory,
    accepted: FileFormat | null,
  ): MaybeLater<Body> {
    const { caller, states } = admission;
    const freshness = entrance.freshness(operation, caller);
    // Answers at saved fees differ between accounts that send the same address.
    const priced = hasFees && caller.takerFees ? `${url}#${caller.takerFees}` : url;
    // No address has a space, so none can take the place of another format in the cache.
    const address = accepted === null ? priced : `${priced} ${accepted}`;
    const query = memory.cacheKeyOf(caller.plan.name, address);
    const known = freshness === null ? undefined : cache.get(query.text, query.hash);
    if (known && (known.freshness === freshness || known.validUntilMs > clock.nowMs())) return known.body;
    admission.isComputed = true;
    const sent = sentValues(url, pathValues, names);
    const format = formatOf(sent, accepted);
    return andThen(entrance.run(operation, caller, states, sent), (made) => {
      const body =
        format === 'json'
          ? answerBody(made, query.hash ^ baseUrlHash)
          : fileBody(made, format, link, url, baseUrl);
      const isPageOfCursor = operation.parameters.cursor !== undefined && sent.has('cursor');
      const validUntilMs = isPageOfCursor ? clock.nowMs() + CURSOR_PAGE_VALID_MS : 0;
      // Most queries come once; caching them would cost more in garbage collection than it saves.
      const isCached = freshness !== null && (known !== undefined || repeats.noteHash(query.hash, freshness));
      if (!isCached) return body;
      const cached = body.giveBack ? body.copy() : body;
      body.giveBack?.();
      cache.set(query.text, new CachedAnswer(cached, freshness, validUntilMs), query.hash);
      return cached;
    });
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    admission: ServedAdmission,
    body: Body,
  ): MaybeLater<void> {
    const encoding = encodingFor(request.headers['accept-encoding'], body.plain.length);
    const { file } = body;
    const headersWith = (states: WindowStates): string[] => {
      const rates = rateHeaders(states);
      const headers = [
        'access-control-allow-origin',
        CORS_HEADERS['access-control-allow-origin'],
        'access-control-expose-headers',
        file === null ? CORS_HEADERS['access-control-expose-headers'] : FILE_EXPOSED_HEADERS,
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
        file === null ? link : file.link,
        ...datePairs,
      ];
      if (file !== null) headers.push(...file.headers);
      return headers;
    };
    if (operation.freshness !== null && body.isNamedIn(request.headers['if-none-match'])) {
      return andThen(entrance.refundUnchanged(admission, admission.isComputed === true), (states) => {
        notModified.inc();
        body.giveBack?.();
        sendAnswer(request, response, 304, headersWith(states), null);
      });
    }
    return andThen(body.encoded(encoding), (bytes) => {
      ok.inc();
      const headers = headersWith(admission.states);
      headers.push(
        'content-type',
        file === null ? JSON_TYPE : file.contentType,
        'content-length',
        String(bytes.length),
      );
      if (encoding !== null) headers.push('content-encoding', encoding);
      // The links of a file repeat what the caller sent, so Node checks them once more.
      if (file !== null) response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : bytes);
      else sendAnswer(request, response, 200, headers, bytes === body.plain ? (body.roomy ?? bytes) : bytes);
      // Only after sending: a slow client must not get the bytes of the next answer in this buffer. Usually the kernel
      // has taken all of them already.
      if (body.giveBack && response.writableLength > 0) response.on('finish', body.giveBack);
      else body.giveBack?.();
    });
  }

  /** Problems of a counted request carry the rate limit headers too; a 503 is refunded. */
  function fail(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    admission: Admission | null,
    error: unknown,
  ): MaybeLater<void> {
    const problem = publicProblem(error, requestId, request.url ?? '', log);
    const states = admission && (problem.status === 503 ? entrance.refund(admission) : admission.states);
    return andThen(states, (current) => {
      counted(problem.status).inc();
      const complete = new Problem(problem.code, problem.detail, {
        ...(problem.suggestions ? { suggestions: problem.suggestions } : {}),
        headers: { ...own, ...(current ? rateHeaders(current) : {}), ...problem.headers },
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
        const accepted = formats ? acceptedFormat(request.headers.accept, formats.names) : null;
        return andThen(answerFor(request.url ?? '', pathValues, admitted, memory, accepted), (body) =>
          send(request, response, requestId, admitted, body),
        );
      });
      if (done instanceof Promise) done.catch(onError);
    } catch (error) {
      onError(error);
    }
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plan } from '../../accounts/plans.ts';
import type { WindowStates } from '../../accounts/windows/windows.ts';
import type { Log } from '../../base/log.ts';
import { andThen, type MaybeLater } from '../../base/maybe-later.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { textHash } from '../../base/text-hash.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { Admission } from '../../operations/access/admission.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import { rateHeaders, rateLines } from '../../operations/access/refusals.ts';
import type { Answer } from '../../operations/answer/answer.ts';
import { type FileFormat, type Format, formatParameter } from '../../operations/format.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { parametersOf, readParameters } from '../../query/parameter.ts';
import type { AddressOf } from '../http/address.ts';
import { answerBody } from '../http/answers/answer-body.ts';
import { type AnswerCache, CachedAnswer } from '../http/answers/answer-cache.ts';
import type { Body, FileHeaders } from '../http/answers/body.ts';
import { encodingFor } from '../http/answers/negotiate.ts';
import type { RepeatDetector } from '../http/answers/repeat-detector.ts';
import type { RoomyBytes } from '../http/answers/roomy-bytes.ts';
import { headerLines, headersIn, sendAnswer } from '../http/answers/send-answer.ts';
import { API_HEADERS, JSON_TYPE, VARY } from '../http/common-headers.ts';
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
  const linesKnown = new Map<string, string>();
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
    const made = entrance.run(operation, caller, states, sent);
    const finish = (answer: Answer): Body => {
      const body =
        format === 'json'
          ? answerBody(answer, query.hash ^ baseUrlHash)
          : fileBody(answer, format, link, { url, names }, baseUrl);
      // Most queries come once; caching them would cost more in garbage collection than it saves.
      const isCached = freshness !== null && (known !== undefined || repeats.noteHash(query.hash, freshness));
      if (!isCached) return body;
      const isPageOfCursor = operation.parameters.cursor !== undefined && sent.has('cursor');
      const validUntilMs = isPageOfCursor ? clock.nowMs() + CURSOR_PAGE_VALID_MS : 0;
      const cached = body.giveBack ? body.copy() : body;
      body.giveBack?.();
      cache.set(query.text, new CachedAnswer(cached, freshness, validUntilMs), query.hash);
      return cached;
    };
    return made instanceof Promise ? made.then(finish) : finish(made);
  }

  /** The lines of the head that all JSON answers with the same Cache-Control have. */
  function fixedLines(plan: Plan): string {
    const control = cacheControl(operation, plan);
    let lines = linesKnown.get(control);
    if (lines === undefined) {
      const pairs = Object.entries({ ...API_HEADERS, 'cache-control': control, vary: VARY, link, ...dates });
      lines = headerLines(pairs.flat());
      linesKnown.set(control, lines);
    }
    return lines;
  }

  /** The links of a file repeat what the caller sent, so Node's writeHead checks them once more. */
  function sendFile(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    lines: string,
    { link: ownLink, headers }: FileHeaders,
    bytes: Buffer | undefined,
  ): void {
    const pairs = new Map<string, string>();
    const common = headersIn(lines);
    for (let i = 0; i < common.length; i += 2) pairs.set(common[i] as string, common[i + 1] as string);
    pairs.set('access-control-expose-headers', FILE_EXPOSED_HEADERS).set('link', ownLink);
    const all = [...[...pairs].flat(), ...headers];
    response.writeHead(status, all).end(request.method === 'HEAD' ? undefined : bytes);
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    admission: ServedAdmission,
    body: Body,
  ): MaybeLater<void> {
    const { headers } = request;
    const encoding = encodingFor(headers['accept-encoding'], body.length);
    const { file } = body;
    const linesWith = (states: WindowStates) =>
      `${fixedLines(admission.caller.plan)}${rateLines(states)}etag: ${body.etag(encoding)}\r\nx-request-id: ${requestId}\r\n`;
    if (operation.freshness !== null && body.isNamedIn(headers['if-none-match'])) {
      return andThen(entrance.refundUnchanged(admission, admission.isComputed === true), (states) => {
        notModified.inc();
        body.giveBack?.();
        const lines = linesWith(states);
        if (file === null) sendAnswer(request, response, 304, lines, null);
        else sendFile(request, response, 304, lines, file, undefined);
      });
    }
    const sendBytes = (bytes: Buffer | RoomyBytes) => {
      ok.inc();
      const type = file === null ? JSON_TYPE : file.contentType;
      const coding = encoding === null ? '' : `content-encoding: ${encoding}\r\n`;
      const lines = `${linesWith(admission.states)}content-type: ${type}\r\n${coding}content-length: ${bytes.length}\r\n`;
      if (file === null) sendAnswer(request, response, 200, lines, bytes);
      else sendFile(request, response, 200, lines, file, bytes as Buffer);
      // Only after sending: a slow client must not get the bytes of the next answer in this buffer. Usually the kernel
      // has taken all of them already.
      if (body.giveBack && response.writableLength > 0) response.on('finish', body.giveBack);
      else body.giveBack?.();
    };
    if (encoding === null) return sendBytes(body.roomy ?? body.plain);
    return andThen(body.encoded(encoding), sendBytes);
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
      const answer = (admitted: Admission): MaybeLater<void> => {
        admission = admitted;
        const accepted = formats ? acceptedFormat(request.headers.accept, formats.names) : null;
        const body = answerFor(request.url ?? '', pathValues, admitted, memory, accepted);
        if (!(body instanceof Promise)) return send(request, response, requestId, admitted, body);
        return body.then((made) => send(request, response, requestId, admitted, made));
      };
      const done = andThen(entrance.admit(operation, caller), answer);
      if (done instanceof Promise) done.catch(onError);
    } catch (error) {
      onError(error);
    }
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WindowStates } from '../../accounts/windows/windows.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { Admission } from '../../operations/access/admission.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import { rateHeaders } from '../../operations/access/refusals.ts';
import { type FileFormat, type Format, formatParameter } from '../../operations/format.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { parametersOf, readParameters } from '../../query/parameter.ts';
import type { AddressOf } from '../http/address.ts';
import { answerBody } from '../http/answers/answer-body.ts';
import type { AnswerCache } from '../http/answers/answer-cache.ts';
import type { Body } from '../http/answers/body.ts';
import { bytesTag } from '../http/answers/bytes-tag.ts';
import { encodingFor } from '../http/answers/negotiate.ts';
import { API_HEADERS, headerList, JSON_TYPE, VARY } from '../http/common-headers.ts';
import { credentialIn } from '../http/credential.ts';
import { writeProblem } from '../http/problem-body.ts';
import { requestIdOf } from '../http/request-id.ts';
import { publicProblem } from '../http/server.ts';
import { acceptedFormat } from './accepted-format.ts';
import { fileBody } from './file-body.ts';
import { cacheControl, operationHeaders } from './headers.ts';
import { sentValues } from './sent-values.ts';

export interface ServeOptions {
  entrance: Entrance;
  cache: AnswerCache<CachedAnswer>;
  addressOf: AddressOf;
  metrics: Metrics;
  log: Log;
}

export type PathValues = Readonly<Record<string, string>>;
type Serve = (request: IncomingMessage, response: ServerResponse, pathValues?: PathValues) => void;

/** A finished answer and how long it is valid. */
export interface CachedAnswer {
  /** Null for a query that came once: most come only once, and caching their answers costs more than it saves. */
  readonly body: Body | null;
  /** What it was made from; see Operation.freshness. */
  readonly freshness: number;
  /** A page behind a cursor never changes: until this time it is valid whatever the freshness. */
  readonly validUntilMs: number;
  /** Twice the plain size: its compressed forms together are smaller than the plain one. */
  readonly bytes: number;
}

/** A counted request on its way to an answer. */
interface Served {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  admission: Admission;
}

const CAME_ONCE: CachedAnswer = { body: null, freshness: 0, validUntilMs: 0, bytes: 0 };

/** The lifetime of a cursor: a cached page must not outlive its cursor by more than that. */
const CURSOR_PAGE_VALID_MS = 20 * MINUTE_MS;

/** Serves one operation on Node's own request and response; server.ts says why. */
export function serveOperation(operation: AnyOperation, options: ServeOptions): Serve {
  const { entrance, cache, addressOf, metrics, log } = options;
  const { baseUrl, clock } = entrance;
  const { formats } = operation;
  const formatParameters = formats ? { format: formatParameter(formats) } : null;
  const names = [
    ...parametersOf(operation.parameters).map(({ name }) => name),
    ...Object.keys(formatParameters ?? {}),
  ];
  const hasFees = operation.parameters.fees !== undefined;
  const { link, ...dates } = operationHeaders(operation, baseUrl);
  const common = { ...API_HEADERS, vary: VARY, ...dates };
  const ofJson = headerList({ ...common, link });
  // What all answers of the operation depend on: after an upgrade that adds a field, the same snapshot gives another one.
  const version = bytesTag(JSON.stringify([baseUrl, operation.data]));
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

  async function answerFor(
    { headers, url = '' }: IncomingMessage,
    pathValues: PathValues,
    { caller, states }: Admission,
  ): Promise<{ body: Body; isComputed: boolean }> {
    const accepted = formats ? acceptedFormat(headers.accept, formats.names) : null;
    const freshness = entrance.freshness(operation, caller);
    // Answers at saved fees differ between accounts that send the same address. No address has a space.
    const fees = hasFees ? (caller.takerFees ?? '') : '';
    const query = `${caller.plan.name} ${accepted ?? 'json'} ${fees} ${url}`;
    const known = freshness === null ? undefined : cache.get(query);
    if (known?.body && (known.freshness === freshness || known.validUntilMs > clock.nowMs()))
      return { body: known.body, isComputed: false };
    const sent = sentValues(url, pathValues, names);
    const format = formatOf(sent, accepted);
    const answer = await entrance.run(operation, caller, states, sent);
    const body =
      format === 'json'
        ? answerBody(answer, `${version} ${query}`)
        : await fileBody(answer, format, link, { url, names }, baseUrl);
    if (freshness === null) return { body, isComputed: true };
    if (!known) {
      cache.set(query, CAME_ONCE);
      return { body, isComputed: true };
    }
    const isPageOfCursor = operation.parameters.cursor !== undefined && sent.has('cursor');
    const validUntilMs = isPageOfCursor ? clock.nowMs() + CURSOR_PAGE_VALID_MS : 0;
    cache.set(query, { body, freshness, validUntilMs, bytes: body.length * 2 });
    return { body, isComputed: true };
  }

  async function send(
    { request, response, requestId, admission }: Served,
    body: Body,
    isComputed: boolean,
  ): Promise<void> {
    const { file } = body;
    const encoding = encodingFor(request.headers['accept-encoding'], body.length);
    const headersWith = (states: WindowStates): string[] => [
      'cache-control',
      cacheControl(operation, admission.caller.plan),
      ...(file ? headerList({ ...common, ...file.headers }) : ofJson),
      ...headerList(rateHeaders(states)),
      'etag',
      body.etag(encoding),
      'x-request-id',
      requestId,
    ];
    if (operation.freshness !== null && body.isNamedIn(request.headers['if-none-match'])) {
      const states = await entrance.refundUnchanged(admission, isComputed);
      notModified.inc();
      response.writeHead(304, headersWith(states)).end();
      return;
    }
    const plain = isComputed ? body.once : body.plain;
    const bytes = encoding === null ? plain : await body.encoded(encoding);
    ok.inc();
    const headers = headersWith(admission.states);
    headers.push('content-type', file?.contentType ?? JSON_TYPE);
    headers.push('content-length', String(typeof bytes === 'string' ? body.length : bytes.length));
    if (encoding !== null) headers.push('content-encoding', encoding);
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : bytes);
  }

  /** Problems of a counted request carry the rate limit headers too; a 503 is refunded. */
  async function fail(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    admission: Admission | null,
    error: unknown,
  ): Promise<void> {
    const problem = publicProblem(error, requestId, request.url ?? '', log);
    const states =
      admission && (problem.status === 503 ? await entrance.refund(admission) : admission.states);
    counted(problem.status).inc();
    const complete = new Problem(problem.code, problem.detail, {
      ...(problem.suggestions ? { suggestions: problem.suggestions } : {}),
      headers: { link, ...dates, ...(states ? rateHeaders(states) : {}), ...problem.headers },
    });
    writeProblem(response, complete, requestId, baseUrl, request.method === 'HEAD');
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    pathValues: PathValues,
  ): Promise<void> {
    const requestId = requestIdOf(request.headers['x-request-id']);
    let admission: Admission | null = null;
    try {
      const caller = await entrance.identify(credentialIn(request.headers), addressOf(request));
      admission = await entrance.admit(operation, caller);
      const { body, isComputed } = await answerFor(request, pathValues, admission);
      await send({ request, response, requestId, admission }, body, isComputed);
    } catch (error) {
      await fail(request, response, requestId, admission, error);
    }
  }

  return (request, response, pathValues = {}) => {
    serve(request, response, pathValues).catch(() => response.destroy());
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LoadMonitor } from '../../base/load.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { addressTooLong, timeSpent } from '../../operations/access/refusals.ts';
import { NO_SNIFF } from './common-headers.ts';
import { writeProblem } from './problem-body.ts';
import { requestIdOf } from './request-id.ts';

const RETRY_AFTER_SECONDS = 30;

/** Paths for programs, which are refused last. Everything else is a page. */
export function isForPrograms(url: string): boolean {
  return url === '/api' || ['/api/', '/mcp', '/oauth/', '/lake/'].some((start) => url.startsWith(start));
}

/** Whether a request is refused under overload. */
export function isShed(load: Pick<LoadMonitor, 'sheds'>, url: string): boolean {
  return load.sheds(isForPrograms(url) ? 'api' : 'pages');
}

interface RefuseOptions {
  baseUrl: () => string;
  metrics: Pick<Metrics, 'requests' | 'shedRequests' | 'spentRequests'>;
}

export function refuseOverload(
  request: IncomingMessage,
  response: ServerResponse,
  options: RefuseOptions,
): void {
  options.metrics.shedRequests.inc({ kind: isForPrograms(request.url ?? '') ? 'api' : 'page' });
  const detail = `The service has more work than it can do; try again in ${RETRY_AFTER_SECONDS} s.`;
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
  refuseUnread(request, response, new Problem('overloaded', detail, { headers }), options);
}

export function refuseAddress(
  request: IncomingMessage,
  response: ServerResponse,
  options: RefuseOptions,
): void {
  const problem = addressTooLong();
  options.metrics.requests.inc({ operation: 'problem', status: problem.status });
  refuseUnread(request, response, problem, options);
}

/** A client that asks again at once would occupy the thread with refusals, so each of its connections waits for this long. */
const HELD_MS = 1_000;
const held = new WeakSet<Socket>();

/** Refuses a request of a caller who has used its computing time, before any work is done. */
export function refuseSpent(
  request: IncomingMessage,
  response: ServerResponse,
  retryAfterSeconds: number,
  options: RefuseOptions,
): void {
  const { socket } = request;
  // The answer to the first one closes the connection; the others are never read.
  if (held.has(socket)) return;
  held.add(socket);
  const url = request.url ?? '';
  options.metrics.spentRequests.inc({ kind: isForPrograms(url) ? 'api' : 'page' });
  setTimeout(() => {
    if (response.destroyed) return;
    const isPage = !isForPrograms(url) && request.headers.accept?.includes('text/html') === true;
    if (isPage) sendSpentPage(request, response, retryAfterSeconds);
    else refuseUnread(request, response, timeSpent(retryAfterSeconds), options);
  }, HELD_MS).unref();
}

function sendSpentPage(request: IncomingMessage, response: ServerResponse, retryAfterSeconds: number): void {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Too many requests</title><h1>Too many requests</h1>
<p>Your network has opened many pages in a short time. Reload this page in ${retryAfterSeconds} s.</p></html>
`;
  response.writeHead(429, {
    ...NO_SNIFF,
    'cache-control': 'no-store',
    connection: 'close',
    'content-length': Buffer.byteLength(body),
    'content-security-policy': "default-src 'none'",
    'content-type': 'text/html; charset=utf-8',
    'retry-after': String(retryAfterSeconds),
    'x-request-id': requestIdOf(request.headers['x-request-id']),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The body of a POST is not read, so the connection cannot be used again. */
function refuseUnread(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  { baseUrl }: RefuseOptions,
): void {
  response.setHeader('connection', 'close');
  const requestId = requestIdOf(request.headers['x-request-id']);
  writeProblem(response, problem, requestId, baseUrl(), request.method === 'HEAD');
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoadMonitor } from '../../base/load.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { addressTooLong } from '../../operations/access/refusals.ts';
import { writeProblem } from './problem-body.ts';
import { requestIdOf } from './request-id.ts';

const RETRY_AFTER_SECONDS = 30;

/** Paths for programs, which are refused last. Everything else is a page. */
function isForPrograms(url: string): boolean {
  return url === '/api' || ['/api/', '/mcp', '/oauth/', '/lake/'].some((start) => url.startsWith(start));
}

/** Whether a request is refused under overload. */
export function isShed(load: Pick<LoadMonitor, 'sheds'>, url: string): boolean {
  return load.sheds(isForPrograms(url) ? 'api' : 'pages');
}

interface RefuseOptions {
  baseUrl: () => string;
  metrics: Pick<Metrics, 'requests' | 'shedRequests'>;
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

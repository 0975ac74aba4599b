import type { ServerResponse } from 'node:http';
import type { Problem } from '../../base/problems.ts';
import { PROBLEM_TYPE, problemDocument } from '../../operations/problem-body.ts';
import { CORS_HEADERS, describedBy, VARY } from './common-headers.ts';

export { PROBLEM_TYPE };

export function problemBody(problem: Problem, requestId: string, baseUrl: string): string {
  return JSON.stringify(problemDocument(problem, requestId, baseUrl));
}

/** Every problem's headers; its own come last and may replace them. */
export function problemHeaders(problem: Problem, requestId: string, baseUrl: string): Record<string, string> {
  return {
    ...CORS_HEADERS,
    'cache-control': 'no-store',
    'content-type': PROBLEM_TYPE,
    link: describedBy(baseUrl),
    vary: VARY,
    'x-request-id': requestId,
    ...problem.headers,
  };
}

/** Answers with a problem on the bare response, for doors that do without the framework's reply. */
export function writeProblem(
  response: ServerResponse,
  problem: Problem,
  requestId: string,
  baseUrl: string,
  isHead: boolean,
): void {
  const body = problemBody(problem, requestId, baseUrl);
  const headers = problemHeaders(problem, requestId, baseUrl);
  response.writeHead(problem.status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(isHead ? undefined : body);
}

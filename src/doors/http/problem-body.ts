import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from '../../base/http/node-http.ts';
import { Problem } from '../../base/problems.ts';
import { PROBLEM_TYPE, problemDocument } from '../../operations/access/problem-body.ts';
import { addressTooLong, MOST_ADDRESS_BYTES } from '../../operations/access/refusals.ts';
import { API_HEADERS, describedBy, VARY } from './common-headers.ts';
import { requestIdOf } from './request-id.ts';

export { PROBLEM_TYPE };

export function problemBody(problem: Problem, requestId: string, baseUrl: string): string {
  return JSON.stringify(problemDocument(problem, requestId, baseUrl));
}

/** The headers of a problem response. The problem's own headers override the common ones. */
export function problemHeaders(problem: Problem, requestId: string, baseUrl: string): Record<string, string> {
  return {
    ...API_HEADERS,
    'cache-control': 'no-store',
    'content-type': PROBLEM_TYPE,
    link: describedBy(baseUrl),
    vary: VARY,
    'x-request-id': requestId,
    ...problem.headers,
  };
}

/** Writes a problem to Node's response, for handlers that bypass Fastify. */
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

/** The start of a request whose address alone is too long. */
const LONG_ADDRESS = new RegExp(`^[A-Z]+ \\S{${MOST_ADDRESS_BYTES}}`);

/** The problem of a request that Node could not parse. */
export function parseProblem(error: Error & { code?: string; rawPacket?: unknown }): Problem {
  const { code, rawPacket } = error;
  const sent = rawPacket instanceof Buffer ? rawPacket.toString('latin1') : '';
  if (code === 'HPE_HEADER_OVERFLOW' && LONG_ADDRESS.test(sent)) return addressTooLong();
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new Problem('bad-request', 'The address and headers together are over 32 kB; shorten them.');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('bad-request', 'The request did not arrive whole within 30 s; send it again.');
  return new Problem('bad-request', 'The request cannot be read as HTTP; check its first line and headers.');
}

/** How long a client may keep its side of a refused connection open. */
const CLOSE_WITHIN_MS = 1_000;

/** Writes a problem to a socket that has no request object, and closes the connection. */
export function writeProblemToSocket(socket: Duplex, problem: Problem, baseUrl: string): void {
  // Node has removed its own listener from a socket that it hands over. Without one, a reset would end the process.
  socket.on('error', () => undefined);
  if (!socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  const requestId = requestIdOf(undefined);
  const body = problemBody(problem, requestId, baseUrl);
  const headers = {
    ...problemHeaders(problem, requestId, baseUrl),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  // What the client still sends is read, because closing on unread bytes would reset the connection before it has read
  // the problem. A client that does not close its side would keep the server from stopping.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS);
  socket.once('close', () => clearTimeout(timer));
}

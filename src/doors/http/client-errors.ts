import type { Duplex } from 'node:stream';
import { Problem } from '../../base/problems.ts';
import { problemBody, problemHeaders } from './problem-body.ts';
import { requestIdOf } from './request-id.ts';

/** What was wrong with a request that Node could not even parse. */
export function unreadable(error: Error & { code?: string }): Problem {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new Problem('bad-request', 'The address and headers together are over 32 kB; shorten them.');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('bad-request', 'The request did not arrive whole within 30 s; send it again.');
  return new Problem('bad-request', 'The request cannot be read as HTTP; check its first line and headers.');
}

/** There is no request object to answer on, so the answer is written by hand and the connection closed. */
export function writeUnreadable(socket: Duplex, problem: Problem, baseUrl: string): void {
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
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}

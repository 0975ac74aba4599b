import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KnownText } from '../../base/known-text.ts';
import type { Log } from '../../base/log.ts';
import { Problem } from '../../base/problems.ts';
import { rateHeaders } from '../../operations/refusals.ts';
import { JSON_TYPE } from '../http/common-headers.ts';
import { PROBLEM_TYPE, problemBody } from '../http/problem-body.ts';
import { RpcError } from './rpc-error.ts';
import type { CallOutcome } from './tool-calls.ts';

/** One request and its reply, on the bare connection: most results are ready-made bytes. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** What a browser of an allowed origin is told. */
  cors: Readonly<Record<string, string>>;
}

const INTERNAL_ERROR = -32_603;

export function sendResult(
  { response, requestId, cors }: Exchange,
  id: string | number,
  { tail, states, told }: CallOutcome,
): void {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  const length = Buffer.byteLength(start) + bytesOf(tail);
  const headers = ['content-type', JSON_TYPE, 'content-length', String(length), 'cache-control', 'no-store'];
  headers.push('x-request-id', requestId);
  if (states) {
    const rates = rateHeaders(states);
    headers.push('ratelimit', rates.ratelimit, 'ratelimit-policy', rates['ratelimit-policy']);
    headers.push('x-ratelimit-limit', rates['x-ratelimit-limit']);
    headers.push('x-ratelimit-remaining', rates['x-ratelimit-remaining']);
    headers.push('x-ratelimit-reset', rates['x-ratelimit-reset']);
  }
  for (const name in told) headers.push(name, told[name] ?? '');
  for (const name in cors) headers.push(name, cors[name] ?? '');
  response.writeHead(200, headers);
  if ('text' in tail) {
    const message = start + tail.text;
    // Plain ASCII needs no encoding, which saves a copy.
    response.end(message, message.length === length ? 'latin1' : 'utf8');
    return;
  }
  response.cork();
  // A text goes out together with the headers.
  response.write(start);
  response.end(tail);
  response.uncork();
}

function bytesOf(tail: Buffer | KnownText): number {
  if (!('text' in tail)) return tail.length;
  return tail.isAscii ? tail.text.length : Buffer.byteLength(tail.text);
}

/** For messages that nobody waits for an answer to. */
export function sendAccepted({ response, requestId, cors }: Exchange): void {
  response.writeHead(202, { 'content-length': 0, 'x-request-id': requestId, ...cors }).end();
}

/** Faults of access are problem bodies with their challenge; all others are JSON-RPC errors. */
export function sendFault(
  { request, response, requestId, cors }: Exchange,
  error: Problem | RpcError,
  baseUrl: string,
): void {
  if (response.headersSent) return void response.destroy();
  const isProblem = error instanceof Problem;
  const body = isProblem ? problemBody(error, requestId, baseUrl) : error.toJson();
  response.writeHead(error.status, {
    'content-type': isProblem ? PROBLEM_TYPE : JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...cors,
    ...(isProblem ? error.headers : {}),
    // What is left of the body is not read, so nothing can follow it.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(body);
}

/** What a caller may learn of any error. What is neither a problem nor a fault of the message stays private. */
export function publicFault(
  error: unknown,
  requestId: string,
  log: Log,
  id: string | number | null,
): Problem | RpcError {
  if (error instanceof Problem || error instanceof RpcError) return error;
  log.error({ err: error, requestId }, 'assistant request failed');
  const message = `Something failed on our side; request id ${requestId}`;
  return new RpcError(INTERNAL_ERROR, message, { id, status: 500 });
}

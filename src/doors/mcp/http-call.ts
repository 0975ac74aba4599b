import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WindowStates } from '../../accounts/windows/windows.ts';
import type { Log } from '../../base/log.ts';
import { Problem } from '../../base/problems.ts';
import { rateHeaders } from '../../operations/refusals.ts';
import { JSON_TYPE } from '../http/common-headers.ts';
import { PROBLEM_TYPE, problemBody } from '../http/problem-body.ts';
import { RpcError } from './protocol/rpc-error.ts';
import type { CallOutcome } from './tools/tool-calls.ts';

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
  const start = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`;
  const length = tail.byteLength + (typeof id === 'number' ? start.length : Buffer.byteLength(start));
  const headers = resultHeaders(requestId, length, states);
  for (const name in told) headers.push(name, told[name] ?? '');
  for (const name in cors) headers.push(name, cors[name] ?? '');
  response.writeHead(200, headers);
  const { content, giveBack } = tail;
  if (typeof content === 'string') {
    const message = start + content;
    // Plain ASCII needs no encoding, which saves a copy.
    response.end(message, message.length === length ? 'latin1' : 'utf8');
    return;
  }
  // Only once they have left: a slow reader must not get the bytes of the answer after its own.
  if (giveBack) response.once('finish', giveBack);
  response.cork();
  // A text goes out together with the headers.
  response.write(start);
  response.end(content);
  response.uncork();
}

function resultHeaders(requestId: string, length: number, states: WindowStates | null): string[] {
  const headers = [
    'content-type',
    JSON_TYPE,
    'content-length',
    String(length),
    'cache-control',
    'no-store',
    'x-request-id',
    requestId,
  ];
  if (states) {
    const rates = rateHeaders(states);
    headers.push(
      'ratelimit',
      rates.ratelimit,
      'ratelimit-policy',
      rates['ratelimit-policy'],
      'x-ratelimit-limit',
      rates['x-ratelimit-limit'],
      'x-ratelimit-remaining',
      rates['x-ratelimit-remaining'],
      'x-ratelimit-reset',
      rates['x-ratelimit-reset'],
    );
  }
  return headers;
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

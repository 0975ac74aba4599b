import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import { Problem } from '../../base/problems.ts';
import { rateLines } from '../../operations/access/refusals.ts';
import { headerLines, sendAnswer, sendText } from '../http/answers/send-answer.ts';
import { JSON_TYPE, NO_SNIFF } from '../http/common-headers.ts';
import { PROBLEM_TYPE, problemBody } from '../http/problem-body.ts';
import { RpcError } from './protocol/rpc-error.ts';
import type { CallOutcome } from './tools/tool-calls.ts';

/** One HTTP request with its response, without the framework: most results are finished bytes. */
export interface HttpCall {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** CORS headers for a page of an allowed origin. */
  cors: Readonly<Record<string, string>>;
}

const RESULT_LINES = headerLines([
  ...Object.entries(NO_SNIFF).flat(),
  ...['content-type', JSON_TYPE, 'cache-control', 'no-store'],
]);
const INTERNAL_ERROR = -32_603;

export function sendResult(
  { request, response, requestId, cors }: HttpCall,
  id: string | number,
  { tail, states, headers: refusalHeaders }: CallOutcome,
): void {
  const start = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`;
  const length = tail.byteLength + (typeof id === 'number' ? start.length : Buffer.byteLength(start));
  let lines = `${RESULT_LINES}content-length: ${length}\r\nx-request-id: ${requestId}\r\n`;
  if (states) lines += rateLines(states);
  for (const name in refusalHeaders) lines += `${name}: ${refusalHeaders[name]}\r\n`;
  for (const name in cors) lines += `${name}: ${cors[name]}\r\n`;
  const { content, giveBack } = tail;
  if (typeof content === 'string') {
    sendText(request, response, 200, lines, start + content, length);
    return;
  }
  const isAsciiStart = length === tail.byteLength + start.length;
  if (isAsciiStart) sendAnswer(request, response, 200, lines, content, start);
  else sendAnswer(request, response, 200, lines, Buffer.concat([Buffer.from(start), content.bytes]));
  // Only after sending: a slow client must not get the bytes of the next answer in this buffer.
  if (giveBack && response.writableLength > 0) response.once('finish', giveBack);
  else giveBack?.();
}

/** The response to notifications, which have no result. */
export function sendAccepted({ response, requestId, cors }: HttpCall): void {
  response.writeHead(202, { ...NO_SNIFF, 'content-length': 0, 'x-request-id': requestId, ...cors }).end();
}

/** Access errors are sent as problem bodies with their challenge, all others as JSON-RPC errors. */
export function sendFault(
  { request, response, requestId, cors }: HttpCall,
  error: Problem | RpcError,
  baseUrl: string,
): void {
  if (response.headersSent) return void response.destroy();
  const isProblem = error instanceof Problem;
  const body = isProblem ? problemBody(error, requestId, baseUrl) : error.toJson();
  response.writeHead(error.status, {
    ...NO_SNIFF,
    'content-type': isProblem ? PROBLEM_TYPE : JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...cors,
    ...(isProblem ? error.headers : {}),
    // The rest of the body is not read, so the connection cannot be reused.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(body);
}

/** The error as the caller may see it. Unexpected errors are logged and answered without their text. */
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

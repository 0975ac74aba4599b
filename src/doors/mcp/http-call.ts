import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import { Problem } from '../../base/problems.ts';
import { headerList, JSON_TYPE, NO_SNIFF } from '../http/common-headers.ts';
import { PROBLEM_TYPE, problemBody } from '../http/problem-body.ts';
import { RpcError } from './protocol/rpc-error.ts';
import type { CallOutcome } from './tools/tool-calls.ts';

/** One HTTP request with its response, past Fastify (server.ts says why). */
export interface HttpCall {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** CORS headers for a page of an allowed origin. */
  cors: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string>>;

const INTERNAL_ERROR = -32_603;
const END = '}';

export function sendResult(
  { response, requestId, cors }: HttpCall,
  id: string | number,
  { result, headers: refusalHeaders }: Pick<CallOutcome, 'result' | 'headers'>,
  rates: Headers,
): void {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  const bytes = Buffer.isBuffer(result) ? result.length : result.bytes;
  const headers = {
    ...NO_SNIFF,
    'content-type': JSON_TYPE,
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(head) + bytes + END.length),
    'x-request-id': requestId,
    ...rates,
    ...refusalHeaders,
    ...cors,
  };
  // A cached result is sent as it is: copying 60 kB behind another id takes longer than the rest of a call.
  response.cork();
  response.writeHead(200, headerList(headers));
  response.write(head);
  response.write(Buffer.isBuffer(result) ? result : result.text);
  response.end(END);
}

/** The response to notifications, which have no result. */
export function sendAccepted({ response, requestId, cors }: HttpCall, rates: Headers): void {
  response
    .writeHead(202, { ...NO_SNIFF, 'content-length': 0, 'x-request-id': requestId, ...rates, ...cors })
    .end();
}

/** Access errors are sent as problem bodies with their challenge, all others as JSON-RPC errors. */
export function sendFault(
  { request, response, requestId, cors }: HttpCall,
  error: Problem | RpcError,
  baseUrl: string,
  rates: Headers,
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
    ...rates,
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

import type { IncomingMessage } from 'node:http';
import { RpcError } from './rpc-error.ts';

const MAX_BODY_BYTES = 64 * 1024;
const PARSE_ERROR = -32_700;

/** Exactly one of the two is called, once. */
export interface BodyReader {
  take(text: string): void;
  fail(error: unknown): void;
}

/** Reads the whole body as text. A body that is too large is refused as soon as that is known. */
export function readBody(request: IncomingMessage, reader: BodyReader): void {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (type !== 'application/json' && !/^application\/json *(?:;|$)/i.test(type))
    throw refused(415, 'The body must be application/json');
  if (Number(length ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  // A body that arrived with the headers is parsed at the end of the turn at the latest.
  if (request.complete) readNow(request, reader);
  else setImmediate(readNow, request, reader);
}

function readNow(request: IncomingMessage, reader: BodyReader): void {
  const first = request.read() as Buffer | null;
  if (first !== null && first.length > MAX_BODY_BYTES) reader.fail(tooLarge());
  else if (request.complete) reader.take(first === null ? '' : first.toString());
  else readOn(request, first, reader);
}

function readOn(request: IncomingMessage, first: Buffer | null, reader: BodyReader): void {
  const chunks = first === null ? [] : [first];
  let bytes = first?.length ?? 0;
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) failed(tooLarge());
    else chunks.push(chunk);
  };
  const onEnd = () => reader.take(Buffer.concat(chunks).toString());
  const onError = () => failed(refused(400, 'The body cannot be read'));
  const failed = (error: RpcError) => {
    request.off('data', onData).off('end', onEnd);
    reader.fail(error);
  };
  request.on('data', onData).on('end', onEnd).on('error', onError);
}

function tooLarge(): RpcError {
  return refused(413, 'The body is larger than 64 kB');
}

function refused(status: number, message: string): RpcError {
  return new RpcError(PARSE_ERROR, message, { status });
}

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
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > MAX_BODY_BYTES) failed(tooLarge());
  };
  const onEnd = () => reader.take(textOf(chunks));
  const failed = (error: RpcError) => {
    request.off('data', onData).off('end', onEnd).off('error', onError);
    reader.fail(error);
  };
  const onError = () => failed(refused(400, 'The body ended before its length was reached'));
  // A body that has arrived is taken without waiting for events. `read` returns one piece at a time.
  let piece = request.read() as Buffer | null;
  for (; piece !== null && bytes <= MAX_BODY_BYTES; piece = request.read() as Buffer | null) onData(piece);
  if (bytes > MAX_BODY_BYTES) return;
  if (request.complete) onEnd();
  else if (request.destroyed) onError();
  else request.on('data', onData).on('end', onEnd).on('error', onError);
}

function textOf(chunks: readonly Buffer[]): string {
  return chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString();
}

function tooLarge(): RpcError {
  return refused(413, 'The body is larger than 64 kB');
}

function refused(status: number, message: string): RpcError {
  return new RpcError(PARSE_ERROR, message, { status });
}

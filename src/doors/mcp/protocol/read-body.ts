import type { IncomingMessage } from 'node:http';
import { RpcError } from './rpc-error.ts';

const MAX_BODY_BYTES = 64 * 1024;
const PARSE_ERROR = -32_700;

/** Reads the whole body as text. A body that is too large is refused as soon as that is known. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (!/^application\/json *(?:;|$)/i.test(type)) throw refused(415, 'The body must be application/json');
  if (Number(length ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= MAX_BODY_BYTES) return;
      request.off('data', onData);
      reject(tooLarge());
    };
    request.on('data', onData);
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', () => reject(refused(400, 'The body ended before its length was reached')));
  });
}

function tooLarge(): RpcError {
  return refused(413, 'The body is larger than 64 kB');
}

function refused(status: number, message: string): RpcError {
  return new RpcError(PARSE_ERROR, message, { status });
}

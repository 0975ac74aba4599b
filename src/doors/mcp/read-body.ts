import type { IncomingMessage } from 'node:http';
import { RpcError } from './rpc-error.ts';

const MAX_BODY_BYTES = 64 * 1024;
const PARSE_ERROR = -32_700;

/** The whole body as text. One that is too large is refused as soon as that is known, without reading on. */
export function readBody(request: IncomingMessage): Promise<string> {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (!/^application\/json *(?:;|$)/i.test(type)) throw refused(415, 'The body must be application/json');
  if (Number(length ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) {
        request.removeAllListeners('data');
        reject(tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () =>
      resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? ''),
    );
    request.on('error', () => reject(refused(400, 'The body cannot be read')));
  });
}

function tooLarge(): RpcError {
  return refused(413, 'The body is larger than 64 kB');
}

function refused(status: number, message: string): RpcError {
  return new RpcError(PARSE_ERROR, message, { status });
}

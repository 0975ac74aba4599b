import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

export interface FuzzReply {
  status: number;
  headers: ReadonlyMap<string, string>;
  text: string;
}

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
};
const HEAD_END = '\r\n\r\n';

/** One connection that sends raw bytes and reads one answer at a time, until the server closes it. */
export class FuzzConnection {
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** `hasBody` false for HEAD. `isLast` closes our side after the bytes, as a client that gives up does. */
  send(bytes: Buffer, { hasBody, isLast }: { hasBody: boolean; isLast: boolean }): Promise<FuzzReply | null> {
    if (isLast) this.close();
    const socket = this.#socket ?? connect(this.#port, '127.0.0.1');
    this.#socket = socket;
    return new Promise((resolve) => {
      let received: Buffer = Buffer.alloc(0);
      const finish = (reply: FuzzReply | null, isReusable: boolean) => {
        socket.removeAllListeners();
        // The server may reset the connection after its answer.
        socket.on('error', () => undefined);
        if (!isReusable) this.close();
        resolve(reply);
      };
      socket.on('data', (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const reply = readReply(received, hasBody, false);
        if (!reply) return;
        finish(reply, !isLast && reply.headers.get('connection') !== 'close');
      });
      socket.on('error', () => finish(readReply(received, hasBody, true), false));
      socket.on('close', () => finish(readReply(received, hasBody, true), false));
      if (isLast) socket.end(bytes);
      else socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }
}

/** The first answer in the bytes; null while it is not complete. */
function readReply(received: Buffer, hasBody: boolean, isClosed: boolean): FuzzReply | null {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const [first = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(first.split(' ')[1]);
  const bodyStart = headEnd + HEAD_END.length;
  // 100 Continue precedes the final answer.
  if (status < 200) return readReply(received.subarray(bodyStart), hasBody, isClosed);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  if (!hasBody || status === 204 || status === 304) return { status, headers, text: '' };
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (Number.isNaN(length) && !isClosed) return null;
  const end = Number.isNaN(length) ? received.length : bodyStart + length;
  if (received.length < end) return null;
  const body = received.subarray(bodyStart, end);
  const decode = DECODERS[headers.get('content-encoding') ?? ''];
  return { status, headers, text: (decode ? decode(body) : body).toString('utf8') };
}

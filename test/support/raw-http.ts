import { request as plainRequest } from 'node:http';
import { type RequestOptions, request as tlsRequest } from 'node:https';
import { connect } from 'node:net';

export interface RawReply {
  status: number;
  headers: Headers;
  bytes: Buffer;
  text: string;
}

/** A request as it goes over the wire: nothing added, nothing decoded. */
export function rawRequest(url: string, options: RequestOptions & { body?: string } = {}): Promise<RawReply> {
  const { body, ...rest } = options;
  const request = url.startsWith('https:') ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...rest }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => {
        const headers = new Headers();
        for (const [name, value] of Object.entries(reply.headers)) headers.set(name, String(value));
        const bytes = Buffer.concat(chunks);
        resolve({ status: reply.statusCode ?? 0, headers, bytes, text: bytes.toString('utf8') });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Writes bytes to the port and gives what comes back until the other side closes. */
export function rawBytes(url: string, bytes: string): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = new Headers();
      for (const line of lines)
        headers.set(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1));
      const text = rest.join('\r\n\r\n');
      resolve({ status: Number(first.split(' ')[1]), headers, bytes: Buffer.from(text), text });
    });
  });
}

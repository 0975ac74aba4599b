import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

type Answer = (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => void;

export interface LakeServer {
  url: string;
  /** The path and the Range of each request. */
  requests: string[];
  /** Answers the path in another way from now on. */
  set(path: string, answer: Answer): void;
  /** Answers the path with other bytes. */
  bytes(path: string, change: (bytes: Buffer) => Buffer): void;
}

/** Serves a folder with Range, and whatever else a server may do wrong. */
export async function lakeServer(t: TestContext, folder: string): Promise<LakeServer> {
  const answers = new Map<string, Answer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/lake/', '');
    requests.push(`${path} ${request.headers.range ?? ''}`.trim());
    const bytes = readFileSync(join(folder, path));
    (answers.get(path) ?? sendBytes)(request, response, bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    set: (path, answer) => answers.set(path, answer),
    bytes: (path, change) =>
      answers.set(path, (request, response, bytes) => sendBytes(request, response, change(bytes))),
  };
}

export function sendBytes(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (start === 0) response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  else
    response
      .writeHead(206, { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` })
      .end(bytes.subarray(start));
}

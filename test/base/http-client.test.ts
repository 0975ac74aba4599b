import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { CallError, createHttpClient } from '../../src/base/http-client.ts';

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  '/good': (response) => response.end('{"a":1}'),
  '/gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":2}')),
  '/br': (response) =>
    response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('{"a":3}')),
  '/page': (response) => response.end('<!doctype html>'),
  '/limited': (response) => response.writeHead(429, { 'retry-after': '7' }).end('slow down'),
  '/dated': (response) =>
    response.writeHead(503, { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }).end(),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"a":', () => response.destroy());
  },
  '/never': () => undefined,
};

suite('HTTP client', () => {
  let server: Server;
  let url: string;
  const http = createHttpClient();
  before(async () => {
    server = createServer((request, response) => ANSWERS[request.url ?? '']?.(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await http.close();
    server.closeAllConnections();
    server.close();
  });
  const ask = (path: string, timeoutMs = 5000) =>
    http.json({ method: 'GET', url: `${url}${path}`, timeoutMs });
  const failing = async (promise: Promise<unknown>): Promise<CallError> => {
    const error = await promise.then(
      () => null,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof CallError, String(error));
    return error;
  };

  test('JSON comes back parsed, plain and compressed', async () => {
    assert.deepEqual(await ask('/good'), { a: 1 });
    assert.deepEqual(await ask('/gzip'), { a: 2 });
    assert.deepEqual(await ask('/br'), { a: 3 });
  });

  test('a web page is not JSON', async () => {
    assert.equal((await failing(ask('/page'))).failure, 'not-json');
  });

  test('a refusal carries its status and Retry-After in seconds', async () => {
    const error = await failing(ask('/limited'));
    assert.deepEqual([error.failure, error.status, error.retryAfterSeconds], ['status', 429, 7]);
  });

  test('Retry-After as a date becomes seconds', async () => {
    const { retryAfterSeconds } = await failing(ask('/dated'));
    assert.ok(
      retryAfterSeconds !== null && retryAfterSeconds > 25 && retryAfterSeconds <= 31,
      String(retryAfterSeconds),
    );
  });

  test('a body that ends early is a network failure', async () => {
    assert.equal((await failing(ask('/cut'))).failure, 'network');
  });

  test('no answer is a timeout', async () => {
    assert.equal((await failing(ask('/never', 50))).failure, 'timeout');
  });

  test('a closed port is a network failure that names the cause', async () => {
    const error = await failing(http.json({ method: 'GET', url: 'http://127.0.0.1:1/', timeoutMs: 2000 }));
    assert.equal(error.failure, 'network');
    assert.match(error.message, /ECONNREFUSED/);
  });
});

import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { CallError, createHttpClient } from '../../src/base/http/http-client.ts';

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
  '/cached': (response) => response.writeHead(200, { age: '3600' }).end('{"a":1}'),
  '/odd-age': (response) => response.writeHead(200, { age: '-5' }).end('{"a":1}'),
  '/own-pause': (response) =>
    response
      .writeHead(429, {
        'x-ratelimit-retry-after-ip': '12',
        'x-ratelimit-retry-after-contract': '61',
      })
      .end('{}'),
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
    assert.deepEqual((await ask('/good')).payload, { a: 1 });
    assert.deepEqual((await ask('/gzip')).payload, { a: 2 });
    assert.deepEqual((await ask('/br')).payload, { a: 3 });
  });

  test('the age of a cached reply is in milliseconds; 0 where no cache says so or the header is no number', async () => {
    assert.equal((await ask('/cached')).ageMs, 3_600_000);
    assert.equal((await ask('/good')).ageMs, 0);
    assert.equal((await ask('/odd-age')).ageMs, 0);
  });

  test('a pause in a header of the venue’s own is read like Retry-After; the longest one counts', async () => {
    const own = (path: string) =>
      failing(
        http.json({
          method: 'GET',
          url: `${url}${path}`,
          timeoutMs: 5000,
          retryAfterHeader: 'x-ratelimit-retry-after-',
        }),
      );
    assert.equal((await own('/own-pause')).retryAfterSeconds, 61);
    assert.equal((await own('/limited')).retryAfterSeconds, 7);
    assert.equal((await failing(ask('/own-pause'))).retryAfterSeconds, null);
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

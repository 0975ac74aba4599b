import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { bytesWithin, TooLarge } from '../../src/base/http/bounded-body.ts';
import { CallError, createHttpClient } from '../../src/base/http/http-client.ts';

const MB = 1024 * 1024;
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

type Answering = (response: ServerResponse, headers: IncomingHttpHeaders) => void;

const ANSWERS: Record<string, Answering> = {
  '/good': (response) => response.end('{"a":1}'),
  '/gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":2}')),
  '/br': (response) =>
    response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('{"a":3}')),
  '/gzip-bomb': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(65 * MB, ' '))),
  '/br-bomb': (response) =>
    response
      .writeHead(200, { 'content-encoding': 'br' })
      .end(brotliCompressSync(Buffer.alloc(65 * MB, ' '), FAST_BROTLI)),
  '/error-bomb': (response) =>
    response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(65 * MB, 'x'))),
  '/escape': (response) => response.writeHead(500).end('no\u001b[2J\r\nperpwire: all is well'),
  '/escape-page': (response) => response.end('\u001b]0;root\u0007'),
  '/decimals': (response) => response.end('{"price":"0.50","size":"4"}'),
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
  '/bom': (response) => response.end('\uFEFF{"a":4}'),
  '/own-pause': (response) =>
    response
      .writeHead(429, {
        'x-ratelimit-retry-after-ip': '12',
        'x-ratelimit-retry-after-contract': '61',
      })
      .end('{}'),
};

/** What a server that supports conditional requests sends for any other path. */
let version: { etag?: string; 'last-modified'?: string; body: Buffer } = { body: Buffer.from('{}') };
const confirming: Answering = (response, headers) => {
  const { body, ...validators } = version;
  const isSame =
    version.etag === undefined
      ? headers['if-modified-since'] !== undefined &&
        headers['if-modified-since'] === version['last-modified']
      : headers['if-none-match'] === version.etag;
  response
    .writeHead(isSame ? 304 : 200, { ...validators, 'content-encoding': 'gzip' })
    .end(isSame ? '' : body);
};

suite('HTTP client', () => {
  const received: IncomingHttpHeaders[] = [];
  let server: Server;
  let url: string;
  const http = createHttpClient();
  before(async () => {
    server = createServer((request, response) => {
      received.push(request.headers);
      (ANSWERS[request.url ?? ''] ?? confirming)(response, request.headers);
    });
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

  for (const path of ['/gzip-bomb', '/br-bomb', '/error-bomb'])
    test(`a small reply that unpacks to more than 64 MB is refused: ${path}`, async () => {
      const { failure, message } = await failing(ask(path, 30_000));
      assert.deepEqual([failure, message], ['bad-reply', 'the reply has more than 64 MB']);
    });

  test('a stream that unpacks while it is read is counted unpacked, and its connection ends', async () => {
    const { body } = await fetch(`${url}/gzip-bomb`);
    assert.ok(body);
    await assert.rejects(bytesWithin(body, 64 * 1024), (error) => {
      assert.ok(error instanceof TooLarge);
      return error.message === 'the reply has more than 64 kB';
    });
    const small = await fetch(`${url}/gzip`);
    assert.ok(small.body);
    assert.equal(String(await bytesWithin(small.body, 64 * 1024)), '{"a":2}');
  });

  test('the words of a server reach messages without control characters', async () => {
    assert.equal((await failing(ask('/escape'))).message, 'HTTP 500: no [2J perpwire: all is well');
    assert.equal((await failing(ask('/escape-page'))).message, 'the reply is not JSON: ]0;root');
  });

  test('short decimals that a venue writes as texts are numbers in order books only', async () => {
    assert.deepEqual((await ask('/decimals')).payload, { price: '0.50', size: '4' });
    const call = { method: 'GET', url: `${url}/decimals`, timeoutMs: 5000, isBook: true } as const;
    assert.deepEqual((await http.json(call)).payload, { price: 0.5, size: '4' });
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

  const askAgain = (path: string) =>
    http.json({ method: 'GET', url: `${url}${path}`, timeoutMs: 5000, isRepeated: true });

  test('every call asks for compression', async () => {
    await ask('/good');
    assert.equal(received.at(-1)?.['accept-encoding'], 'gzip, br');
  });

  test('a reply that the server confirms by its ETag is parsed again without being received', async () => {
    const body = gzipSync('{"a":[1,2]}');
    version = { etag: 'W/"one"', body };
    assert.deepEqual(await askAgain('/tagged'), {
      payload: { a: [1, 2] },
      ageMs: 0,
      receivedBytes: body.length,
    });
    assert.deepEqual(await askAgain('/tagged'), { payload: { a: [1, 2] }, ageMs: 0, receivedBytes: 0 });
    assert.equal(received.at(-1)?.['if-none-match'], 'W/"one"');
    version = { etag: 'W/"two"', body: gzipSync('{"a":[3]}') };
    assert.deepEqual((await askAgain('/tagged')).payload, { a: [3] });
    assert.deepEqual(await askAgain('/tagged'), { payload: { a: [3] }, ageMs: 0, receivedBytes: 0 });
  });

  test('without an ETag the time of the last change is asked for', async () => {
    version = { 'last-modified': 'Mon, 02 Nov 2026 10:00:00 GMT', body: gzipSync('{"b":1}') };
    await askAgain('/dated-file');
    assert.deepEqual(await askAgain('/dated-file'), { payload: { b: 1 }, ageMs: 0, receivedBytes: 0 });
  });

  test('a server that stops sending validators is no longer asked to confirm', async () => {
    version = { etag: '"x"', body: gzipSync('{"c":1}') };
    await askAgain('/changing');
    version = { body: gzipSync('{"c":2}') };
    assert.deepEqual((await askAgain('/changing')).payload, { c: 2 });
    await askAgain('/changing');
    assert.equal(received.at(-1)?.['if-none-match'], undefined);
  });

  test('a call that is not repeated sends no condition, even if the address has a kept reply', async () => {
    version = { etag: '"y"', body: gzipSync('{"d":1}') };
    await askAgain('/once');
    assert.deepEqual((await ask('/once')).payload, { d: 1 });
    assert.equal(received.at(-1)?.['if-none-match'], undefined);
  });

  test('a byte order mark before the JSON is ignored', async () => {
    assert.deepEqual((await ask('/bom')).payload, { a: 4 });
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

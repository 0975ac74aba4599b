import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, mock, suite, test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { collectOnce, type Running, runService, until } from '../support/service.ts';

const ID = /^x-request-id: (\S+)\r$/im;

suite('request ids', () => {
  const lines: string[] = [];
  const printed = mock.method(console, 'error', () => undefined);
  let running: Running;
  let port = 0;
  before(async () => {
    const log = createLog('info', { write: (line) => void lines.push(line) });
    running = await runService({
      venues: ['binance'],
      coins: 5,
      settings: { SIGN_UP: 'true' },
      serviceOptions: { log },
    });
    await collectOnce(running);
    port = Number(new URL(running.service.baseUrl).port);
  });
  after(async () => {
    printed.mock.restore();
    await running.stop();
  });

  const exchange = (request: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request));
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes;
      });
      socket.on('end', () => resolve(text));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
  const simple = (line: string, headers = '', body = '') =>
    exchange(`${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n${headers}\r\n${body}`);

  const form = (body: string, type = 'application/x-www-form-urlencoded'): [string, string] => [
    `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`,
    body,
  ];
  const PREFLIGHT = 'Access-Control-Request-Method: POST\r\n';
  const answers: [string, number, [string, string]?][] = [
    ['GET /', 200],
    ['HEAD /', 200],
    ['GET /funding', 503],
    ['GET /funding.md', 503],
    ['GET /plans', 200],
    ['GET /developers', 200],
    ['GET /style.css', 404],
    ['GET /robots.txt', 200],
    ['GET /llms.txt', 200],
    ['GET /account', 303],
    ['GET /sign-in', 200],
    ['POST /sign-in', 403, form('email=a%40b.example&password=x')],
    ['POST /sign-in', 400, form('{', 'application/json')],
    ['GET /nothing', 404],
    ['OPTIONS /', 405],
    ['OPTIONS /api/v1/funding', 204],
    ['OPTIONS /mcp', 204],
    ['GET /api/v1', 200],
    ['GET /api/v1/funding', 401],
    ['DELETE /api/v1/funding', 405],
    ['GET /mcp', 405],
    ['POST /mcp', 401, form('{}', 'application/json')],
    ['GET /oauth/authorize?client_id=nobody', 400],
    ['GET /oauth/authorize/unknown', 400],
    ['POST /oauth/token', 400, form('grant_type=password')],
    ['POST /oauth/token', 400, form('{', 'application/json')],
    ['OPTIONS /oauth/token', 404],
    ['OPTIONS /oauth/token', 204, [`Origin: https://a.example\r\n${PREFLIGHT}`, '']],
    ['POST /oauth/register', 400, form('{', 'application/json')],
    ['GET /.well-known/oauth-authorization-server', 200],
    ['GET *', 400],
    ['GET /%zz', 400],
    ['CONNECT example.com:443', 400],
    ['nonsense', 400],
  ];
  for (const [line, status, [headers, body] = ['', '']] of answers)
    test(`${line} ${headers.split('\r', 1).join()} is ${status} with an id`, async () => {
      const reply = await simple(line, headers, body);
      const found = Number(/^HTTP\/1.1 (\d+)/.exec(reply)?.[1] ?? 0);
      assert.equal(found, status, reply.slice(0, 200));
      assert.ok(ID.test(reply), reply.slice(0, 500));
    });

  test('the id that a client sends comes back, on pages, redirects, OPTIONS and OAuth errors', async () => {
    for (const line of [
      'GET /',
      'GET /account',
      'OPTIONS /api/v1/funding',
      'GET /oauth/authorize?client_id=x',
      'GET /nothing',
    ])
      assert.equal(ID.exec(await simple(line, 'X-Request-Id: mine-1\r\n'))?.[1], 'mine-1', line);
  });

  test('clients that hang up leave no stack in the log', async () => {
    const sockets: Socket[] = [];
    const halfSent = (line: string, type: string) =>
      `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n{"a`;
    const requests = [
      halfSent('POST /oauth/token', 'application/x-www-form-urlencoded'),
      halfSent('POST /oauth/revoke', 'application/x-www-form-urlencoded'),
      halfSent('POST /oauth/register', 'application/json'),
      halfSent('POST /mcp', 'application/json'),
      halfSent('POST /sign-in', 'application/x-www-form-urlencoded'),
      halfSent('POST /nothing', 'text/plain'),
      `GET /funding HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/v1/funding?limit=500 HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${running.keys.business}\r\n\r\n`,
      'GET /fun',
    ];
    for (const request of requests)
      for (const hangUp of ['destroy', 'resetAndDestroy'] as const) {
        const socket = connect(port, '127.0.0.1');
        sockets.push(socket);
        socket.on('error', () => undefined);
        socket.write(request, () => setImmediate(() => socket[hangUp]()));
      }
    await until(() => sockets.every((socket) => socket.closed), 'all sockets closed');
    // The server notices the end of earlier connections before it answers these.
    for (let i = 0; i < 10; i++) assert.equal((await running.get('/api/v1/exchanges')).status, 200);
    assert.deepEqual(
      lines.filter((line) => line.includes('"stack"')),
      [],
    );
    assert.equal(
      printed.mock.callCount(),
      0,
      printed.mock.calls.map((call) => String(call.arguments[0]).slice(0, 300)).join(' | '),
    );
  });
});

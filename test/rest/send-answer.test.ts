import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { RoomyBytes } from '../../src/doors/http/answers/roomy-bytes.ts';
import { headerLines, sendAnswer, sendText } from '../../src/doors/http/answers/send-answer.ts';
import { KEEP_ALIVE_MS } from '../../src/doors/http/common-headers.ts';
import { until } from '../support/until.ts';

const BODY = Buffer.from('{"data":[1,2,3]}');
const HEADERS = ['etag', '"a-1"', 'content-type', 'application/json', 'content-length', String(BODY.length)];
/** More than the kernel takes from a server whose client does not read. */
const LONG = Buffer.alloc(8 * 1024 * 1024, 'x');
const roomy = RoomyBytes.copyOf(BODY);
const roomyLong = RoomyBytes.copyOf(LONG);
const longHead = 'x'.repeat(4000);
const LINES = headerLines(HEADERS);

const HANDLERS: Readonly<Record<string, RequestListener>> = {
  '/ours': (request, response) => sendAnswer(request, response, 200, LINES, roomy),
  '/plain-bytes': (request, response) => sendAnswer(request, response, 200, LINES, BODY),
  '/start': (request, response) => {
    const headers = [...HEADERS.slice(0, 5), String(BODY.length + 3)];
    sendAnswer(request, response, 200, headerLines(headers), roomy, 'abc');
  },
  '/text': (request, response) => sendText(request, response, 200, LINES, BODY.toString(), BODY.length),
  '/node': (_request, response) => response.writeHead(200, HEADERS).end(BODY),
  '/ours-304': (request, response) =>
    sendAnswer(request, response, 304, headerLines(HEADERS.slice(0, 2)), null),
  '/node-304': (_request, response) => response.writeHead(304, HEADERS.slice(0, 2)).end(),
  '/ours-set': (request, response) => {
    response.setHeader('strict-transport-security', 'max-age=1');
    sendAnswer(request, response, 200, LINES, roomy);
  },
  '/node-set': (_request, response) => {
    response.setHeader('strict-transport-security', 'max-age=1');
    response.writeHead(200, HEADERS).end(BODY);
  },
  '/ours-long-head': (request, response) =>
    sendAnswer(request, response, 200, headerLines(['x-long', longHead, ...HEADERS]), roomy),
  '/node-long-head': (_request, response) =>
    response.writeHead(200, ['x-long', longHead, ...HEADERS]).end(BODY),
};

suite('a response whose head we write', () => {
  let server: Server;
  let port: number;

  before(async () => {
    server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
      const { url = '' } = request;
      const handler = HANDLERS[url];
      if (handler) return void handler(request, response);
      // The path of a long answer is its ETag.
      const headers = ['etag', url, 'content-length', String(LONG.length)];
      sendAnswer(request, response, 200, headerLines(headers), roomyLong);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** What the server sends on a connection of its own, with the date replaced. */
  async function answerTo(head: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    // A second request shows that the connection is still usable, or was closed.
    socket.write(`${head}\r\n\r\n`);
    await until(() => received.includes('\r\n\r\n') || socket.closed);
    const hasBody = /content-length/.test(received) && !head.startsWith('HEAD');
    await until(() => !hasBody || received.endsWith(BODY.toString()));
    const isClosed = /Connection: close/.test(received);
    if (isClosed) await until(() => socket.closed);
    socket.destroy();
    return received.replace(/Date: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/, 'Date: now');
  }

  for (const [what, ours, node, lines] of [
    ['an answer', '/ours', '/node', 'HTTP/1.1\r\nHost: x'],
    ['bytes without room', '/plain-bytes', '/node', 'HTTP/1.1\r\nHost: x'],
    ['a text', '/text', '/node', 'HTTP/1.1\r\nHost: x'],
    ['an answer that ends the connection', '/ours', '/node', 'HTTP/1.1\r\nHost: x\r\nConnection: close'],
    ['an answer to HTTP/1.0', '/ours', '/node', 'HTTP/1.0'],
    [
      'an answer to HTTP/1.0 that keeps the connection',
      '/ours',
      '/node',
      'HTTP/1.0\r\nConnection: keep-alive',
    ],
    ['304', '/ours-304', '/node-304', 'HTTP/1.1\r\nHost: x'],
    ['an answer after setHeader', '/ours-set', '/node-set', 'HTTP/1.1\r\nHost: x'],
    ['a head that is longer than the room', '/ours-long-head', '/node-long-head', 'HTTP/1.1\r\nHost: x'],
  ] as const) {
    test(`${what} has the bytes that writeHead sends`, async () => {
      const [sent, expected] = [
        await answerTo(`GET ${ours} ${lines}`),
        await answerTo(`GET ${node} ${lines}`),
      ];
      assert.match(expected, /Date: now/);
      assert.equal(sent, expected);
    });
  }

  test('HEAD gets the head alone', async () => {
    const sent = await answerTo('HEAD /ours HTTP/1.1\r\nHost: x');
    assert.equal(sent, await answerTo('HEAD /node HTTP/1.1\r\nHost: x'));
    assert.match(sent, /\r\n\r\n$/);
  });

  test('the text before a body is sent between head and body', async () => {
    const sent = await answerTo('GET /start HTTP/1.1\r\nHost: x');
    assert.match(sent, /\r\n\r\nabc\{"data":\[1,2,3\]\}$/);
  });

  test('while one client reads slowly, the head of another answer does not replace the head of its own', async () => {
    const slow = connect(port, '127.0.0.1');
    slow.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => slow.readableLength > 0);
    const fast = connect(port, '127.0.0.1');
    fast.write('GET /fast HTTP/1.1\r\nHost: x\r\n\r\n');
    const read = async (socket: typeof slow) => {
      let head = '';
      let length = 0;
      socket.on('data', (chunk: Buffer) => {
        if (!head.includes('\r\n\r\n')) head += chunk.toString('latin1');
        length += chunk.length;
      });
      await until(() => length > LONG.length && length === head.indexOf('\r\n\r\n') + 4 + LONG.length);
      socket.destroy();
      return head.slice(0, 40);
    };
    assert.match(await read(fast), /etag: \/fast\r\n/);
    assert.match(await read(slow), /etag: \/slow\r\n/);
  });

  test('two requests in one packet get two answers', async () => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.write('GET /ours HTTP/1.1\r\nHost: x\r\n\r\nGET /ours HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => received.split(BODY.toString()).length === 3);
    assert.equal(received.match(/HTTP\/1\.1 200 OK\r\netag: "a-1"/g)?.length, 2);
    socket.destroy();
  });
});

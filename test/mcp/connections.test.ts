import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { postRaw } from './rpc.ts';

interface Answered {
  status: number;
  text: string;
}

/** Enough for a page of some 60 kB. */
const ROWS = 120;

suite('calls on one connection', () => {
  let running: Running;
  let baseUrl: string;
  before(async () => {
    running = await runService({ venues: ['binance', 'bybit'], coins: 70 });
    await collectOnce(running);
    baseUrl = running.service.baseUrl;
  });
  after(() => running.stop());

  const auth = () => ({ authorization: `Bearer ${running.keys.business}` });
  const params = (sort: string, limit = ROWS) => ({
    name: 'svc_get_funding_rates',
    arguments: { sort, limit },
  });
  const opened = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  /** A connection with its other end, which shows how much the server has read and not yet sent. */
  const openedAtBothEnds = async () => {
    const accepted: Socket[] = [];
    const note = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
    diagnostics.subscribe('net.server.socket', note);
    const socket = await opened();
    const ofServer = () => accepted.find(({ remotePort }) => remotePort === socket.localPort);
    await until(() => ofServer() !== undefined, 'the server accepting the connection');
    diagnostics.unsubscribe('net.server.socket', note);
    return { socket, ofServer: ofServer() as Socket };
  };
  const head = (lengthHeader: string) =>
    `POST /mcp HTTP/1.1\r\nhost: ${new URL(baseUrl).host}\r\nauthorization: ${auth().authorization}\r\ncontent-type: application/json\r\n${lengthHeader}\r\n\r\n`;
  const whole = (body: string) => `${head(`content-length: ${Buffer.byteLength(body)}`)}${body}`;

  test('each gets its own id, first or last in the message, when the rest of the message is a repeat', async () => {
    const texts = new Set<string>();
    for (const id of [1, 2, 'three', 'ünï', 5, -6, 7.5, 'eight']) {
      for (const message of [
        { jsonrpc: '2.0', id, method: 'tools/call', params: params('rate_asc', 3) },
        { method: 'tools/call', params: params('rate_asc', 3), jsonrpc: '2.0', id },
      ]) {
        const reply = await postRaw(baseUrl, JSON.stringify(message), auth());
        assert.equal(reply.body.id, id);
        texts.add(JSON.stringify(reply.body.result));
      }
    }
    assert.equal(texts.size, 1);
  });

  test('of two ids in one message the last counts, however often it is sent', async () => {
    for (const id of [1, 2, 3, 4]) {
      const { body } = await postRaw(
        baseUrl,
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${JSON.stringify(params('rate_desc', 2))},"id":"other"}`,
        auth(),
      );
      assert.equal(body.id, 'other');
      assert.ok(body.result);
    }
  });

  test('a repeated call is refused like any other when its headers break the rules', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: params('coin_asc', 2),
    });
    for (let i = 0; i < 3; i++) assert.equal((await postRaw(baseUrl, body, auth())).status, 200);
    const foreign = await postRaw(baseUrl, body, { ...auth(), 'mcp-protocol-version': '2031-01-01' });
    assert.deepEqual([foreign.status, foreign.body.error?.code], [400, -32_022]);
    assert.equal((await postRaw(baseUrl, body)).status, 401);
  });

  test('another key on the same connection is another caller', async () => {
    const socket = await opened();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const good = whole(body);
    const statuses: number[] = [];
    for (const request of [good, good, good.replace('Bearer pw_', 'Bearer pw_x'), good]) {
      socket.write(request);
      const [answer] = await answers(socket, 1);
      statuses.push(answer?.status ?? 0);
      if (answer?.status === 401) break;
    }
    socket.destroy();
    assert.deepEqual(statuses, [200, 200, 401]);
  });

  test('without a bearer token X-Api-Key counts, for each call separately', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const socket = await opened();
    const statuses: number[] = [];
    for (const key of [running.keys.business, running.keys.demo, 'pw_wrong']) {
      const credentials = `authorization: Basic abc\r\nx-api-key: ${key}`;
      socket.write(whole(body).replace(/authorization: [^\r]*/, credentials));
      statuses.push((await answers(socket, 1))[0]?.status ?? 0);
    }
    socket.destroy();
    assert.deepEqual(statuses, [200, 200, 401]);
  });

  test('a body that comes in pieces is read whole', async () => {
    const { socket, ofServer } = await openedAtBothEnds();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'ü-pieces', method: 'ping' });
    const bytes = Buffer.from(whole(body));
    const cut = bytes.indexOf('ü') + 1;
    socket.write(bytes.subarray(0, cut));
    await until(() => ofServer.bytesRead === cut, 'the server reading the first piece');
    socket.write(bytes.subarray(cut));
    const [answer] = await answers(socket, 1);
    socket.destroy();
    assert.deepEqual(JSON.parse(answer?.text ?? ''), { jsonrpc: '2.0', id: 'ü-pieces', result: {} });
  });

  const ping = JSON.stringify({ jsonrpc: '2.0', id: 'ü-bytes', method: 'ping' });
  const pong = { jsonrpc: '2.0', id: 'ü-bytes', result: {} };
  const chunks = (body: string) =>
    [...Buffer.from(body)].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));

  test('a body in chunks of one byte that arrive together is read whole', async () => {
    const socket = await opened();
    const pieces = [Buffer.from(head('transfer-encoding: chunked')), ...chunks(ping), '0\r\n\r\n'];
    socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
    const [answer] = await answers(socket, 1);
    socket.destroy();
    assert.deepEqual(JSON.parse(answer?.text ?? ''), pong);
  });

  test('a body beyond 64 kB in chunks that arrive together: 413', async () => {
    const socket = await opened();
    socket.write(
      `${head('transfer-encoding: chunked')}${`1000\r\n${'x'.repeat(0x1000)}\r\n`.repeat(17)}0\r\n\r\n`,
    );
    const [answer] = await answers(socket, 1);
    socket.destroy();
    assert.equal(answer?.status, 413);
  });

  /** Sends each byte of the body with a write of its own. */
  const byteByByte = async (request: string, body: readonly (Buffer | string)[]): Promise<string> => {
    const socket = (await opened()).setNoDelay(true);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(request);
    for (const piece of body) await new Promise((sent) => socket.write(piece, sent));
    await until(() => socket.closed, 'the answer');
    return received
      .replace(/^(date|x-request-id|set-cookie): .*\r\n/gim, '')
      .replaceAll(/[\w-]{20,}|"client_id_issued_at":\d+/g, '…');
  };

  const FORM = 'application/x-www-form-urlencoded';
  for (const [path, type, body] of [
    ['/mcp', 'application/json', ping],
    ['/oauth/token', FORM, 'grant_type=authorization_code&client_id=nobody&code=x'],
    ['/oauth/revoke', FORM, 'client_id=nobody&token=x'],
    ['/oauth/register', 'application/json', '{"redirect_uris":["https://client.example/back"]}'],
    ['/sign-in', FORM, 'email=nobody%40example.com&password=wrong-password'],
    ['/forgot-password', FORM, 'email=nobody%40example.com'],
    ['/preferences', FORM, 'theme=dark&back=%2Ffunding'],
    ['/stars', FORM, 'add=BTC&back=%2Fcoins'],
    ['/fees', FORM, 'binance=0.01&back=%2Ffunding'],
  ] as const)
    test(`${path}: a body that comes byte by byte, with a length or in chunks, is answered like one that comes at once`, async () => {
      const line = `POST ${path} HTTP/1.1\r\nhost: ${new URL(baseUrl).host}\r\norigin: ${baseUrl}\r\n`;
      const rest = `connection: close\r\nauthorization: ${auth().authorization}\r\ncontent-type: ${type}\r\n`;
      const length = `${line}${rest}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const chunked = `${line}${rest}transfer-encoding: chunked\r\n\r\n`;
      const atOnce = await byteByByte(length, [body]);
      assert.match(atOnce, /^HTTP\/1\.1 (2|3|4)\d\d /);
      assert.equal(
        await byteByByte(
          length,
          [...Buffer.from(body)].map((byte) => Buffer.from([byte])),
        ),
        atOnce,
      );
      assert.equal(await byteByByte(chunked, [...chunks(body), '0\r\n\r\n']), atOnce);
    });

  for (const [what, stop] of [
    ['closes its side', (socket: Socket) => socket.end()],
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ] as const)
    test(`a client that ${what} half way through the body does no harm: the next request is answered`, async () => {
      const { socket, ofServer } = await openedAtBothEnds();
      socket.on('error', () => undefined);
      const bytes = Buffer.from(whole(ping)).subarray(0, -9);
      socket.write(bytes);
      await until(() => ofServer.bytesRead === bytes.length, 'the server reading the half');
      stop(socket);
      await until(() => ofServer.closed, 'the end of the connection');
      const reply = await postRaw(baseUrl, ping, auth());
      assert.deepEqual(JSON.parse(reply.text), pong);
    });

  test('a body that never says its length is refused beyond 64 kB', async () => {
    for (const isReadPieceByPiece of [false, true]) {
      const { socket, ofServer } = await openedAtBothEnds();
      socket.on('error', () => undefined);
      const piece = 'x'.repeat(0x7000);
      socket.write(head('transfer-encoding: chunked'));
      const answered = answers(socket, 1);
      for (let i = 0; i < 4; i++) {
        socket.write(`7000\r\n${piece}\r\n`);
        const sentBytes = socket.bytesWritten;
        const isRead = () => ofServer.bytesRead >= sentBytes || ofServer.destroyed;
        if (isReadPieceByPiece) await until(isRead, 'the server reading the piece');
      }
      const [answer] = await answered;
      socket.destroy();
      assert.equal(answer?.status, 413);
    }
  });

  test('sent all at once and read late, each gets its own rows, in order', async () => {
    const sorts = ['rate_desc', 'rate_asc', 'volume_desc', 'volume_asc', 'coin_asc', 'abs_rate_asc'];
    const rowsBySort = new Map<string, unknown[]>();
    for (const sort of sorts) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/call', params: params(sort) });
      rowsBySort.set(sort, resultIn((await postRaw(baseUrl, body, auth())).text).structuredContent.data);
    }
    // More than the connection can buffer. Each call is sent once: the result of a repeated one is cached.
    const calls = sorts.flatMap((sort) =>
      Array.from({ length: 34 }, (_, i) => ({ sort, limit: ROWS - 1 - i })),
    );
    const { socket, ofServer } = await openedAtBothEnds();
    socket.pause();
    const bodies = calls.map(({ sort, limit }, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: params(sort, limit) }),
    );
    socket.write(bodies.map(whole).join(''));
    let writtenBytes = 0;
    await until(() => {
      const isStuck = ofServer.writableLength > 0 && ofServer.bytesWritten === writtenBytes;
      writtenBytes = ofServer.bytesWritten;
      return isStuck;
    }, 'the connection being full');
    const got = await answers(socket, calls.length);
    socket.destroy();
    for (const [i, { sort, limit }] of calls.entries()) {
      const text = got[i]?.text ?? '';
      assert.equal((JSON.parse(text) as { id: unknown }).id, i);
      const { structuredContent, content } = resultIn(text);
      assert.deepEqual(structuredContent.data, rowsBySort.get(sort)?.slice(0, limit));
      const firstRow = structuredContent.data[0] as { coin: string; exchange: string; symbol: string };
      assert.ok(
        content[0]?.text.includes(`\n| ${firstRow.coin} | ${firstRow.exchange} | ${firstRow.symbol} |`),
      );
    }
  });
});

interface Rows {
  structuredContent: { data: unknown[] };
  content: { text: string }[];
}

function resultIn(text: string): Rows {
  return (JSON.parse(text) as { result: Rows }).result;
}

/** The next answers that come on a connection. */
function answers(socket: Socket, count: number): Promise<Answered[]> {
  return new Promise((resolve, reject) => {
    const found: Answered[] = [];
    let bytes = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        const end = bytes.indexOf('\r\n\r\n');
        const head = bytes.subarray(0, Math.max(end, 0)).toString();
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
        if (end < 0 || !(bytes.length >= end + 4 + length)) return;
        const text = bytes.subarray(end + 4, end + 4 + length).toString();
        found.push({ status: Number(head.split(' ')[1]), text });
        bytes = bytes.subarray(end + 4 + length);
        if (found.length < count) continue;
        socket.off('data', onData).off('close', onClose);
        resolve(found);
        return;
      }
    };
    const onClose = () => reject(new Error(`closed after ${found.length} answers`));
    socket.on('data', onData).on('close', onClose);
    socket.resume();
  });
}

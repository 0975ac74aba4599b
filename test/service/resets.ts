import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Bytes that a client sends before it resets the connection. */
export interface Opening {
  name: string;
  /** Written one after the other, so that a reset can come between them. */
  pieces: readonly (string | Buffer)[];
  /** Without the handshake of TLS, also to a port that speaks TLS. */
  isBare?: boolean;
}

const LONGEST_WAIT_MS = 6;

/**
 * The errors from now on that would end a process. The test runner counts those of a server that was started before a test
 * for no test at all.
 */
export function watchUncaught(): Error[] {
  const errors: Error[] = [];
  const note = (error: unknown) => {
    errors.push(error instanceof Error ? error : new Error(String(error)));
  };
  process.on('uncaughtExceptionMonitor', note);
  process.on('unhandledRejection', note);
  return errors;
}

/** Connections at the same time. */
const AT_ONCE = 48;

/**
 * Opens connections, each with the next opening, and resets each at a random moment: before it is open, between the
 * pieces, before or in the middle of the answer.
 */
export async function resetConnections(
  address: string,
  openings: readonly Opening[],
  count: number,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) await resetOne(address, openings[next++ % openings.length] as Opening);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function resetOne(address: string, { pieces, isBare = false }: Opening): Promise<void> {
  const { protocol, hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const raw = connect(Number(port), hostname);
    const isTls = protocol === 'https:' && !isBare;
    const socket: Socket = isTls ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw;
    const waitMs = Math.random() * LONGEST_WAIT_MS * (isTls ? 3 : 1);
    setTimeout(() => raw.resetAndDestroy(), waitMs);
    const write = (at: number) => {
      if (at >= pieces.length || raw.destroyed) return;
      socket.write(pieces[at] as string | Buffer, () => setImmediate(write, at + 1));
    };
    socket.on('error', () => undefined);
    raw.on('error', () => undefined);
    // Half of the clients read, the others let the answer fill the buffers.
    if (Math.random() < 0.5) socket.resume();
    raw.on('close', () => resolve());
    write(0);
  });
}

const request = (line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string =>
  `${line} HTTP/1.1\r\nHost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** A request with its body in two pieces. */
function posted(path: string, headers: Readonly<Record<string, string>>, body: string): string[] {
  const middle = Math.floor(body.length / 2);
  const length = { 'content-length': String(body.length) };
  return [request(`POST ${path}`, { ...headers, ...length }, body.slice(0, middle)), body.slice(middle)];
}

/** Everything that the public port answers in a way of its own. */
export function publicOpenings(key: string): Opening[] {
  const auth = { authorization: `Bearer ${key}` };
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc_get_funding_rates', arguments: { limit: 50 } },
  });
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    request(`GET ${path}`, { ...auth, ...headers });
  return [
    { name: 'nothing', pieces: [] },
    { name: 'half a head', pieces: ['GET /api/v1/funding HTT'] },
    { name: 'CONNECT', pieces: [request('CONNECT example.com:443')] },
    { name: 'CONNECT and bytes after it', pieces: [request('CONNECT example.com:443'), 'x'.repeat(9_000)] },
    {
      name: 'an upgrade to WebSocket',
      pieces: [
        request('GET /api/v1/stream/funding', {
          ...auth,
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        }),
        'x'.repeat(2_000),
      ],
    },
    { name: 'an upgrade to HTTP/2', pieces: [get('/', { connection: 'Upgrade', upgrade: 'h2c' })] },
    { name: 'bytes that are no HTTP', pieces: ['\0\x01\x02 rubbish\r\n\r\n', 'more'] },
    { name: 'a head that is too long', pieces: [`GET /${'x'.repeat(40_000)} HTTP/1.1\r\n`, '\r\n'] },
    { name: 'two lengths', pieces: ['POST /mcp HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'] },
    { name: 'a list', pieces: [get('/api/v1/funding?limit=500')] },
    { name: 'a compressed list', pieces: [get('/api/v1/funding', { 'accept-encoding': 'gzip, br, zstd' })] },
    { name: 'a list without a key', pieces: [request('GET /api/v1/funding')] },
    { name: 'requests in a row', pieces: [get('/api/v1/coins').repeat(8)] },
    { name: 'a download of CSV', pieces: [get('/api/v1/funding?format=csv&limit=500')] },
    { name: 'a download of Parquet', pieces: [get('/api/v1/funding/history?coin=BTC&format=parquet')] },
    { name: 'the description of the API', pieces: [get('/api/v1/openapi.json')] },
    { name: 'a stream', pieces: [get('/api/v1/stream/funding')] },
    { name: 'a compressed stream', pieces: [get('/api/v1/stream/spreads', { 'accept-encoding': 'gzip' })] },
    { name: 'the stream of a page', pieces: [get('/live/funding')] },
    { name: 'a page', pieces: [get('/funding')] },
    { name: 'a picture for links', pieces: [get('/cards/funding.png')] },
    { name: 'a feed', pieces: [get('/listings.atom')] },
    { name: 'HEAD', pieces: [request('HEAD /api/v1/funding', auth)] },
    { name: 'OPTIONS', pieces: [request('OPTIONS /api/v1/funding')] },
    { name: 'TRACE', pieces: [request('TRACE /')] },
    {
      name: 'an expectation',
      pieces: posted('/mcp', { ...auth, ...JSON_TYPE, expect: '100-continue' }, call),
    },
    { name: 'a call of an assistant', pieces: posted('/mcp', { ...auth, ...JSON_TYPE }, call) },
    {
      name: 'a call in chunks',
      pieces: [
        request('POST /mcp', { ...auth, ...JSON_TYPE, 'transfer-encoding': 'chunked' }),
        `${call.length.toString(16)}\r\n${call.slice(0, 9)}`,
        `${call.slice(9)}\r\n0\r\n\r\n`,
      ],
    },
    { name: 'an authorization', pieces: [request('GET /oauth/authorize?client_id=x&response_type=code')] },
    { name: 'a token', pieces: posted('/oauth/token', FORM_TYPE, 'grant_type=authorization_code&code=x') },
    {
      name: 'a registration',
      pieces: posted('/oauth/register', JSON_TYPE, '{"redirect_uris":["https://a.b/"]}'),
    },
    {
      name: 'a sign-in',
      pieces: posted('/sign-in', FORM_TYPE, 'email=a%40example.com&password=secret-secret'),
    },
    { name: 'an unknown path', pieces: posted('/nowhere', JSON_TYPE, '{}') },
  ];
}

/** A port with TLS meets clients that stop in the middle of the handshake, or never begin one. */
export const BROKEN_HANDSHAKES: readonly Opening[] = [
  { name: 'half a TLS record', pieces: [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])], isBare: true },
  { name: 'a TLS alert', pieces: [Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])], isBare: true },
  { name: 'plain HTTP to TLS', pieces: [request('GET /')], isBare: true },
  { name: 'plain CONNECT to TLS', pieces: [request('CONNECT a:1')], isBare: true },
];

/** The port for operators. */
export const ADMIN_OPENINGS: readonly Opening[] = [
  ...['/metrics', '/readyz', '/venues', '/audit', '/nowhere'].map((path) => ({
    name: `the admin port, ${path}`,
    pieces: [request(`GET ${path}`)],
  })),
  { name: 'the admin port, CONNECT', pieces: [request('CONNECT a:1')] },
  { name: 'the admin port, an upgrade', pieces: [request('GET /', { connection: 'Upgrade', upgrade: 'x' })] },
  { name: 'the admin port, rubbish', pieces: ['rubbish\r\n\r\n'] },
];

/** The simulator of venues. */
export const SIMULATOR_OPENINGS: readonly Opening[] = [
  { name: 'the simulator, a venue', pieces: [request('GET /binance/fapi.binance.com/fapi/v1/premiumIndex')] },
  { name: 'the simulator, its state', pieces: [request('GET /control')] },
  {
    name: 'the simulator, the past',
    pieces: [request('GET /control/past?from_minute=29000000&to_minute=29000060&first_coin=0&coins=5')],
  },
  {
    name: 'the simulator, prints',
    pieces: [request('GET /control/prints?from_ms=1763000000000&to_ms=1763400000000')],
  },
  { name: 'the simulator, half a body', pieces: posted('/control/time', JSON_TYPE, '{"nothing":1}') },
  { name: 'the simulator, an address that is none', pieces: [request('GET //')] },
  { name: 'the simulator, CONNECT', pieces: [request('CONNECT a:1')] },
  {
    name: 'the simulator, a WebSocket',
    pieces: [
      request('GET /binance/fstream.binance.com/ws', {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      }),
      Buffer.from([0x81, 0x85, 1, 2, 3, 4, 0x69, 0x67, 0x6f, 0x68, 0x6e]),
    ],
  },
  {
    name: 'the simulator, a WebSocket to an address that is none',
    pieces: [
      request('GET //', {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      }),
    ],
  },
];

/** Beginnings of what webhooks, mail servers, venues and Redis reply. */
const REPLIES = [
  '',
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{"ok":',
  `HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(9_000)}`,
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"ok"',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  '220 mail.example\r\n',
  '220 mail.example\r\n250 ok\r\n250 ok\r\n',
  '+OK\r\n',
];

export interface ResettingServer {
  port: number;
  /** How many connections came so far. */
  accepted(): number;
  stop(): Promise<void>;
}

/** Sends the beginning of a reply, at once or after the first bytes of the client, and resets at a random moment. */
export async function startResettingServer(): Promise<ResettingServer> {
  let accepted = 0;
  const server = createServer((socket) => {
    const reply = REPLIES[accepted++ % REPLIES.length] as string;
    socket.on('error', () => undefined);
    if (Math.random() < 0.5) socket.write(reply);
    else socket.once('data', () => socket.write(reply));
    setTimeout(() => socket.resetAndDestroy(), Math.random() * LONGEST_WAIT_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

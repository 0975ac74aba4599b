import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { MOST_ADDRESS_BYTES } from '../../src/operations/access/refusals.ts';
import { freePort } from '../support/free-port.ts';
import { assertFitsDescription } from '../support/openapi.ts';
import { type RawReply, rawBytes, rawRequest } from '../support/raw-http.ts';
import { collectOnce } from '../support/service.ts';
import { assertProblem, type Rest, remainingOf, startRest } from './rest-service.ts';

const LIST = '/api/v1/funding';

suite('every answer', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ settings: { TRUSTED_PROXIES: '' } });
  });
  after(() => rest.stop());

  const raw = async (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
    plan: 'business' | 'demo' = 'business',
  ): Promise<RawReply> => {
    const reply = await rawRequest(`${rest.service.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${rest.keys[plan]}`, ...headers },
    });
    return reply;
  };
  const problem = (reply: RawReply) =>
    assertProblem({ ...reply, header: (name) => reply.headers.get(name) }, rest.service.baseUrl);

  suite('compression', () => {
    const decoders = {
      br: brotliDecompressSync,
      zstd: zstdDecompressSync,
      gzip: gunzipSync,
    } as const;
    for (const [encoding, decode] of Object.entries(decoders)) {
      test(`${encoding}, with an ETag of its own and the length of what is sent`, async () => {
        const plain = await raw(LIST);
        const reply = await raw(LIST, { 'accept-encoding': encoding });
        assert.equal(reply.headers.get('content-encoding'), encoding);
        assert.equal(decode(reply.bytes).toString(), plain.text);
        assert.ok(reply.bytes.length * 3 < plain.bytes.length, `${reply.bytes.length} bytes`);
        assert.equal(reply.headers.get('content-length'), String(reply.bytes.length));
        assert.notEqual(reply.headers.get('etag'), plain.headers.get('etag'));
        assert.match(reply.headers.get('vary') ?? '', /Accept-Encoding/);
        const head = await raw(LIST, { 'accept-encoding': encoding }, 'HEAD');
        for (const name of ['content-length', 'content-encoding', 'etag'])
          assert.equal(head.headers.get(name), reply.headers.get(name), name);
        assert.equal(head.bytes.length, 0);
      });
    }

    for (const [header, chosen] of [
      ['gzip, deflate', 'gzip'],
      ['br;q=0.5, gzip;q=0.9', 'gzip'],
      ['gzip, br, zstd', 'zstd'],
      ['GZIP ; Q=1', 'gzip'],
      ['*', 'zstd'],
      ['*;q=0.5, zstd;q=0', 'br'],
      ['gzip;q=0', null],
      ['gzip;q=0.000, br;q=0', null],
      ['identity, gzip;q=0.5', null],
      ['identity;q=0.5, gzip', 'gzip'],
      ['deflate', null],
      ['identity', null],
      ['', null],
      [';;;q=,,', null],
    ] as const) {
      test(`Accept-Encoding: ${header || '(empty)'} gets ${chosen ?? 'plain bytes'}`, async () => {
        const reply = await raw(LIST, { 'accept-encoding': header });
        assert.equal(reply.headers.get('content-encoding'), chosen);
      });
    }

    test('small answers are not compressed', async () => {
      const reply = await raw(`${LIST}?limit=1`, { 'accept-encoding': 'gzip' });
      assert.equal(reply.headers.get('content-encoding'), null);
    });
  });

  suite('ETag', () => {
    test('one tag, a list, a weak mark and another encoding’s tag all give 304 without a body', async () => {
      const etag = (await raw(LIST)).headers.get('etag') ?? '';
      const packed = (await raw(LIST, { 'accept-encoding': 'br' })).headers.get('etag') ?? '';
      for (const sent of [etag, `"a", ${etag} , "b"`, `W/${etag}`, packed]) {
        const reply = await raw(LIST, { 'if-none-match': sent });
        assert.equal(reply.status, 304, sent);
        assert.equal(reply.bytes.length, 0);
        assert.equal(reply.headers.get('etag'), etag);
        assert.equal(reply.headers.get('content-type'), null);
        assert.equal(reply.headers.get('content-encoding'), null);
        assertFitsDescription(LIST, reply);
      }
    });

    test('a part of the tag, one of another answer and nonsense do not', async () => {
      const etag = (await raw(LIST)).headers.get('etag') ?? '';
      const other = (await raw(`${LIST}?limit=2`)).headers.get('etag') ?? '';
      for (const sent of [
        other,
        `${etag.slice(0, -3)}"`,
        `${etag.slice(0, -1)}-lz4"`,
        etag.slice(1),
        '""',
        '"',
      ])
        assert.equal((await raw(LIST, { 'if-none-match': sent })).status, 200, sent);
    });

    test('* names no tag that was given out: 200, and nothing is refunded', async () => {
      const { text: key } = await rest.newKey('pro');
      const first = await rest.getWith(key, LIST);
      for (const sent of ['*', ' * ', 'W/*', '"*"']) {
        const reply = await rest.getWith(key, LIST, { 'if-none-match': sent });
        assert.equal(reply.status, 200, sent);
      }
      const last = await rest.getWith(key, LIST, { 'if-none-match': '*' });
      assert.equal(remainingOf(last).minute, remainingOf(first).minute - 5);
      assert.equal(remainingOf(last).month, remainingOf(first).month - 5);
    });

    test('HEAD gives 304 too, and it is refunded', async () => {
      const { text: key } = await rest.newKey('pro');
      const first = await rest.getWith(key, LIST);
      const head = await rest.getWith(
        key,
        LIST,
        { 'if-none-match': first.headers.get('etag') ?? '' },
        'HEAD',
      );
      assert.equal(head.status, 304);
      assert.deepEqual(remainingOf(head), remainingOf(first));
    });

    test('a new snapshot has a new one', async () => {
      const etag = (await raw(LIST)).headers.get('etag') ?? '';
      rest.clock.advanceMs(60_000);
      await collectOnce(rest);
      assert.equal((await raw(LIST, { 'if-none-match': etag })).status, 200);
    });
  });

  suite('Cache-Control and the cache', () => {
    test('live data, delayed data, usage and problems', async () => {
      assert.equal((await raw(LIST)).headers.get('cache-control'), 'private, max-age=15');
      assert.equal((await raw(LIST, {}, 'GET', 'demo')).headers.get('cache-control'), 'max-age=300');
      assert.equal((await raw('/api/v1/usage')).headers.get('cache-control'), 'no-store');
      assert.equal((await raw(`${LIST}?limit=0`)).headers.get('cache-control'), 'no-store');
    });

    test('the same address answers each plan with its own delay, in whatever order they request it', async () => {
      const path = `${LIST}?coin=BTC&limit=3`;
      for (const plan of ['business', 'demo', 'business', 'demo'] as const) {
        const { meta } = JSON.parse((await raw(path, {}, 'GET', plan)).text) as {
          meta: { delayed_seconds: number };
        };
        assert.equal(meta.delayed_seconds, plan === 'demo' ? 900 : 0);
      }
    });

    test('a page of a cursor stays the same while snapshots come', async () => {
      const first = JSON.parse((await raw(`${LIST}?limit=5`)).text) as { meta: { next_cursor: string } };
      const path = `${LIST}?limit=5&cursor=${first.meta.next_cursor}`;
      const page = await raw(path);
      rest.clock.advanceMs(60_000);
      await collectOnce(rest);
      const again = await raw(path, { 'if-none-match': page.headers.get('etag') ?? '' });
      assert.equal(again.status, 304);
    });

    test('a trailing slash changes nothing', async () => {
      const reply = await raw(`${LIST}/?limit=3`);
      assert.equal(reply.text, (await raw(`${LIST}?limit=3`)).text);
    });
  });

  suite('CORS', () => {
    test('answers and problems are readable from every origin, with their headers', async () => {
      for (const path of [LIST, `${LIST}?limit=x`, '/api/v1', '/api/v1/nothing', '/nothing']) {
        const reply = await raw(path, { origin: 'https://app.example' });
        assert.equal(reply.headers.get('access-control-allow-origin'), '*', path);
        const exposed = reply.headers.get('access-control-expose-headers') ?? '';
        for (const name of ['ETag', 'Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'])
          assert.ok(exposed.split(', ').includes(name), `${path} exposes ${name}`);
      }
    });

    for (const path of [LIST, '/api/v1/funding/BTC', '/api/v1', '/api/v1/openapi.json', '/api/v1/nothing']) {
      test(`preflight of ${path}`, async () => {
        const reply = await rawRequest(`${rest.service.baseUrl}${path}`, {
          method: 'OPTIONS',
          headers: {
            origin: 'https://app.example',
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'authorization,if-none-match',
          },
        });
        assert.equal(reply.status, 204);
        assert.equal(reply.headers.get('access-control-allow-origin'), '*');
        assert.equal(reply.headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS');
        assert.match(
          reply.headers.get('access-control-allow-headers') ?? '',
          /Authorization.*X-Api-Key.*If-None-Match/,
        );
        assert.ok(Number(reply.headers.get('access-control-max-age')) > 0);
        assert.match(reply.headers.get('x-request-id') ?? '', /^req-/);
      });
    }
  });

  suite('errors below the endpoints', () => {
    test('a broken percent-encoding is 400 bad-request', async () => {
      const body = problem(await raw('/api/v1/funding/%E0%A4%A'));
      assert.equal(body.code, 'bad-request');
    });

    test('an unknown path is 404 with the nearest ones', async () => {
      const near = problem(await raw('/api/v1/fundin'));
      assert.equal(near.code, 'not-found');
      assert.equal(near.suggestions?.[0], '/api/v1/funding');
      assert.deepEqual(problem(await raw('/api/v1/exchange?x=1')).suggestions?.[0], '/api/v1/exchanges');
      const outside = problem(await raw('/api/v2/funding'));
      assert.equal(outside.code, 'not-found');
      assert.equal(outside.suggestions?.[0], '/api/v1/funding');
    });

    test('a path of 8 kB is 404 at once', async () => {
      const path = `/api/v1/${'a/'.repeat(MOST_ADDRESS_BYTES)}`.slice(0, MOST_ADDRESS_BYTES);
      assert.equal(problem(await raw(path)).code, 'not-found');
    });

    /** A path with a query that fills the address up. */
    const filled = (path: string, bytes: number) => `${path}?z=${'z'.repeat(bytes - path.length - 3)}`;
    for (const [door, method, path] of [
      ['the API', 'GET', LIST],
      ['the API', 'HEAD', LIST],
      ['a coin', 'GET', '/api/v1/funding/BTC'],
      ['a stream', 'GET', '/api/v1/stream/funding'],
      ['the description', 'GET', '/api/v1/openapi.json'],
      ['assistants', 'POST', '/mcp'],
      ['pages', 'GET', '/funding'],
      ['streams of pages', 'GET', '/live/funding'],
      ['files of pages', 'GET', '/funding.csv'],
      ['sign-in', 'GET', '/sign-in'],
      ['the authorization server', 'GET', '/oauth/authorize'],
      ['an unknown path', 'GET', '/nothing'],
    ] as const) {
      test(`an address of more than 8 kB is 414: ${door}, ${method}`, async () => {
        const reply = await raw(filled(path, MOST_ADDRESS_BYTES + 1), {}, method);
        assert.equal(reply.status, 414);
        assert.equal(reply.headers.get('connection'), 'close');
        if (method === 'HEAD') return;
        const { code, detail } = problem(reply);
        assert.equal(code, 'address-too-long');
        assert.match(detail, /more than 8192 bytes; shorten its path or query/);
        if (path.startsWith('/api/')) assertFitsDescription(path, reply, method);
      });
    }

    test('an address of 8 kB is answered', async () => {
      assert.equal((await raw(filled(LIST, MOST_ADDRESS_BYTES))).status, 200);
      assert.equal((await raw(filled('/more', MOST_ADDRESS_BYTES))).status, 200);
    });

    test('an address that is longer than all headers may be is 414, long headers are 400', async () => {
      const { baseUrl } = rest.service;
      const long = await rawBytes(baseUrl, `GET ${filled(LIST, 40_000)} HTTP/1.1\r\nhost: a\r\n\r\n`);
      assert.equal(long.status, 414);
      assert.equal(problem(long).code, 'address-too-long');
      const headers = await rawBytes(
        baseUrl,
        `GET ${LIST} HTTP/1.1\r\nhost: a\r\nx-long: ${'z'.repeat(40_000)}\r\n\r\n`,
      );
      assert.equal(headers.status, 400);
      assert.match(problem(headers).detail, /together are over 32 kB/);
    });

    test('an address that becomes longer than 8 kB when it is cleaned is 414, not a redirect', async () => {
      // An exclamation mark is one byte in the address that was sent and three in the cleaned one, whose letters are capitals.
      const reply = await raw(`/funding?coin=a${'!'.repeat(7_000)}`);
      assert.equal(reply.status, 414);
    });

    test('every method that Node knows gets 405 with Allow on a path, and 404 where there is none', async () => {
      const others = METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method));
      for (const method of others) {
        const reply = await raw(LIST, { 'content-length': '0' }, method);
        assert.equal(problem(reply).code, 'method-not-allowed', method);
        assert.equal(reply.headers.get('allow'), 'GET, HEAD, OPTIONS');
        assertFitsDescription(LIST, reply, method);
        assert.equal(
          problem(await raw('/api/v1/nothing', { 'content-length': '0' }, method)).code,
          'not-found',
        );
      }
    });

    test('a body of any kind does not matter', async () => {
      for (const type of ['application/json', 'text/xml', 'nonsense']) {
        for (const [path, code] of [
          [LIST, 'method-not-allowed'],
          ['/api/v1/nothing', 'not-found'],
        ] as const) {
          const reply = await rawRequest(`${rest.service.baseUrl}${path}`, {
            method: 'POST',
            headers: { 'content-type': type },
            body: '{"half',
          });
          assert.equal(problem(reply).code, code, type);
        }
      }
    });

    test('bytes that are not HTTP are 400 with a problem body', async () => {
      const reply = await rawBytes(rest.service.baseUrl, 'NONSENSE\r\n\r\n');
      assert.equal(problem(reply).code, 'bad-request');
      assert.equal(reply.headers.get('connection')?.trim(), 'close');
    });

    test('headers over 32 kB are 400 and say so', async () => {
      const { detail } = problem(
        await rawBytes(rest.service.baseUrl, `GET ${LIST} HTTP/1.1\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`),
      );
      assert.match(detail, /32 kB/);
    });

    test('a request without Host, and one with an odd Expect, are answered like any other', async () => {
      const key = `Authorization: Bearer ${rest.keys.business}\r\nConnection: close\r\n`;
      for (const head of [key, `${key}Host: x\r\nExpect: the-unexpected\r\n`]) {
        const reply = await rawBytes(rest.service.baseUrl, `GET ${LIST}?limit=1 HTTP/1.1\r\n${head}\r\n`);
        assert.equal(reply.status, 200);
      }
    });

    test('X-Request-Id is on every one of them', async () => {
      const paths = [
        LIST,
        `${LIST}?limit=x`,
        '/api/v1',
        '/api/v1/openapi.json',
        '/nothing',
        '/api/v1/%E0%A4%A',
      ];
      for (const path of paths) {
        const reply = await raw(path, { 'x-request-id': 'trace.7' });
        assert.equal(reply.headers.get('x-request-id'), 'trace.7', path);
      }
      for (const bad of ['a b', 'ä', 'x'.repeat(65), '"'])
        assert.match(
          (await raw(LIST, { 'x-request-id': Buffer.from(bad).toString('latin1') })).headers.get(
            'x-request-id',
          ) ?? '',
          /^req-/,
        );
    });
  });

  suite('the windows of a valid key', () => {
    const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    for (const [method, path, status, init] of [
      ['GET', '/api/v1', 200],
      ['GET', '/api/v1/openapi.json', 200],
      ['GET', '/api/v1/nothing', 404],
      ['GET', '/api/v2/funding', 404],
      ['GET', '/api/v1/%', 400],
      ['POST', LIST, 405],
      ['DELETE', '/api/v1/funding/BTC', 405],
      ['PUT', '/api/v1/nothing', 404],
      ['GET', '/lake/nothing', 404],
      ['DELETE', '/lake/manifest.json', 405],
      ['GET', '/mcp', 405],
      ['POST', '/mcp', 200, { body: initialize, headers: { 'content-type': 'application/json' } }],
      ['POST', '/mcp', 400, { body: '{"half', headers: { 'content-type': 'application/json' } }],
    ] as const)
      test(`${method} ${path} is ${status} with the windows, and does not count`, async () => {
        const { text } = await rest.newKey('demo');
        const sent = { authorization: `Bearer ${text}` };
        const ask = async (more: Record<string, string>) =>
          await rawRequest(`${rest.service.baseUrl}${path}`, {
            ...init,
            method,
            headers: { ...init?.headers, ...more },
          });
        const reply = await ask(sent);
        assert.equal(reply.status, status, reply.text);
        assert.equal(reply.headers.get('ratelimit-policy'), 'minute;q=20;w=60, month;q=3000;w=2592000');
        assert.match(reply.headers.get('ratelimit') ?? '', /^minute;r=20;t=\d+, month;r=3000;t=\d+$/);
        assert.equal(reply.headers.get('x-ratelimit-limit'), '20');
        assert.equal(reply.headers.get('x-ratelimit-remaining'), '20');
        assert.match(reply.headers.get('x-ratelimit-reset') ?? '', /^\d{10}$/);
        for (const other of [{}, { authorization: `Bearer ${text.slice(0, -1)}x` }])
          assert.equal((await ask(other)).headers.get('ratelimit'), null, 'only for a valid key');
      });

    test('an address that is blocked for wrong keys does not learn whether a key is valid', async () => {
      const fresh = await startRest({ isEmpty: true, venues: ['binance'] });
      for (let sent = 0; sent < 31; sent++) await fresh.getWith('wrong', '/api/v1/nothing');
      const { text } = await fresh.newKey('demo');
      assert.equal((await fresh.getWith(text, LIST)).status, 429, 'wrong keys count at every path');
      const reply = await fresh.getWith(text, '/api/v1/nothing');
      assert.deepEqual([reply.status, reply.headers.get('ratelimit')], [404, null]);
      await fresh.stop();
    });
  });

  suite('X-Content-Type-Options: nosniff', () => {
    const JSON_BODY = { 'content-type': 'application/json' };
    const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
    const call = (method: string, params: object = {}) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const CASES: readonly [
      path: string,
      status: number,
      sent?: { method?: string; headers?: Record<string, string>; body?: string },
    ][] = [
      [LIST, 200],
      [LIST, 200, { method: 'HEAD' }],
      [LIST, 204, { method: 'OPTIONS' }],
      [LIST, 405, { method: 'DELETE' }],
      [`${LIST}?limit=x`, 400],
      [LIST, 401, { headers: { authorization: '' } }],
      [`${LIST}?format=csv`, 200],
      ['/api/v1/funding/history?coin=BTC&format=parquet', 200],
      ['/api/v1/funding/BTC', 200],
      ['/api/v1/usage', 200],
      ['/api/v1', 200],
      ['/api/v1/openapi.json', 200],
      ['/api/v1/nowhere', 404],
      ['/api/v1/%E0%A4%A', 400],
      ['/api/v1/stream/funding', 200],
      ['/api/v1/stream/funding', 200, { method: 'HEAD' }],
      ['/api/v1/stream/funding', 204, { method: 'OPTIONS' }],
      ['/api/v1/stream/funding?limit=x', 400],
      ['/mcp', 200, { method: 'POST', headers: JSON_BODY, body: call('ping') }],
      [
        '/mcp',
        200,
        { method: 'POST', headers: JSON_BODY, body: call('tools/call', { name: 'svc_get_coins' }) },
      ],
      [
        '/mcp',
        202,
        { method: 'POST', headers: JSON_BODY, body: '{"jsonrpc":"2.0","method":"notifications/x"}' },
      ],
      ['/mcp', 400, { method: 'POST', headers: JSON_BODY, body: 'x' }],
      ['/mcp', 401, { method: 'POST', headers: { ...JSON_BODY, authorization: '' }, body: call('ping') }],
      ['/mcp', 204, { method: 'OPTIONS' }],
      ['/mcp', 405],
      ['/.well-known/oauth-authorization-server', 200],
      ['/.well-known/oauth-protected-resource/mcp', 200],
      ['/oauth/jwks', 200],
      ['/oauth/authorize?client_id=nobody', 400],
      ['/oauth/token', 400, { method: 'POST', headers: FORM, body: 'grant_type=x' }],
      [
        '/oauth/token',
        204,
        {
          method: 'OPTIONS',
          headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
        },
      ],
      ['/oauth/register', 400, { method: 'POST', headers: JSON_BODY, body: '{}' }],
      [
        '/oauth/register',
        201,
        { method: 'POST', headers: JSON_BODY, body: '{"redirect_uris":["https://a.example/b"]}' },
      ],
      ['/', 200],
      ['/funding', 200],
      ['/funding.md', 200],
      ['/live/funding', 200],
      ['/nowhere', 404],
      ['/sign-in', 200],
      ['/sign-in', 403, { method: 'POST', headers: FORM, body: 'email=a' }],
      ['/account', 303],
      ['/stars', 303, { method: 'POST', headers: FORM, body: 'add=BTC' }],
      ['/listings.ics', 503],
      ['/listings.atom', 503],
      ['/robots.txt', 200],
      ['/sitemap.xml', 200],
      ['/llms.txt', 200],
      ['/icons/binance.svg', 200],
      ['/cards/home.png', 200],
      ['/developers', 200],
    ];
    for (const [path, status, { method = 'GET', headers = {}, body } = {}] of CASES)
      test(`${method} ${path}: ${status}`, async () => {
        const reply = await fetch(`${rest.service.baseUrl}${path}`, {
          method,
          headers: { authorization: `Bearer ${rest.keys.business}`, ...headers },
          redirect: 'manual',
          ...(body === undefined ? {} : { body }),
        });
        await reply.body?.cancel();
        assert.equal(reply.status, status);
        assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
      });

    for (const path of [
      LIST,
      `${LIST}?format=csv`,
      '/api/v1/openapi.json',
      '/funding',
      '/developers',
      '/llms.txt',
    ])
      test(`GET ${path}: 304`, async () => {
        const etag = (await raw(path)).headers.get('etag') ?? '';
        const reply = await raw(path, { 'if-none-match': etag });
        assert.equal(reply.status, 304);
        assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
      });

    for (const bytes of ['rubbish\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n'])
      test(`${JSON.stringify(bytes)}: 400`, async () => {
        const reply = await rawBytes(rest.service.baseUrl, bytes);
        assert.equal(reply.status, 400);
        assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
      });

    for (const path of ['/healthz', '/readyz', '/metrics', '/venues', '/audit', '/nowhere'])
      test(`the admin port, ${path}`, async () => {
        const reply = await rawRequest(`${rest.service.adminUrl}${path}`);
        assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
      });
  });
});

suite('BASE_URL', () => {
  const base = 'https://data.example/perpwire';
  let rest: Rest;
  let port: number;
  before(async () => {
    port = await freePort();
    rest = await startRest({ settings: { BASE_URL: base, PORT: String(port) } });
  });
  after(() => rest.stop());

  test('is in every link of every answer', async () => {
    const local = `http://127.0.0.1:${port}`;
    const account = await rest.service.accounts.accounts.create({ name: 'live', plan: 'pro' });
    const key = await rest.service.accounts.keys.create({
      accountId: account.id,
      name: 'live',
      kind: 'live',
    });
    const paths = [
      LIST,
      '/api/v1/funding/BTC',
      '/api/v1/coins',
      '/api/v1/usage',
      '/api/v1',
      '/api/v1/openapi.json',
    ];
    for (const path of [...paths, `${LIST}?limit=x`, '/api/v1/nothing']) {
      const reply = await rawRequest(`${local}${path}`, { headers: { authorization: `Bearer ${key.text}` } });
      assert.ok(!reply.text.includes('127.0.0.1'), path);
      assert.ok(reply.text.includes(base), path);
      assert.ok(reply.headers.get('link')?.includes(`<${base}/api/v1/openapi.json>`), path);
    }
  });
});

suite('X-Forwarded-For', () => {
  const wrong = async (rest: Rest, forwarded: string) =>
    (await rest.getWith('wrong', LIST, { 'x-forwarded-for': forwarded })).status;

  test('is ignored without TRUSTED_PROXIES: one address stays one address', async () => {
    const rest = await startRest({ isEmpty: true, venues: ['binance'] });
    for (let sent = 0; sent < 30; sent++) assert.equal(await wrong(rest, `203.0.113.${sent}`), 401);
    assert.equal(await wrong(rest, '198.51.100.1'), 429);
    await rest.stop();
  });

  test('is trusted from a trusted proxy, its last entry only', async () => {
    const rest = await startRest({
      isEmpty: true,
      venues: ['binance'],
      settings: { TRUSTED_PROXIES: 'loopback' },
    });
    for (let sent = 0; sent < 30; sent++)
      assert.equal(await wrong(rest, `198.51.100.${sent}, 203.0.113.7`), 401, 'made-up entries before it');
    assert.equal(await wrong(rest, '203.0.113.7'), 429);
    assert.equal(await wrong(rest, '203.0.113.7:4711'), 429, 'a port does not matter');
    assert.equal(await wrong(rest, '203.0.113.8'), 401, 'another address is not blocked');
    await rest.stop();
  });
});

suite('API_ENABLED=false', () => {
  test('discovery and every endpoint are 503, the description can still be read', async () => {
    const rest = await startRest({ isEmpty: true, venues: ['binance'], settings: { API_ENABLED: 'false' } });
    for (const path of ['/api/v1', LIST, '/api/v1/funding/BTC', '/api/v1/usage']) {
      const reply = await rest.get(path);
      assert.equal(reply.status, 503, path);
      assert.equal((reply.body as { code: string }).code, 'api-disabled');
      assert.equal(reply.headers.get('ratelimit'), null, 'not counted');
    }
    assert.equal((await rest.get('/api/v1/openapi.json')).status, 200);
    assert.equal((await rest.get('/api/v1/nothing')).status, 404, 'the path is looked at first');
    await rest.stop();
  });
});

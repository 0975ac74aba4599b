import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { callTool, handshakeRequest, MODERN, modernRequest, postRaw, type ToolOutcome } from './rpc.ts';

suite('the MCP endpoint', () => {
  let running: Running;
  let baseUrl: string;
  let auth: Record<string, string>;
  before(async () => {
    running = await runService({
      venues: ['binance', 'bybit'],
      coins: 10,
      settings: { ALLOWED_ORIGINS: 'https://page.example' },
    });
    await collectOnce(running);
    baseUrl = running.service.baseUrl;
    auth = { authorization: `Bearer ${running.keys.business}` };
  });
  after(() => running.stop());

  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    test(`initialize answers with ${version} when the client requests it`, async () => {
      const reply = await postRaw(
        baseUrl,
        handshakeRequest('initialize', { protocolVersion: version }),
        auth,
      );
      assert.equal(reply.body.result?.protocolVersion, version);
      assert.equal(reply.headers.get('mcp-session-id'), null, 'there are no sessions');
    });
  }

  test('initialize with a version that needs no handshake offers the newest that has one', async () => {
    const reply = await postRaw(
      baseUrl,
      handshakeRequest('initialize', { protocolVersion: '2030-01-01' }),
      auth,
    );
    assert.equal(reply.body.result?.protocolVersion, '2025-11-25');
  });

  test('what does not count as a request: initialize, ping, tools/list, server/discover', async () => {
    const used = async () => {
      const { structuredContent } = await callTool(baseUrl, running.keys.business, 'svc_get_usage', {});
      return (structuredContent as { data: { minute: { used: number } } }).data.minute.used;
    };
    const before = await used();
    for (const method of ['initialize', 'ping', 'tools/list'])
      assert.equal((await postRaw(baseUrl, handshakeRequest(method), auth)).status, 200);
    const discover = modernRequest('server/discover');
    assert.equal((await postRaw(baseUrl, discover.body, { ...auth, ...discover.headers })).status, 200);
    assert.equal(await used(), before + 1);
  });

  test('a modern result is complete and names the server, and a list has its TTL', async () => {
    const { body, headers } = modernRequest('tools/list');
    const { result } = (await postRaw(baseUrl, body, { ...auth, ...headers })).body;
    assert.equal(result?.resultType, 'complete');
    assert.equal(result?.cacheScope, 'public');
    assert.ok(Number(result?.ttlMs) > 0);
    assert.deepEqual(result?._meta, {
      'io.modelcontextprotocol/serverInfo': {
        name: 'perpwire',
        title: 'Perpwire market data',
        version: '1.0.0',
      },
    });
  });

  test('a modern tool name may come encoded in its header', async () => {
    const { body, headers } = modernRequest('tools/call', { name: 'svc_get_exchanges' });
    const encoded = `=?base64?${Buffer.from('svc_get_exchanges').toString('base64')}?=`;
    assert.equal((await postRaw(baseUrl, body, { ...auth, ...headers, 'mcp-name': encoded })).status, 200);
  });

  for (const [name, change, status, code] of [
    ['another Mcp-Name', { 'mcp-name': 'svc_get_usage' }, 400, -32_020],
    ['another Mcp-Method', { 'mcp-method': 'tools/list' }, 400, -32_020],
    ['another MCP-Protocol-Version', { 'mcp-protocol-version': '2025-11-25' }, 400, -32_020],
  ] as const) {
    test(`modern with ${name} than the body: refused`, async () => {
      const { body, headers } = modernRequest('tools/call', { name: 'svc_get_exchanges' });
      const reply = await postRaw(baseUrl, body, { ...auth, ...headers, ...change });
      assert.equal(reply.status, status);
      assert.equal(reply.body.error?.code, code);
      assert.equal(reply.body.id, 'm-1');
    });
  }

  test('modern without _meta: 400 that names what is missing', async () => {
    const headers = { ...auth, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' };
    const reply = await postRaw(baseUrl, handshakeRequest('tools/list'), headers);
    assert.equal(reply.status, 400);
    assert.equal(reply.body.error?.code, -32_602);
    assert.match(reply.body.error?.message ?? '', /protocolVersion/);
  });

  test('an unknown version: 400 with the supported ones, in both eras', async () => {
    const modern = modernRequest('tools/list', {}, '2031-01-01');
    for (const [body, headers] of [
      [modern.body, modern.headers],
      [handshakeRequest('tools/list'), { 'mcp-protocol-version': '2031-01-01' }],
    ] as const) {
      const reply = await postRaw(baseUrl, body, { ...auth, ...headers });
      assert.equal(reply.status, 400);
      assert.equal(reply.body.error?.code, -32_022);
      assert.match(JSON.stringify(reply.body.error?.data), /"requested":"2031-01-01"/);
    }
  });

  test('an unknown method: 404 in the modern era, 200 before, -32601 in both', async () => {
    const modern = modernRequest('ping');
    const now = await postRaw(baseUrl, modern.body, { ...auth, ...modern.headers });
    assert.deepEqual([now.status, now.body.error?.code], [404, -32_601]);
    const before = await postRaw(baseUrl, handshakeRequest('completion/complete'), auth);
    assert.deepEqual([before.status, before.body.error?.code], [200, -32_601]);
  });

  test('an unknown tool: -32602', async () => {
    const reply = await postRaw(baseUrl, handshakeRequest('tools/call', { name: 'svc_delete_all' }), auth);
    assert.equal(reply.body.error?.code, -32_602);
  });

  test('a notification: 202 without a body', async () => {
    const reply = await postRaw(baseUrl, '{"jsonrpc":"2.0","method":"notifications/initialized"}', auth);
    assert.deepEqual([reply.status, reply.text], [202, '']);
  });

  for (const method of ['GET', 'DELETE', 'PUT']) {
    test(`${method}: 405, POST is allowed`, async () => {
      const reply = await fetch(`${baseUrl}/mcp`, { method, headers: auth });
      assert.equal(reply.status, 405);
      assert.match(reply.headers.get('allow') ?? '', /POST/);
    });
  }

  for (const [name, body, code] of [
    ['no JSON', '{"jsonrpc":', -32_700],
    ['an empty body', '', -32_700],
    ['a text', '"hello"', -32_600],
    ['another JSON-RPC version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32_600],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32_600],
    ['a batch array', `[${handshakeRequest('ping')},${handshakeRequest('ping')}]`, -32_600],
    [
      'a depth bomb',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
      -32_600,
    ],
    ['a depth bomb that never closes', `${'{"a":'.repeat(12_000)}`, -32_600],
  ] as const) {
    test(`a body with ${name}: 400 and a JSON-RPC error`, async () => {
      const reply = await postRaw(baseUrl, body, auth);
      assert.equal(reply.status, 400, reply.text);
      assert.equal(reply.body.error?.code, code);
    });
  }

  test('brackets inside a string do not count as depth', async () => {
    const outcome = await callTool(baseUrl, running.keys.business, 'svc_search_coins', { q: '[{"[[' });
    assert.equal(outcome.isError, undefined);
    const many = await callTool(baseUrl, running.keys.business, 'svc_get_funding_rates', {
      coin: Array.from({ length: 20 }, (_, i) => `${'['.repeat(30)}${i}`),
    });
    assert.deepEqual(many.structuredContent?.data, []);
  });

  test('a body of 10 MB: 413 as JSON-RPC, long before it is read', async () => {
    const reply = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sending = httpRequest(
        `${baseUrl}/mcp`,
        {
          method: 'POST',
          headers: { ...auth, 'content-type': 'application/json', 'content-length': 10_485_760 },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      sending.on('error', reject);
      sending.write('{"jsonrpc":"2.0"');
    });
    assert.equal(reply.status, 413);
    assert.match(reply.text, /"code":-32700,"message":"The body is larger than 64 kB"/);
  });

  test('a body of another type: 415 as JSON-RPC', async () => {
    const reply = await postRaw(baseUrl, 'a=b', { ...auth, 'content-type': 'text/plain' });
    assert.equal(reply.status, 415);
    assert.equal(reply.body.error?.code, -32_700);
  });

  test('no credentials: 401 with the plain challenge; it does not count as a wrong key', async () => {
    for (let i = 0; i < 35; i++) {
      const reply = await postRaw(baseUrl, handshakeRequest('ping'));
      assert.equal(reply.status, 401);
      assert.equal(
        reply.headers.get('www-authenticate'),
        `Bearer realm="perpwire", scope="funding:read history:read spreads:read listings:read usage:read", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`,
      );
    }
  });

  test('a token with a space in it: 401 with error="invalid_token", as for any wrong token', async () => {
    const reply = await postRaw(baseUrl, handshakeRequest('ping'), { authorization: 'Bearer a b' });
    assert.equal(reply.status, 401);
    assert.match(
      reply.headers.get('www-authenticate') ?? '',
      /^Bearer realm="perpwire", error="invalid_token", /,
    );
  });

  test('foreign Origin: 403; own, allowed and absent ones pass', async () => {
    const status = async (origin?: string) =>
      (await postRaw(baseUrl, handshakeRequest('ping'), { ...auth, ...(origin ? { origin } : {}) })).status;
    assert.equal(await status('https://evil.example'), 403);
    assert.equal(await status('null'), 403);
    assert.equal(await status(baseUrl), 200);
    assert.equal(await status('https://page.example'), 200);
    assert.equal(await status(), 200);
  });

  test('an allowed page gets a preflight answer and may read the challenge', async () => {
    const preflight = await fetch(`${baseUrl}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example' },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://page.example');
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Mcp-Method/);
    const refused = await postRaw(baseUrl, handshakeRequest('ping'), { origin: 'https://page.example' });
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get('access-control-expose-headers') ?? '', /WWW-Authenticate/);
  });

  test('DNS rebinding Host: 403', async () => {
    const { port } = new URL(baseUrl);
    const status = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const sending = httpRequest(
          {
            host: '127.0.0.1',
            port,
            path: '/mcp',
            method: 'POST',
            headers: { ...auth, host, 'content-type': 'application/json' },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        sending.on('error', reject);
        sending.end(handshakeRequest('ping'));
      });
    assert.equal(await status('evil.example'), 403);
    assert.equal(await status(`evil.example:${port}`), 403);
    assert.equal(await status(`127.0.0.1.:${port}`), 403);
    assert.equal(await status(`localhost:${port}`), 200);
    assert.equal(await status(`127.0.0.1:${port}`), 200);
  });

  test('a result is the same when it is made, cached and sent again, in both eras and with any id', async () => {
    const params = { name: 'svc_get_funding_rates', arguments: { limit: 3, min_volume_usdt: 1 } };
    for (const id of [1, 'ünïcödé ✓']) {
      const request = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
      const texts: string[] = [];
      for (let i = 0; i < 4; i++) texts.push((await postRaw(baseUrl, request, auth)).text);
      assert.equal(new Set(texts).size, 1);
      assert.equal((JSON.parse(texts[0] ?? '') as { id: unknown }).id, id);
    }
    const modern = modernRequest('tools/call', params);
    const texts: string[] = [];
    for (let i = 0; i < 4; i++)
      texts.push((await postRaw(baseUrl, modern.body, { ...auth, ...modern.headers })).text);
    assert.equal(new Set(texts).size, 1);
    assert.match(texts[0] ?? '', /"resultType":"complete"/);
  });

  test('text beyond ASCII arrives intact', async () => {
    const outcome = await callTool(baseUrl, running.keys.business, 'svc_get_exchanges', { sort: 'größe ✓' });
    assert.match(outcome.content[0]?.text ?? '', /got "größe ✓"/);
  });

  test('a key without the scope gets the text of REST as a result, not a step-up', async () => {
    const { accounts } = running.service;
    const account = await accounts.accounts.create({ name: 'narrow', plan: 'pro' });
    const { text } = await accounts.keys.create({
      accountId: account.id,
      name: 'narrow',
      kind: 'test',
      scopes: ['usage:read'],
    });
    const outcome = await callTool(baseUrl, text, 'svc_get_funding_rates', {});
    const rest = await fetch(`${baseUrl}/api/v1/funding`, { headers: { authorization: `Bearer ${text}` } });
    assert.equal(outcome.isError, true);
    assert.equal(outcome.content[0]?.text, ((await rest.json()) as { detail: string }).detail);
  });

  test('a spent minute is a result with the text of REST, on the same window as REST', async () => {
    const { accounts } = running.service;
    const account = await accounts.accounts.create({ name: 'small', plan: 'demo' });
    const { text: key } = await accounts.keys.create({ accountId: account.id, name: 'small', kind: 'test' });
    for (let i = 0; i < 10; i++) {
      await callTool(baseUrl, key, 'svc_get_usage', {});
      await fetch(`${baseUrl}/api/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
    }
    const call = handshakeRequest('tools/call', { name: 'svc_get_usage', arguments: {} });
    const { status, headers, body } = await postRaw(baseUrl, call, { authorization: `Bearer ${key}` });
    const outcome = body.result as unknown as ToolOutcome;
    assert.equal(outcome.isError, true);
    assert.match(outcome.content[0]?.text ?? '', /^The Demo plan allows 20 requests a minute; wait \d+ s\.$/);
    assert.equal(status, 200);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    assert.match(headers.get('ratelimit') ?? '', /^minute;r=0;t=\d+, month;r=2980;t=\d+$/);
    assert.equal(
      headers.get('ratelimit-policy'),
      'minute;q=20;w=60, month;q=3000;w=2592000',
      'the windows are in the headers as with REST',
    );
    assert.equal(headers.get('x-ratelimit-remaining'), '0');
    assert.equal(headers.get('www-authenticate'), null);
  });

  test('more than 30 made-up tokens: the address gets 429', async () => {
    const fresh = await runService({ venues: ['binance'], coins: 5 });
    const statuses: number[] = [];
    for (let i = 0; i < 32; i++)
      statuses.push(
        (
          await postRaw(fresh.service.baseUrl, handshakeRequest('ping'), {
            authorization: `Bearer made-up-${i}`,
          })
        ).status,
      );
    assert.deepEqual([...new Set(statuses.slice(0, 30))], [401]);
    assert.equal(statuses.at(-1), 429);
    await fresh.stop();
  });
});

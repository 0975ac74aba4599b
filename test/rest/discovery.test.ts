import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1';

suite('GET /api/v1', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ isEmpty: true, venues: ['binance'] });
  });
  after(() => rest.stop());

  suite('200', () => {
    test('is public, without an envelope, and has the address of everything', async () => {
      const reply = await rest.getWith(null, PATH);
      assert.equal(reply.status, 200);
      const { baseUrl } = rest.service;
      const { description, endpoints, ...links } = reply.body as Record<string, unknown>;
      assert.equal(typeof description, 'string');
      assert.deepEqual(links, {
        name: 'Perpwire',
        version: '1.0.0',
        docs_url: `${baseUrl}/developers`,
        openapi_url: `${baseUrl}/api/v1/openapi.json`,
        reference_url: `${baseUrl}/developers/reference`,
        llms_url: `${baseUrl}/llms.txt`,
        mcp_url: `${baseUrl}/mcp`,
        plans_url: `${baseUrl}/plans`,
        auth: {
          type: 'bearer',
          header: 'Authorization',
          key_prefix: 'pw_live_',
          get_key_url: `${baseUrl}/account/keys`,
        },
      });
      const listed = (
        endpoints as { method: string; path: string; scope: string | null; summary: string }[]
      ).filter((endpoint) => OPERATIONS.some((operation) => endpoint.path === `/api/v1${operation.path}`));
      assert.deepEqual(
        listed.map(({ method, path, scope }) => [method, path, scope]),
        OPERATIONS.map((operation) => ['GET', `/api/v1${operation.path}`, operation.scope]),
      );
      for (const endpoint of listed) assert.ok(endpoint.summary.length > 10);
    });

    test('costs no request and needs no key', async () => {
      const { text: key } = await rest.newKey('demo');
      for (let sent = 0; sent < 25; sent++) assert.equal((await rest.getWith(key, PATH)).status, 200);
    });

    test('takes a slash at the end', async () =>
      assert.equal((await rest.getWith(null, `${PATH}/`)).status, 200));

    test('HEAD has no body', async () => {
      const reply = await rest.getWith(null, PATH, {}, 'HEAD');
      assert.deepEqual([reply.status, reply.text], [200, '']);
    });

    test('has the open headers', async () => {
      const { headers } = await rest.getWith(null, PATH);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.match(headers.get('link') ?? '', /rel="describedby"/);
      assert.match(headers.get('x-request-id') ?? '', /^[\w.-]+$/);
    });
  });

  suite('404', () => {
    for (const [path, nearest] of [
      ['/api/v1/fundings', '/api/v1/funding'],
      ['/api/v1/Coins', '/api/v1/coins'],
      ['/api/v1/exchange', '/api/v1/exchanges'],
      ['/api/v1/usage/now', '/api/v1/usage'],
    ] as const) {
      test(`${path} names ${nearest} first`, async () => {
        const reply = await rest.getWith(null, path);
        const { suggestions, detail } = problemOf(rest, reply, 404, 'not-found');
        assert.equal(suggestions?.[0], nearest);
        assert.ok(detail.includes(path), detail);
      });
    }

    for (const path of [
      '/api/v1/__proto__',
      '/api/v1/constructor/prototype',
      '/api/v1/%00',
      '/api/v1/../etc/passwd%2f',
    ]) {
      test(`${path} is not found`, async () => {
        assert.equal((await rest.getWith(null, path)).status, 404);
      });
    }
  });

  suite('405', () => {
    test('POST, with Allow', async () => {
      const reply = await rest.getWith(null, PATH, {}, 'POST');
      problemOf(rest, reply, 405, 'method-not-allowed');
      assert.equal(reply.headers.get('allow'), 'GET, HEAD, OPTIONS');
    });
  });
});

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { SCOPES, type Scope } from '../../src/accounts/scopes.ts';
import { metaOf, problemOf, type Rest, remainingOf, startRest } from './rest-service.ts';

export interface Endpoint {
  /** Path with the parameters that it needs to answer 200. */
  path: string;
  scope: Scope | null;
  /** A live account figure instead of a snapshot: never cached, and available without market data. */
  isLive?: boolean;
}

/** Tests of everything that all data endpoints share, by status, against the real server. */
export function commonStatuses(rest: () => Rest, { path, scope, isLive = false }: Endpoint): void {
  suite('200', () => {
    test('carries the envelope and every header of the contract', async () => {
      const reply = await rest().get(path);
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(Object.keys(reply.body as object), ['data', 'meta']);
      const meta = metaOf(reply);
      assert.match(meta.as_of, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
      assert.equal(meta.source, 'Perpwire');
      assert.ok(meta.url.startsWith(`${rest().service.baseUrl}/`));
      const header = (name: string) => reply.headers.get(name) ?? '';
      assert.match(header('content-type'), /^application\/json/);
      assert.match(header('etag'), /^"[\w-]+"$/);
      assert.equal(header('cache-control'), isLive ? 'no-store' : 'private, max-age=15');
      for (const name of ['Authorization', 'X-Api-Key'])
        assert.ok(header('vary').split(', ').includes(name), header('vary'));
      assert.ok(
        header('link').includes(`<${rest().service.baseUrl}/api/v1/openapi.json>; rel="describedby"`),
      );
      assert.match(header('x-request-id'), /^[\w.-]+$/);
      assert.equal(header('access-control-allow-origin'), '*');
      assert.equal(header('ratelimit-policy'), 'minute;q=600;w=60, month;q=2000000;w=2592000');
      assert.equal(header('x-ratelimit-limit'), '600');
      assert.equal(header('x-ratelimit-remaining'), String(remainingOf(reply).minute));
      assert.ok(Number(header('x-ratelimit-reset')) * 1000 > rest().clock.nowMs(), 'Unix seconds');
    });

    test('takes the key in X-Api-Key too', async () => {
      const reply = await rest().getWith(null, path, { 'x-api-key': rest().keys.pro });
      assert.equal(reply.status, 200);
    });

    test('HEAD answers with the same headers and no body', async () => {
      const got = await rest().get(path, { headers: { 'accept-encoding': 'identity' } });
      const head = await rest().get(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
      assert.equal(head.status, 200);
      assert.equal(head.text, '');
      if (isLive) return;
      for (const name of ['etag', 'content-length', 'content-type', 'cache-control'])
        assert.equal(head.headers.get(name), got.headers.get(name), name);
    });

    test('keeps a valid request id of the caller and replaces any other', async () => {
      const kept = await rest().get(path, { headers: { 'x-request-id': 'my-id.1' } });
      assert.equal(kept.headers.get('x-request-id'), 'my-id.1');
      const replaced = await rest().get(path, { headers: { 'x-request-id': '<script>' } });
      assert.match(replaced.headers.get('x-request-id') ?? '', /^[\w.-]+$/);
    });
  });

  suite('304', () => {
    test(
      isLive ? 'never: usage is always new' : 'with the ETag of before, and the request is given back',
      async () => {
        const { text: key } = await rest().newKey('pro');
        const first = await rest().getWith(key, path);
        const etag = first.headers.get('etag') ?? '';
        const again = await rest().getWith(key, path, { 'if-none-match': `"other", ${etag}` });
        if (isLive) return assert.equal(again.status, 200);
        assert.equal(again.status, 304);
        assert.equal(again.text, '');
        assert.equal(again.headers.get('etag'), etag);
        assert.equal(again.headers.get('cache-control'), 'private, max-age=15');
        assert.deepEqual(remainingOf(again), remainingOf(first), 'refunded on both windows');
        const changed = await rest().getWith(key, path, { 'if-none-match': '"other"' });
        assert.equal(changed.status, 200);
        assert.equal(remainingOf(changed).month, remainingOf(first).month - 1);
      },
    );
  });

  suite('401', () => {
    test('without a key, with the challenge', async () => {
      const reply = await rest().getWith(null, path);
      problemOf(rest(), reply, 401, 'unauthenticated');
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="perpwire"');
    });

    test('with a mistyped key, with error="invalid_token"', async () => {
      const reply = await rest().getWith(`${rest().keys.pro}x`, path);
      problemOf(rest(), reply, 401, 'unauthenticated');
      assert.match(
        reply.headers.get('www-authenticate') ?? '',
        /^Bearer realm="perpwire", error="invalid_token"/,
      );
    });
  });

  suite('403', () => {
    test(
      scope === null ? 'never: any valid key is accepted' : `without ${scope}, which is named`,
      async () => {
        const others = SCOPES.filter((one) => one !== scope);
        const { text: key } = await rest().newKey('pro', {
          scopes: scope === null ? ['usage:read'] : others,
        });
        const reply = await rest().getWith(key, path);
        if (scope === null) return assert.equal(reply.status, 200);
        const { detail } = problemOf(rest(), reply, 403, 'scope-missing');
        assert.ok(detail.includes(scope) && detail.includes(others.join(', ')), detail);
        const challenge = reply.headers.get('www-authenticate') ?? '';
        assert.match(challenge, /^Bearer realm="perpwire", error="insufficient_scope"/);
        assert.ok(challenge.includes(`scope="${scope}"`), challenge);
        assert.deepEqual(remainingOf(reply), { minute: 300, month: 500_000 }, 'not counted');
      },
    );
  });

  suite('405', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      test(`${method}, with Allow`, async () => {
        const reply = await rest().get(path, { method });
        problemOf(rest(), reply, 405, 'method-not-allowed');
        assert.equal(reply.headers.get('allow'), 'GET, HEAD, OPTIONS');
      });
    }
    test('but OPTIONS answers a preflight without a key', async () => {
      const reply = await rest().getWith(null, path, { origin: 'https://app.example' }, 'OPTIONS');
      assert.equal(reply.status, 204);
      assert.equal(reply.headers.get('access-control-allow-origin'), '*');
      assert.match(reply.headers.get('access-control-allow-methods') ?? '', /GET/);
      assert.match(reply.headers.get('access-control-allow-headers') ?? '', /Authorization.*X-Api-Key/);
    });
  });

  suite('429', () => {
    test('when the minute is spent, until Retry-After', async () => {
      const { text: key } = await rest().newKey('demo');
      for (let sent = 0; sent < 20; sent++) assert.equal((await rest().getWith(key, path)).status, 200);
      const reply = await rest().getWith(key, path);
      const { detail } = problemOf(rest(), reply, 429, 'rate-limited');
      assert.match(detail, /20 requests a minute/);
      assert.equal(remainingOf(reply).minute, 0);
      const retrySeconds = Number(reply.headers.get('retry-after'));
      assert.ok(retrySeconds >= 1 && retrySeconds <= 60, `${retrySeconds} s`);
      rest().clock.advanceMs(retrySeconds * 1000);
      assert.equal((await rest().getWith(key, path)).status, 200);
    });
  });

  suite('503', () => {
    let empty: Rest;
    let disabled: Rest;
    before(async () => {
      empty = await startRest({ isEmpty: true, venues: ['binance'] });
      disabled = await startRest({ isEmpty: true, venues: ['binance'], settings: { API_ENABLED: 'false' } });
    });
    after(async () => {
      await empty.stop();
      await disabled.stop();
    });

    test(
      isLive ? 'not while there is no data yet' : 'while there is no data yet, and the request is given back',
      async () => {
        const reply = await empty.get(path);
        if (isLive) return assert.equal(reply.status, 200);
        problemOf(empty, reply, 503, 'snapshot-unavailable');
        assert.equal(reply.headers.get('retry-after'), '60');
        assert.deepEqual(remainingOf(reply), { minute: 600, month: 2_000_000 });
      },
    );

    test('when the API is disabled, whatever the key', async () => {
      for (const key of [disabled.keys.pro, 'wrong', null])
        problemOf(disabled, await disabled.getWith(key, path), 503, 'api-disabled');
    });
  });
}

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { MAX_WRONG_KEYS } from '../../src/accounts/keys/rejected-keys.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { text } from './browser.ts';
import { CALLBACK, callTool, OAuthClient } from './client.ts';
import { decide, type Person, signedUp } from './person.ts';

suite('OAuth from registration to revocation', () => {
  let running: Running;
  let clock: ManualClock;
  let person: Person;
  let baseUrl: string;
  before(async () => {
    clock = new ManualClock(Date.now());
    running = await runService({ venues: ['binance'], coins: 8, clock });
    await collectOnce(running);
    baseUrl = running.service.baseUrl;
    person = await signedUp(running.service, 'flow@example.com');
  });
  after(() => running.stop());

  test('metadata: the protected resource names the authorization server, which names everything else', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
    ]) {
      const reply = await fetch(`${baseUrl}${path}`);
      const resource = (await reply.json()) as Record<string, unknown>;
      assert.deepEqual(resource.authorization_servers, [baseUrl]);
      assert.equal(resource.resource, `${baseUrl}/mcp`);
      assert.ok(!(resource.scopes_supported as string[]).includes('offline_access'));
    }
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
      // A host or forwarded host from the request must not get into the links.
      const reply = await fetch(`${baseUrl}${path}`, { headers: { 'x-forwarded-host': 'evil.example' } });
      const metadata = (await reply.json()) as Record<string, unknown>;
      assert.equal(metadata.issuer, baseUrl);
      assert.equal(metadata.authorization_endpoint, `${baseUrl}/oauth/authorize`);
      assert.equal(metadata.token_endpoint, `${baseUrl}/oauth/token`);
      assert.equal(metadata.registration_endpoint, `${baseUrl}/oauth/register`);
      assert.equal(metadata.revocation_endpoint, `${baseUrl}/oauth/revoke`);
      assert.deepEqual(metadata.code_challenge_methods_supported, ['S256']);
      assert.equal(metadata.authorization_response_iss_parameter_supported, true);
      assert.equal(metadata.client_id_metadata_document_supported, true);
      assert.ok((metadata.token_endpoint_auth_methods_supported as string[]).includes('none'));
      assert.deepEqual(metadata.response_types_supported, ['code']);
    }
  });

  test('a literal ? in the query loses no parameter: state comes back and the challenge is checked', async () => {
    const client = new OAuthClient(baseUrl);
    await client.register();
    const url = client.authorizeUrl({ state: 'a?b', note: 'x?y' });
    // URLSearchParams escapes every "?"; other clients send it as it is, which RFC 3986 allows.
    const unescaped = url.href.replaceAll('%3F', '?');
    assert.equal(unescaped.split('?').length, 4);
    const answer = await decide(person, unescaped);
    assert.equal(answer.searchParams.get('state'), 'a?b');
    const { status, body } = await client.exchange(answer.searchParams.get('code') ?? '');
    assert.equal(status, 200, JSON.stringify(body));
  });

  test('the consent page names the client, where it leads, each scope, and warns of loopback', async () => {
    const client = new OAuthClient(baseUrl);
    await client.register({ client_name: '<b>Ass & Co</b>' });
    const page = await person.browser.open(client.authorizeUrl());
    assert.match(text(page), /Connect <b>Ass & Co<\/b>\?/, 'the name is shown as text, never as markup');
    assert.ok(!page.html.includes('<b>Ass'));
    assert.match(text(page), /sent to 127\.0\.0\.1:4711/);
    assert.match(text(page), /runs on this computer/);
    for (const words of [
      'funding rates',
      'past funding',
      'price differences',
      'delistings',
      'requests you have used',
    ])
      assert.match(text(page), new RegExp(words));
    assert.equal(page.html.match(/type="checkbox"/g)?.length, 5);
    assert.match(page.html, /value="allow">Allow<[\s\S]*value="refuse">Refuse</);
  });

  test('the whole flow: code with iss and state, token, call, refresh with rotation, revoke, 401', async () => {
    const client = new OAuthClient(baseUrl);
    const registered = await client.register({ scope: 'mcp:everything', application_type: 'web' });
    assert.equal(registered.status, 201);
    assert.equal(registered.body.client_secret, undefined, 'a public client gets no secret');
    const answer = await decide(person, client.authorizeUrl());
    assert.equal(`${answer.origin}${answer.pathname}`, CALLBACK);
    assert.equal(answer.searchParams.get('state'), 'the-state');
    assert.equal(answer.searchParams.get('iss'), baseUrl);
    const { status, body } = await client.exchange(answer.searchParams.get('code') ?? '');
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.token_type, 'Bearer');
    const access = String(body.access_token);
    const call = await callTool(baseUrl, access, 'svc_get_usage');
    assert.equal(call.status, 200);
    assert.match(JSON.stringify(call.body), /"key_prefix":"oauth"/);

    const refreshed = await client.refresh(String(body.refresh_token));
    assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
    assert.notEqual(refreshed.body.refresh_token, body.refresh_token, 'rotated');
    const newer = String(refreshed.body.access_token);
    assert.equal((await callTool(baseUrl, newer, 'svc_get_usage')).status, 200);
    assert.equal((await client.revoke(newer)).status, 200);
    const refused = await callTool(baseUrl, newer, 'svc_get_usage');
    assert.equal(refused.status, 401);
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer realm="perpwire", error="invalid_token", error_description="The key or access token is unknown, expired or revoked", scope="funding:read history:read spreads:read listings:read usage:read", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  test('a refused scope gives 403 with a challenge for it, and a new consent grants it', async () => {
    const client = new OAuthClient(baseUrl);
    const { access } = await client.connect(person, { scopes: ['usage:read'] });
    assert.equal((await callTool(baseUrl, access, 'svc_get_usage')).status, 200);
    assert.equal((await callTool(baseUrl, access, 'svc_search_coins')).status, 200, 'needs no scope');
    const refused = await callTool(baseUrl, access, 'svc_get_funding_rates');
    assert.equal(refused.status, 403);
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer realm="perpwire", error="insufficient_scope", error_description="This tool needs funding:read", scope="funding:read", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`,
    );
    const again = await client.connect(person, { scopes: ['usage:read', 'funding:read'] });
    assert.equal((await callTool(baseUrl, again.access, 'svc_get_funding_rates')).status, 200);
  });

  test('refusing sends access_denied to the client', async () => {
    const client = new OAuthClient(baseUrl);
    await client.register();
    const answer = await decide(person, client.authorizeUrl(), { decision: 'refuse' });
    assert.equal(answer.searchParams.get('error'), 'access_denied');
    assert.equal(answer.searchParams.get('code'), null);
  });

  for (const [name, scope] of [
    ['no scope at all', null],
    ['only scopes that we do not know', 'mcp:tools profile'],
    ['openid and offline_access besides ours', 'openid offline_access funding:read'],
  ] as const) {
    test(`an authorization request with ${name} leads to a consent that works once`, async () => {
      const client = new OAuthClient(baseUrl);
      await client.register();
      const answer = await decide(person, client.authorizeUrl({ scope }));
      const { body } = await client.exchange(answer.searchParams.get('code') ?? '');
      assert.equal((await callTool(baseUrl, String(body.access_token), 'svc_get_funding_rates')).status, 200);
    });
  }

  test('an access token is valid for an hour', async () => {
    const { access } = await new OAuthClient(baseUrl).connect(person);
    clock.advanceMs(HOUR_MS - 5000);
    assert.equal((await callTool(baseUrl, access, 'svc_search_coins')).status, 200);
    clock.advanceMs(10_000);
    assert.equal((await callTool(baseUrl, access, 'svc_search_coins')).status, 401);
  });

  test('all grants of an account share one set of windows, separate from those of its keys', async () => {
    const first = await new OAuthClient(baseUrl).connect(person);
    const second = await new OAuthClient(baseUrl).connect(person);
    const used = async (token: string) => {
      const { body } = await callTool(baseUrl, token, 'svc_get_usage');
      return (body.result as { structuredContent: { data: { minute: { used: number } } } }).structuredContent
        .data.minute.used;
    };
    clock.advanceMs(61_000);
    assert.deepEqual(
      [await used(first.access), await used(second.access), await used(first.access)],
      [1, 2, 3],
    );
  });

  test('connected assistants are listed once each, and disconnecting one works at once', async () => {
    const other = await signedUp(running.service, 'lists@example.com');
    const client = new OAuthClient(baseUrl);
    await client.register({ client_name: 'Listed assistant' });
    const tokens = [await client.connect(other, { scopes: ['usage:read'] }), await client.connect(other)];
    const page = await other.browser.open(`${baseUrl}/account/assistants`);
    assert.equal(page.html.match(/<h3>Listed assistant<\/h3>/g)?.length, 1);
    assert.match(text(page), /Live funding rates/);
    const gone = await other.browser.submit(page, {}, '/account/assistants/disconnect');
    assert.match(text(gone), /None yet/);
    for (const { access, refresh } of tokens) {
      assert.equal((await callTool(baseUrl, access, 'svc_search_coins')).status, 401);
      assert.equal((await client.refresh(refresh)).body.error, 'invalid_grant');
    }
  });

  suite('an OAuth token at the REST API', () => {
    /** Sends a credential as often as blocks an address that guesses keys, and once more. */
    const sendOften = async (credential: string, path: string, name = 'authorization') => {
      clock.advanceMs(61_000);
      const replies: { status: number; detail: string }[] = [];
      for (let sent = 0; sent <= MAX_WRONG_KEYS; sent++) {
        const headers = { [name]: name === 'authorization' ? `Bearer ${credential}` : credential };
        const reply = await fetch(`${baseUrl}${path}`, { headers });
        const { detail } = (await reply.json()) as { detail: string };
        replies.push({ status: reply.status, detail });
      }
      clock.advanceMs(61_000);
      return replies;
    };
    const IS_TOKEN =
      /^This is an OAuth access token\. It works at http:\S+\/mcp only; .* \S+\/account\/keys\.$/;

    for (const [door, path, header] of [
      ['a list', '/api/v1/coins', 'authorization'],
      ['a list, with X-Api-Key', '/api/v1/coins', 'x-api-key'],
      ['a stream', '/api/v1/stream/funding', 'authorization'],
    ] as const)
      test(`${door}: told what it is, and it is no wrong key`, async () => {
        const { access } = await new OAuthClient(baseUrl).connect(person);
        for (const { status, detail } of await sendOften(access, path, header)) {
          assert.equal(status, 401);
          assert.match(detail, IS_TOKEN);
        }
        assert.equal(
          (await callTool(baseUrl, access, 'svc_get_usage')).status,
          200,
          'it still works at /mcp',
        );
      });

    test('an expired one is told the same', async () => {
      const { access } = await new OAuthClient(baseUrl).connect(person);
      clock.advanceMs(HOUR_MS);
      for (const { status, detail } of await sendOften(access, '/api/v1/coins')) {
        assert.equal(status, 401);
        assert.match(detail, IS_TOKEN);
      }
    });

    const NOT_A_KEY =
      'This is not an API key: keys start with pw_live_ or pw_test_. OAuth access tokens work at /mcp only.';
    for (const [name, credentialOf] of [
      [
        'a revoked one',
        async () => {
          const client = new OAuthClient(baseUrl);
          const { access } = await client.connect(person);
          await client.revoke(access);
          return access;
        },
      ],
      ['a text that only looks like one', async () => 'x'.repeat(43)],
      ['another text', async () => 'nonsense'],
    ] as const)
      test(`${name} is not called mistyped, but counts as a wrong key`, async () => {
        const replies = await sendOften(await credentialOf(), '/api/v1/coins');
        const last = replies.pop();
        for (const { status, detail } of replies) {
          assert.equal(status, 401);
          assert.equal(detail, NOT_A_KEY);
        }
        assert.equal(last?.status, 429);
      });
  });

  test('clients without a grant are deleted after a day; others stay', async () => {
    const [unused, used] = [new OAuthClient(baseUrl), new OAuthClient(baseUrl)];
    await unused.register();
    const { refresh } = await used.connect(person);
    clock.advanceMs(DAY_MS + 1000);
    await running.service.people.sweep();
    assert.match((await person.browser.open(unused.authorizeUrl())).html, /invalid_client/);
    assert.equal((await used.refresh(refresh)).status, 200);
  });
});

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock, systemClock } from '../../src/base/clock.ts';
import { createGuardedFetch, isPublicAddress } from '../../src/base/http/guarded-fetch.ts';
import { HostNames } from '../../src/base/http/host-names.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { AUTHORIZATIONS_PER_HOUR, REGISTRATIONS_PER_HOUR } from '../../src/oauth/client-limits.ts';
import { collectOnce, type Running, runService, until } from '../support/service.ts';
import { Browser, type Page, text } from './browser.ts';
import { CALLBACK, callTool, OAuthClient } from './client.ts';
import { decide, PASSWORD, type Person, signedUp } from './person.ts';

const NEVER = new AbortController().signal;
const guardedFetch = createGuardedFetch(new HostNames({ clock: systemClock }));

/** The error is one of our pages, which names the host to which the browser is not sent. */
function assertShownHere(page: Page, error: string, host = '127.0.0.1:4711'): void {
  assert.equal(page.leftTo, null);
  assert.equal(page.status, 400);
  assert.match(text(page), new RegExp(`cannot be answered: ${error} `));
  assert.ok(text(page).includes(`You were not sent back to ${host} .`), text(page));
}

suite('attacks on the authorization server', () => {
  let running: Running;
  let clock: ManualClock;
  let baseUrl: string;
  let victim: Person;
  let attacker: Person;
  before(async () => {
    clock = new ManualClock(Date.now());
    running = await runService({ venues: ['binance'], coins: 8, clock });
    await collectOnce(running);
    baseUrl = running.service.baseUrl;
    victim = await signedUp(running.service, 'victim@example.com');
    attacker = await signedUp(running.service, 'attacker@example.com');
  });
  after(() => running.stop());

  const registered = async (metadata = {}): Promise<OAuthClient> => {
    // Every test starts with a new allowance of registrations.
    clock.advanceMs(HOUR_MS / 60);
    const client = new OAuthClient(baseUrl);
    const { status, body } = await client.register(metadata);
    assert.equal(status, 201, JSON.stringify(body));
    return client;
  };
  const codeFor = async (client: OAuthClient): Promise<string> =>
    (await decide(victim, client.authorizeUrl())).searchParams.get('code') ?? '';

  test('wrong verifier: the code is not exchanged', async () => {
    const client = await registered();
    const reply = await client.exchange(await codeFor(client), { code_verifier: 'x'.repeat(43) });
    assert.equal(reply.status, 400);
    assert.equal(reply.body.error, 'invalid_grant');
  });

  test('plain PKCE: refused', async () => {
    const client = await registered();
    const changes = { code_challenge: client.verifier, code_challenge_method: 'plain' };
    const page = await victim.browser.open(client.authorizeUrl(changes));
    assertShownHere(page, 'invalid_request');
  });

  test('missing PKCE: refused', async () => {
    const client = await registered();
    const changes = { code_challenge: null, code_challenge_method: null };
    const page = await victim.browser.open(client.authorizeUrl(changes));
    assertShownHere(page, 'invalid_request');
  });

  test('code reuse: refused, and the tokens of the code are revoked', async () => {
    const client = await registered();
    const code = await codeFor(client);
    const first = await client.exchange(code);
    assert.equal(first.status, 200);
    assert.equal((await client.exchange(code)).body.error, 'invalid_grant');
    assert.equal((await callTool(baseUrl, String(first.body.access_token), 'svc_search_coins')).status, 401);
  });

  test('concurrent code reuse: at most one of ten requests gets tokens', async () => {
    const client = await registered();
    const code = await codeFor(client);
    const replies = await Promise.all(Array.from({ length: 10 }, () => client.exchange(code)));
    assert.ok(replies.filter(({ status }) => status === 200).length <= 1);
    for (const { status } of replies) assert.ok(status === 200 || status === 400, String(status));
  });

  test('refresh reuse: refused, and the whole grant ends', async () => {
    const client = await registered();
    const { refresh } = await client.connect(victim);
    const second = await client.refresh(refresh);
    assert.equal(second.status, 200);
    assert.equal((await client.refresh(refresh)).body.error, 'invalid_grant');
    assert.equal((await client.refresh(String(second.body.refresh_token))).body.error, 'invalid_grant');
    assert.equal((await callTool(baseUrl, String(second.body.access_token), 'svc_search_coins')).status, 401);
  });

  for (const [name, redirect] of [
    ['foreign redirect', 'https://evil.example/callback'],
    ['redirect with a trailing dot', 'http://127.0.0.1.:4711/callback'],
    ['redirect with user info', 'http://user@127.0.0.1:4711/callback'],
    ['redirect with our host as user info', 'http://127.0.0.1:4711@evil.example/callback'],
    ['redirect to another path', 'http://127.0.0.1:4711/callback/../other'],
  ] as const) {
    test(`${name}: no redirect there`, async () => {
      const client = await registered();
      const page = await victim.browser.open(client.authorizeUrl({ redirect_uri: redirect }));
      assert.equal(page.leftTo, null);
      assert.equal(page.status, 400);
      assert.match(page.html, /redirect_uri/);
    });
  }

  test('unregistered redirect: the error is one of our pages, in HTML and not cached', async () => {
    const client = await registered();
    const reply = await fetch(client.authorizeUrl({ redirect_uri: 'https://evil.example/callback' }), {
      redirect: 'manual',
    });
    assert.equal(reply.status, 400);
    assert.equal(reply.headers.get('location'), null);
    assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const page = await reply.text();
    assert.match(page, /The assistant cannot be connected/);
    assert.doesNotMatch(page, /evil\.example/);
  });

  test('a client that was registered with a redirect that is no longer allowed: shown here, not redirected', async () => {
    const client = await registered();
    const { db } = running.service.context.storage;
    const row = await db
      .selectFrom('oauth_records')
      .select('payload')
      .where('model', '=', 'Client')
      .where('id', '=', client.clientId)
      .executeTakeFirstOrThrow();
    const payload = JSON.stringify({ ...JSON.parse(row.payload), redirect_uris: ['searchapp://callback'] });
    await db
      .updateTable('oauth_records')
      .set({ payload })
      .where('model', '=', 'Client')
      .where('id', '=', client.clientId)
      .execute();
    for (const redirect of ['searchapp://callback', null]) {
      const page = await victim.browser.open(client.authorizeUrl({ redirect_uri: redirect }));
      assert.equal(page.status, 400);
      assert.equal(page.leftTo, null);
    }
  });

  for (const [name, redirect, fault] of [
    ['a trailing dot', 'https://assistant.example./callback', /dot/],
    ['user info', 'https://user:pass@assistant.example/callback', /user name/],
    ['empty user info', 'https://@assistant.example/callback', /user name/],
    ['plain http', 'http://assistant.example/callback', /https/],
    ['a script', 'javascript:alert(1)', /scheme/],
    ['a fragment', 'https://assistant.example/callback#x', /fragment/],
  ] as const) {
    test(`registration of a redirect with ${name}: refused with its reason`, async () => {
      const client = new OAuthClient(baseUrl);
      clock.advanceMs(HOUR_MS / 60);
      const { status, body } = await client.register({ redirect_uris: [redirect] });
      assert.equal(status, 400);
      assert.equal(body.error, 'invalid_redirect_uri');
      assert.match(String(body.error_description), fault);
    });
  }

  test('other resource: no authorization and no token for it', async () => {
    const client = await registered();
    const resource = `${baseUrl}/api/v1`;
    const page = await victim.browser.open(client.authorizeUrl({ resource }));
    assertShownHere(page, 'invalid_target');
    const reply = await client.exchange(await codeFor(client), { resource });
    assert.equal(reply.body.error, 'invalid_target');
  });

  test('token of another account: it reads as its own account only, and nobody else can end it', async () => {
    const client = await registered();
    const { access } = await client.connect(victim);
    const theirs = await client.connect(attacker);
    const page = await attacker.browser.open(`${baseUrl}/account/assistants`);
    await attacker.browser.submit(page, { client: client.clientId }, '/account/assistants/disconnect');
    assert.equal((await callTool(baseUrl, theirs.access, 'svc_search_coins')).status, 401, 'their own ended');
    assert.equal((await callTool(baseUrl, access, 'svc_search_coins')).status, 200, "the victim's did not");
  });

  test('token of another client: it can be neither revoked nor refreshed', async () => {
    const [client, stranger] = [await registered(), await registered()];
    const { access, refresh } = await client.connect(victim);
    await stranger.revoke(access);
    assert.equal((await stranger.refresh(refresh)).body.error, 'invalid_grant');
    assert.equal((await callTool(baseUrl, access, 'svc_search_coins')).status, 200);
  });

  test('consent posted by another user: refused', async () => {
    const client = await registered();
    const page = await victim.browser.open(client.authorizeUrl());
    const path = page.url.pathname;
    // The attacker has the address, their own session and their own form token.
    const own = await attacker.browser.open(`${baseUrl}/account`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(own.html)?.[1] ?? '';
    const fields = new URLSearchParams({ csrf, decision: 'allow', scope: 'usage:read' });
    const other = await attacker.browser.post(new URL(path, baseUrl), fields);
    assert.equal(other.status, 404);
    // Even with the victim's interaction cookies: the signed-in user must be the one who was asked for consent.
    const mixed = new Browser();
    for (const [name, value] of victim.browser.cookies) mixed.cookies.set(name, value);
    mixed.cookies.set('pw_session', attacker.browser.cookies.get('pw_session') ?? '');
    const refused = await mixed.post(new URL(path, baseUrl), fields);
    assert.equal(refused.status, 403);
    assert.equal(refused.leftTo, null);
  });

  for (const [name, change] of [
    ['without a CSRF token', (fields: URLSearchParams) => fields.delete('csrf')],
    ["with another session's CSRF token", (fields: URLSearchParams) => fields.set('csrf', 'x'.repeat(43))],
  ] as const) {
    test(`consent ${name}: refused`, async () => {
      const client = await registered();
      const page = await victim.browser.open(client.authorizeUrl());
      const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
      const fields = new URLSearchParams({ csrf, decision: 'allow', scope: 'usage:read' });
      change(fields);
      const refused = await victim.browser.post(page.url, fields);
      assert.equal(refused.status, 403);
      assert.equal(refused.leftTo, null);
    });
  }

  test('consent posted from a foreign page: refused, even with the right token', async () => {
    const client = await registered();
    const page = await victim.browser.open(client.authorizeUrl());
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const fields = new URLSearchParams({ csrf, decision: 'allow', scope: 'usage:read' });
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    assert.equal((await victim.browser.post(page.url, fields, headers)).status, 403);
  });

  for (const target of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/.//evil.example/',
    '/\t/evil.example/',
    'javascript:alert(1)',
  ]) {
    test(`open redirect after sign-in to ${JSON.stringify(target)}: stays here`, async () => {
      const browser = new Browser();
      const page = await browser.open(`${baseUrl}/sign-in?return_to=${encodeURIComponent(target)}`);
      const done = await browser.submit(page, { email: victim.email, password: PASSWORD, return_to: target });
      assert.equal(done.leftTo, null);
      assert.equal(done.url.href, `${baseUrl}/account`);
    });
  }

  test('session fixation: a planted session is not adopted, and signing in again ends the previous session', async () => {
    const browser = new Browser();
    browser.cookies.set('pw_session', 'planted.planted');
    const form = await browser.open(`${baseUrl}/sign-in`);
    await browser.submit(form, { email: victim.email, password: PASSWORD });
    const first = browser.cookies.get('pw_session') ?? '';
    assert.notEqual(first, 'planted.planted');
    const thief = new Browser();
    thief.cookies.set('pw_session', 'planted.planted');
    assert.equal((await thief.open(`${baseUrl}/account/assistants`)).url.pathname, '/sign-in');

    const page = await browser.open(`${baseUrl}/account/assistants`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const fields = new URLSearchParams({ csrf, email: victim.email, password: PASSWORD });
    await browser.post(new URL('/sign-in', baseUrl), fields);
    assert.notEqual(browser.cookies.get('pw_session'), first);
    thief.cookies.set('pw_session', first);
    assert.equal((await thief.open(`${baseUrl}/account/assistants`)).url.pathname, '/sign-in');
  });

  test('registration flood: one address gets 429 with Retry-After', async () => {
    clock.advanceMs(2 * HOUR_MS);
    const statuses = new Set<number>();
    for (let i = 0; i < REGISTRATIONS_PER_HOUR; i++)
      statuses.add((await new OAuthClient(baseUrl).register()).status);
    assert.deepEqual([...statuses], [201]);
    const refused = await new OAuthClient(baseUrl).register();
    assert.equal(refused.status, 429);
    const waitSeconds = Number(refused.headers.get('retry-after'));
    assert.ok(waitSeconds > 0 && waitSeconds <= 3600);
    clock.advanceMs(waitSeconds * 1000);
    assert.equal((await new OAuthClient(baseUrl).register()).status, 201);
  });

  test('authorization flood: one address gets 429 with Retry-After, little is stored, and it is deleted in time', async () => {
    running.service.people.start();
    clock.advanceMs(2 * HOUR_MS);
    const client = await registered();
    const { db } = running.service.context.storage;
    const stored = async () => {
      const rows = await db
        .selectFrom('oauth_records')
        .select(['model', 'payload'])
        .where('created_at_ms', '=', clock.nowMs())
        .where('model', '!=', 'Client')
        .execute();
      return { count: rows.length, bytes: rows.reduce((sum, { payload }) => sum + payload.length, 0) };
    };
    const url = client.authorizeUrl({
      scope: 'openid usage:read',
      state: 's'.repeat(2_048),
      login_hint: 'l'.repeat(512),
      nonce: 'n'.repeat(512),
      unknown: 'u'.repeat(2_048),
    });
    const open = () => fetch(url, { redirect: 'manual' });
    const replies = await Promise.all(Array.from({ length: AUTHORIZATIONS_PER_HOUR }, open));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [303]);
    const { count, bytes } = await stored();
    assert.equal(count, AUTHORIZATIONS_PER_HOUR, 'one record for each request');
    assert.ok(bytes < AUTHORIZATIONS_PER_HOUR * 6_000, `${bytes} bytes`);
    const refused = await open();
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '3600');
    assert.match(await refused.text(), /too many requests of assistants came from your address; wait 3600 s/);
    assert.equal((await stored()).count, count);
    clock.advanceMs(HOUR_MS + 10 * MINUTE_MS);
    const pending = db.selectFrom('oauth_records').select('id').where('model', '=', 'Interaction');
    await until(async () => (await pending.execute()).length === 0, 'expired requests being deleted');
    assert.equal((await open()).status, 303);
  });

  for (const [name, value, mostBytes] of [
    ['state', 's'.repeat(2_049), 2_048],
    ['nonce', 'n'.repeat(513), 512],
    ['login_hint', 'l'.repeat(513), 512],
    ['redirect_uri', `${CALLBACK}?${'r'.repeat(2_048)}`, 2_048],
    ['scope', `usage:read ${'x'.repeat(1_024)}`, 1_024],
    ['resource', `https://example.com/${'r'.repeat(1_024)}`, 1_024],
  ] as const)
    test(`authorization request with a long ${name}: refused by name, nothing is stored`, async () => {
      const client = await registered();
      const page = await new Browser().open(client.authorizeUrl({ [name]: value }));
      assert.equal(page.status, 400);
      assert.equal(page.leftTo, null);
      assert.match(text(page), new RegExp(`the parameter "${name}" is longer than ${mostBytes} bytes`));
    });

  for (const [name, changes, error] of [
    ['no PKCE', { code_challenge: null }, 'invalid_request'],
    ['a wrong response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['prompt=none', { prompt: 'none' }, 'login_required'],
    ['an error as a form', { code_challenge: null, response_mode: 'form_post' }, 'invalid_request'],
    ['an error as a fragment', { code_challenge: null, response_mode: 'fragment' }, 'invalid_request'],
  ] as const)
    test(`open redirect through a registered client, ${name}: shown here with its host`, async () => {
      const evil = 'https://evil.example/landing';
      const client = await registered({ redirect_uris: [evil] });
      const url = client.authorizeUrl({ redirect_uri: evil, ...changes });
      const page = await new Browser().open(url);
      assertShownHere(page, error, 'evil.example');
      assert.doesNotMatch(page.html, /evil\.example\/landing/);
    });

  test('an error is returned to a client that the person has connected, and to no other', async () => {
    const client = await registered();
    const url = client.authorizeUrl({ code_challenge: null });
    assertShownHere(await victim.browser.open(url), 'invalid_request');
    await client.connect(victim);
    const { leftTo } = await victim.browser.open(url);
    assert.equal(leftTo?.host, '127.0.0.1:4711');
    assert.equal(leftTo?.searchParams.get('error'), 'invalid_request');
    assert.equal(leftTo?.searchParams.get('state'), 'the-state');
    assertShownHere(await attacker.browser.open(url), 'invalid_request');
    assertShownHere(await new Browser().open(url), 'invalid_request');
  });

  test('who refuses, or allows nothing, on the consent page is sent back', async () => {
    const client = await registered();
    for (const decision of [{ decision: 'refuse' }, { scopes: [] }] as const) {
      const answer = await decide(victim, client.authorizeUrl(), decision);
      assert.equal(answer.host, '127.0.0.1:4711');
    }
  });

  test('registration of more metadata than is needed: refused, nothing is stored', async () => {
    clock.advanceMs(2 * HOUR_MS);
    const redirects = Array.from({ length: 20 }, (_, i) => `https://a.example/${i}/${'x'.repeat(250)}`);
    const { status, body } = await new OAuthClient(baseUrl).register({ redirect_uris: redirects });
    assert.equal(status, 400);
    assert.equal(body.error, 'invalid_client_metadata');
    assert.match(String(body.error_description), /longer than 4096 bytes/);
  });

  test('registration flood behind a proxy that writes ports: each port is not a new address', async (t) => {
    const proxied = await runService({
      venues: ['binance'],
      coins: 1,
      settings: { TRUSTED_PROXIES: 'loopback' },
    });
    t.after(() => proxied.stop());
    const register = async (from: string) =>
      (await new OAuthClient(proxied.service.baseUrl).register({}, { 'x-forwarded-for': from })).status;
    for (let port = 1; port <= REGISTRATIONS_PER_HOUR; port++)
      assert.equal(await register(`203.0.113.7:${port}`), 201);
    assert.equal(await register('203.0.113.7:4711'), 429);
    assert.equal(await register('203.0.113.8:4711'), 201);
  });

  for (const address of [
    'https://127.0.0.1/client.json',
    'https://10.1.2.3/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://2130706433/client.json',
    'https://localhost/client.json',
    'https://internal/client.json',
    'https://assistant.example:8443/client.json',
  ]) {
    test(`metadata document on a private address: ${address} is not fetched`, async () => {
      await assert.rejects(guardedFetch(address, NEVER), /public internet/);
      const client = new OAuthClient(baseUrl);
      client.clientId = address;
      const page = await victim.browser.open(client.authorizeUrl());
      assert.equal(page.status, 400);
      assert.match(page.html, /invalid_client/);
    });
  }

  test('metadata document of client.localhost, which is loopback by definition: no connection is made', async () => {
    const fetched = guardedFetch('https://client.localhost/client.json', NEVER);
    await assert.rejects(fetched, /client\.localhost is not on the public internet/);
  });

  test('which addresses are public', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111'])
      assert.ok(isPublicAddress(address), address);
    for (const address of [
      '0.0.0.0',
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.2',
      '169.254.1.1',
      '172.31.0.1',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:8.8.8.8',
      'fc00::1',
      'fe80::1',
      '2001:db8::1',
      '2002:7f00:1::',
      'not an address',
    ])
      assert.ok(!isPublicAddress(address), address);
  });

  test('a stolen code cannot be used by another client', async () => {
    const [client, stranger] = [await registered(), await registered()];
    const code = await codeFor(client);
    stranger.verifier = client.verifier;
    assert.equal((await stranger.exchange(code)).body.error, 'invalid_grant');
  });

  test('the database holds no token, code, session or password that would work', async () => {
    const secretful = new OAuthClient(baseUrl);
    const { body: withSecret } = await secretful.register({
      token_endpoint_auth_method: 'client_secret_post',
    });
    assert.ok(withSecret.client_secret);
    const plain = await registered();
    const { access, refresh } = await plain.connect(victim);
    const { db } = running.service.context.storage;
    const tables = ['oauth_records', 'user_sessions', 'user_passwords', 'mail_tokens'] as const;
    const dump = JSON.stringify(
      await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())),
    );
    const session = victim.browser.cookies.get('pw_session')?.split('.')[0] ?? '';
    for (const secret of [access, refresh, session, PASSWORD, String(withSecret.client_secret)]) {
      assert.ok(secret.length > 10);
      assert.ok(!dump.includes(secret));
    }
    // The secret still works.
    const answer = await decide(victim, secretful.authorizeUrl());
    const code = answer.searchParams.get('code') ?? '';
    const wrong = await secretful.exchange(code, { client_secret: 'wrong' });
    assert.equal(wrong.status, 401);
    const again = (await decide(victim, secretful.authorizeUrl())).searchParams.get('code') ?? '';
    const right = await secretful.exchange(again, { client_secret: String(withSecret.client_secret) });
    assert.equal(right.status, 200, JSON.stringify(right.body));
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, suite, test } from 'node:test';
import { collectOnce, type Running, runService, until } from '../support/service.ts';
import { text } from './browser.ts';
import { callTool, OAuthClient } from './client.ts';
import { decide, type Person, signedUp } from './person.ts';

const CLIENT_ID = 'https://assistant.example/oauth/client.json';
const DOCUMENT = {
  client_id: CLIENT_ID,
  client_name: 'Documented assistant',
  redirect_uris: ['http://localhost/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  scope: 'funding:read usage:read',
};

suite('clients known by their metadata document', () => {
  let running: Running;
  let person: Person;
  let documents: Record<string, object>;
  /** The signals of fetches from a server that never answers. */
  const slowFetches: AbortSignal[] = [];
  before(async () => {
    documents = { [CLIENT_ID]: DOCUMENT };
    running = await runService({
      venues: ['binance'],
      coins: 8,
      serviceOptions: {
        fetchClientMetadata: async (address, signal) => {
          if (address.startsWith('https://slow.example/')) {
            slowFetches.push(signal);
            await once(signal, 'abort');
            signal.throwIfAborted();
          }
          const document = documents[address];
          return document ? Response.json(document) : new Response('', { status: 404 });
        },
      },
    });
    await collectOnce(running);
    person = await signedUp(running.service, 'documents@example.com');
  });
  after(() => running.stop());

  test('invisible and bidi characters of the name in the document are not shown', async () => {
    const id = 'https://hidden.example/client.json';
    documents[id] = { ...DOCUMENT, client_id: id, client_name: 'Cla\u202eude\u2066\u3164' };
    const client = new OAuthClient(running.service.baseUrl);
    client.clientId = id;
    const page = await person.browser.open(
      client.authorizeUrl({ redirect_uri: 'http://localhost/callback', scope: 'usage:read' }),
    );
    assert.match(text(page), /^Connect Cla ude\?/);
    assert.doesNotMatch(page.html, /\u202e|\u2066|\u3164/);
  });

  test('connects with any loopback port, is listed by its host, and can be disconnected', async () => {
    const { baseUrl } = running.service;
    const client = new OAuthClient(baseUrl);
    client.clientId = CLIENT_ID;
    const redirect = 'http://localhost:50123/callback';
    const url = client.authorizeUrl({ redirect_uri: redirect, scope: 'usage:read' });
    assert.match(text(await person.browser.open(url)), /^Connect Documented assistant\?/);
    const answer = await decide(person, url);
    assert.equal(answer.host, 'localhost:50123');
    const { body } = await client.exchange(answer.searchParams.get('code') ?? '', { redirect_uri: redirect });
    assert.equal((await callTool(baseUrl, String(body.access_token), 'svc_get_usage')).status, 200);
    const page = await person.browser.open(`${baseUrl}/account/assistants`);
    assert.match(text(page), /assistant\.example/);
    await person.browser.submit(page, {}, '/account/assistants/disconnect');
    assert.equal((await callTool(baseUrl, String(body.access_token), 'svc_get_usage')).status, 401);
  });

  test('a client that hangs up ends the fetch of its document', async () => {
    const hangUp = async () => {
      const { length: before } = slowFetches;
      const client = new OAuthClient(running.service.baseUrl);
      client.clientId = `https://slow.example/${before}.json`;
      const leaving = new AbortController();
      const request = fetch(client.authorizeUrl(), { signal: leaving.signal });
      await until(() => slowFetches.length > before, 'the fetch');
      leaving.abort();
      await assert.rejects(request);
      await until(() => slowFetches[before]?.aborted === true, 'the end of the fetch');
      return String(slowFetches[before]?.reason).includes('the client hung up');
    };
    // A fetch ends by itself after 2.5 s, which on a busy machine may come first.
    await until(hangUp, 'a fetch that ended because the client hung up');
  });

  test('the consent page opens also after the document is no longer kept; without it there is nothing to decide', async (t) => {
    const id = 'https://slow-reader.example/client.json';
    documents[id] = { ...DOCUMENT, client_id: id };
    const client = new OAuthClient(running.service.baseUrl);
    client.clientId = id;
    const page = await person.browser.open(
      client.authorizeUrl({ redirect_uri: 'http://localhost/callback', scope: 'usage:read' }),
    );
    const keptMs = 31_000;
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + keptMs });
    assert.match(text(await person.browser.open(page.url.href)), /^Connect Documented assistant\?/);
    t.mock.timers.setTime(Date.now() + keptMs);
    delete documents[id];
    assert.match(text(await person.browser.open(page.url.href)), /^Nothing to decide/);
  });

  for (const [name, document] of [
    ['names another client', { ...DOCUMENT, client_id: 'https://other.example/client.json' }],
    ['holds a secret', { ...DOCUMENT, client_id: 'https://bad.example/a.json', client_secret: 'x' }],
    [
      'has a redirect with user info',
      { ...DOCUMENT, client_id: 'https://bad.example/b.json', redirect_uris: ['https://u@bad.example/cb'] },
    ],
  ] as const) {
    test(`a document that ${name} is refused`, async () => {
      const client = new OAuthClient(running.service.baseUrl);
      client.clientId = `https://bad.example/${name.length}.json`;
      documents[client.clientId] =
        document.client_id === 'https://other.example/client.json'
          ? document
          : { ...document, client_id: client.clientId };
      const page = await person.browser.open(
        client.authorizeUrl({ redirect_uri: 'http://localhost/callback' }),
      );
      assert.equal(page.status, 400);
      assert.match(page.html, /invalid_client/);
    });
  }
});

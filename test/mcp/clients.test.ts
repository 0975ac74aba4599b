import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { auth, createMCPClient } from '@ai-sdk/mcp';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { toolsOf } from '../../src/doors/mcp/tools/tools.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { Browser } from '../oauth/browser.ts';
import { CALLBACK } from '../oauth/client.ts';
import { type Decision, decide, type Person, signedUp } from '../oauth/person.ts';
import { type Running, runService } from '../support/service.ts';
import { collectEverything } from './everything.ts';

const NAMES = toolsOf(OPERATIONS).map(({ definition }) => definition.name);

/** Good arguments for every tool: what is required, from the parameters' own examples. */
function exampleArguments(toolName: string): Record<string, unknown> {
  const operation = OPERATIONS.find(({ tool }) => tool?.name === toolName);
  const required = Object.values(operation?.parameters ?? {}).filter(({ isRequired }) => isRequired);
  return Object.fromEntries(required.map(({ name, example }) => [name, example]));
}

/** What both client libraries store about a connection. The "browser" is a user who decides at once. */
class Connection {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: 'Client under test', redirect_uris: [CALLBACK] };
  readonly person: Pick<Person, 'browser' | 'email'>;
  decision: Decision = {};
  answer = new URLSearchParams();
  authorizations = 0;
  #kept = new Map<string, unknown>();

  constructor({ email }: Person) {
    // A browser in which nobody is signed in yet.
    this.person = { browser: new Browser(), email };
  }

  state = () => 'state-of-the-client';
  saveState = (state: string) => void this.#kept.set('state', state);
  storedState = () => this.#kept.get('state') as string | undefined;
  clientInformation = () => this.#kept.get('client') as { client_id: string; issuer: string } | undefined;
  saveClientInformation = (client: object) => void this.#kept.set('client', client);
  tokens = () =>
    this.#kept.get('tokens') as
      | { access_token: string; refresh_token: string; token_type: string }
      | undefined;
  saveTokens = (tokens: object) => void this.#kept.set('tokens', tokens);
  codeVerifier = () => String(this.#kept.get('verifier'));
  saveCodeVerifier = (verifier: string) => void this.#kept.set('verifier', verifier);
  discoveryState = () => this.#kept.get('discovery') as never;
  saveDiscoveryState = (discovery: object) => void this.#kept.set('discovery', discovery);
  authorizationServerInformation = () => this.#kept.get('server') as never;
  saveAuthorizationServerInformation = (server: object) => void this.#kept.set('server', server);
  isClientInformationDynamicallyRegistered = () => true;
  invalidateCredentials = (what: string) => void (what === 'tokens' && this.#kept.delete('tokens'));

  redirectToAuthorization = async (url: URL): Promise<void> => {
    this.authorizations++;
    this.answer = (await decide(this.person, url, this.decision)).searchParams;
  };

  /** Simulates an expired access token. */
  spoilAccessToken(): void {
    this.saveTokens({ ...this.tokens(), access_token: 'spoilt' });
  }
}

suite('outside clients', () => {
  let running: Running;
  let url: URL;
  let person: Person;
  before(async () => {
    running = await runService({ venues: ['binance', 'bybit'], coins: 10 });
    await collectEverything(running);
    url = new URL(`${running.service.baseUrl}/mcp`);
    person = await signedUp(running.service, 'clients@example.com', 'business');
  });
  after(() => running.stop());

  const eras = [
    ['handshake', 'legacy', '2025-11-25'],
    ['modern', { pin: '2026-07-28' }, '2026-07-28'],
  ] as const;

  for (const [era, mode, version] of eras) {
    test(`official client, ${era}: lists and calls every tool with a key`, async () => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const transport = new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { authorization: `Bearer ${running.keys.business}` } },
      });
      await client.connect(transport);
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        NAMES,
      );
      assert.ok(Buffer.byteLength(JSON.stringify(tools)) <= 30_000);
      for (const { name } of tools) {
        // The client itself refuses a result that does not fit the schema.
        const result = await client.callTool({ name, arguments: exampleArguments(name) });
        assert.ok(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
        assert.ok(result.structuredContent);
        const [text] = result.content as { text: string }[];
        assert.ok(Buffer.byteLength(text?.text ?? '') <= 6000);
      }
      await client.close();
    });

    test(`official client, ${era}: OAuth with registration, step-up, refresh and revocation`, async () => {
      const connection = new Connection(person);
      connection.decision = { scopes: ['usage:read'] };
      const connect = async () => {
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
        const provider = connection as unknown as OAuthClientProvider;
        const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
        return { client, transport, connected: client.connect(transport) };
      };
      const first = await connect();
      await assert.rejects(first.connected, UnauthorizedError);
      await first.transport.finishAuth(connection.answer);
      const { client, transport, connected } = await connect();
      await connected;
      assert.ok(!(await client.callTool({ name: 'svc_get_usage' })).isError);

      connection.decision = {};
      await assert.rejects(client.callTool({ name: 'svc_get_funding_rates', arguments: {} }));
      assert.equal(connection.authorizations, 2, 'it requested one more scope');
      await transport.finishAuth(connection.answer);
      assert.ok(!(await client.callTool({ name: 'svc_get_funding_rates', arguments: { limit: 1 } })).isError);

      const before = connection.tokens()?.refresh_token;
      connection.spoilAccessToken();
      assert.ok(!(await client.callTool({ name: 'svc_get_usage' })).isError, 'refreshed without the user');
      assert.equal(connection.authorizations, 2);
      assert.notEqual(connection.tokens()?.refresh_token, before);

      const clientId = connection.clientInformation()?.client_id ?? '';
      await running.service.people.authorization.connections.end(person.accountId, clientId);
      await assert.rejects(client.callTool({ name: 'svc_get_usage' }));
      assert.equal(connection.authorizations, 3, 'revoked, so the user must consent again');
      await client.close();
    });
  }

  const aiClient = (options: object) =>
    createMCPClient({ transport: { type: 'http', url: url.href, ...options } });

  test('@ai-sdk/mcp: lists and calls every tool with a key', async () => {
    const client = await aiClient({ headers: { authorization: `Bearer ${running.keys.business}` } });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      NAMES,
    );
    for (const { name } of tools) {
      const result = await client.callTool({ name, arguments: exampleArguments(name) });
      assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`);
    }
    await client.close();
  });

  test('@ai-sdk/mcp: OAuth with registration, step-up, refresh and revocation', async () => {
    const connection = new Connection(person);
    const provider = connection as unknown as Parameters<typeof auth>[0];
    const authorize = async (scope?: string) => {
      const wanted = scope === undefined ? {} : { scope };
      assert.equal(await auth(provider, { serverUrl: url, ...wanted }), 'REDIRECT');
      const done = await auth(provider, {
        serverUrl: url,
        authorizationCode: connection.answer.get('code') ?? '',
        callbackState: connection.answer.get('state') ?? '',
        callbackIssuer: connection.answer.get('iss') ?? '',
      });
      assert.equal(done, 'AUTHORIZED');
    };
    connection.decision = { scopes: ['usage:read'] };
    await authorize();
    const client = await aiClient({ authProvider: connection });
    assert.ok(!(await client.callTool({ name: 'svc_get_usage' })).isError);
    await assert.rejects(client.callTool({ name: 'svc_get_funding_rates' }), /403|scope/i);
    connection.decision = {};
    connection.invalidateCredentials('tokens');
    await authorize('usage:read funding:read');
    assert.ok(!(await client.callTool({ name: 'svc_get_funding_rates' })).isError);
    const authorizations = connection.authorizations;
    connection.spoilAccessToken();
    assert.ok(!(await client.callTool({ name: 'svc_get_usage' })).isError, 'refreshed without the user');
    assert.equal(connection.authorizations, authorizations);
    const clientId = connection.clientInformation()?.client_id ?? '';
    await running.service.people.authorization.connections.end(person.accountId, clientId);
    await assert.rejects(client.callTool({ name: 'svc_get_usage' }));
    await client.close();
  });
});

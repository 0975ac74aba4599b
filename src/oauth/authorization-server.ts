import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { LimitAttempts } from '../accounts/attempts/memory.ts';
import { addressGroup } from '../accounts/keys/rejected-keys.ts';
import { readScopes, type Scope } from '../accounts/scopes.ts';
import type { Vault } from '../accounts/vault/vault.ts';
import { requestFault } from './authorization-request.ts';
import { type ClientLimits, createClientLimits } from './client-limits.ts';
import { visibleName } from './client-name.ts';
import { type Connections, openConnections } from './connections.ts';
import { PROTOCOL_SCOPES } from './protocol.ts';
import type { ProviderOptions } from './provider.ts';
import { type RedirectTarget, redirectTarget } from './redirects.ts';
import { OAUTH_COOKIE_SECRET, SIGNING_SECRET } from './secrets.ts';

/** An authorization request that waits for the user: to sign in, or to give consent. */
export interface Interaction {
  uid: string;
  kind: 'sign-in' | 'consent';
  /** The user whose consent is requested; null before sign-in. */
  accountId: string | null;
  clientId: string;
  clientName: string;
  redirect: RedirectTarget;
  scopes: readonly Scope[];
}

/** The page for an authorization request that is refused before it is read. */
interface RefusedRequest {
  status: 400 | 429;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The authorization server for /mcp. Sign-in and consent are pages of the web door. */
export interface AuthorizationServer {
  resource: string;
  limits: ClientLimits;
  connections: Connections;
  /**
   * Loads the library, which takes a fifth of the time of a start, so it is not loaded before. The first request does it if
   * it comes earlier.
   */
  load(): Promise<void>;
  /**
   * Counts an authorization request of a client address, because each is stored for up to an hour. Null if it may be
   * handled, otherwise the answer.
   */
  refusalOf(url: string, address: string): Promise<RefusedRequest | null>;
  /** Handles a request to OAUTH_PATHS or to the metadata; `address` is the client's. */
  handle(request: IncomingMessage, response: ServerResponse, address: string): Promise<void>;
  /** Null if this browser has no pending interaction with that uid. */
  interaction(request: IncomingMessage, response: ServerResponse, uid: string): Promise<Interaction | null>;
  /** `signedIn`, `allow` and `refuse` return the URL to redirect to. */
  signedIn(request: IncomingMessage, response: ServerResponse, accountId: string): Promise<string>;
  allow(
    request: IncomingMessage,
    response: ServerResponse,
    interaction: Interaction,
    scopes: readonly Scope[],
  ): Promise<string>;
  refuse(request: IncomingMessage, response: ServerResponse): Promise<string>;
}

export async function openAuthorizationServer(
  options: Omit<ProviderOptions, 'limits' | 'resource' | 'cookieKeys' | 'signingKeys' | 'isConnected'> & {
    limitAttempts: LimitAttempts;
    vault: Vault;
  },
): Promise<AuthorizationServer> {
  const { storage, clock, baseUrl, limitAttempts, vault } = options;
  const resource = `${baseUrl}/mcp`;
  const limits = createClientLimits(limitAttempts);
  const connections = openConnections(storage.db, clock, resource);
  const cookies = await vault.ring(OAUTH_COOKIE_SECRET);
  const signing = await vault.ring(SIGNING_SECRET);
  const create = async () => {
    const { createProvider } = await import('./provider.ts');
    const provider = createProvider({
      ...options,
      limits,
      resource,
      isConnected: connections.has,
      cookieKeys: cookies.all(),
      signingKeys: signing.all(),
    });
    return { provider, callback: provider.callback() };
  };
  let created: ReturnType<typeof create> | null = null;
  const loaded = () => {
    created ??= create().catch((error: unknown) => {
      created = null;
      throw error;
    });
    return created;
  };
  // Its state is in the database, so a new one continues where the old one was.
  vault.onChange(async () => {
    if (created === null) return;
    created = null;
    await loaded();
  });
  const publicBase = new URL(baseUrl);

  return {
    resource,
    limits,
    load: async () => {
      await loaded();
    },
    connections,
    refusalOf: async (url, address) => {
      const fault = requestFault(url);
      if (fault !== null) return { status: 400, ...options.errorPage('invalid_request', fault, null) };
      const wait = await limits.authorizations.take(addressGroup(address));
      if (wait === null) return null;
      const words = `too many requests of assistants came from your address; wait ${wait} s`;
      const { headers, body } = options.errorPage('temporarily_unavailable', words, null);
      return { status: 429, headers: { ...headers, 'retry-after': String(wait) }, body };
    },
    handle: async (request, response, address) => {
      // oidc-provider builds links from these headers, so they must not come from the client.
      request.headers.host = publicBase.host;
      request.headers['x-forwarded-proto'] = publicBase.protocol.slice(0, -1);
      request.headers['x-forwarded-for'] = address;
      delete request.headers['x-forwarded-host'];
      const { callback } = await loaded();
      await callback(request, response);
    },
    interaction: async (request, response, uid) => {
      const { provider } = await loaded();
      return await readInteraction(provider, request, response, uid);
    },
    signedIn: async (request, response, accountId) => {
      const { provider } = await loaded();
      return await provider.interactionResult(
        request,
        response,
        { login: { accountId, remember: false } },
        { mergeWithLastSubmission: false },
      );
    },
    allow: async (request, response, { accountId, clientId, scopes: requested }, scopes) => {
      if (accountId === null) throw new Error('consent without a signed-in user');
      const { provider } = await loaded();
      // Always a new grant: an existing one would keep rejecting the scopes that were refused before.
      const grant = new provider.Grant({ accountId, clientId });
      const granted = requested.filter((scope) => scopes.includes(scope)).join(' ');
      const refused = requested.filter((scope) => !scopes.includes(scope)).join(' ');
      grant.addOIDCScope([...PROTOCOL_SCOPES, granted].join(' ').trim());
      if (granted !== '') grant.addResourceScope(resource, granted);
      if (refused !== '') {
        grant.rejectOIDCScope(refused);
        grant.rejectResourceScope(resource, refused);
      }
      const grantId = await grant.save();
      return await provider.interactionResult(request, response, { consent: { grantId } });
    },
    refuse: async (request, response) => {
      const { provider } = await loaded();
      return await provider.interactionResult(
        request,
        response,
        { error: 'access_denied', error_description: 'The user refused' },
        { mergeWithLastSubmission: false },
      );
    },
  };
}

async function readInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  uid: string,
): Promise<Interaction | null> {
  try {
    const { uid: pendingUid, prompt, params, session } = await provider.interactionDetails(request, response);
    const parameter = (name: string) => (typeof params[name] === 'string' ? params[name] : null);
    const client = await provider.Client.find(parameter('client_id') ?? '');
    if (pendingUid !== uid || !client) return null;
    const { clientId, clientName, redirectUris = [] } = client;
    return {
      uid,
      kind: prompt.name === 'login' ? 'sign-in' : 'consent',
      accountId: session?.accountId ?? null,
      clientId,
      clientName:
        visibleName(clientName ?? '') || (URL.parse(clientId)?.host ?? 'An assistant without a name'),
      redirect: redirectTarget(parameter('redirect_uri') ?? redirectUris[0] ?? 'about:blank'),
      scopes: readScopes(parameter('scope') ?? ''),
    };
  } catch (error) {
    const { errors } = await import('./library.ts');
    // There is no such request, or the document of its client cannot be fetched any more.
    if (error instanceof errors.OIDCProviderError) return null;
    throw error;
  }
}

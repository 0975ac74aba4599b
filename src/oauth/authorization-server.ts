import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { LimitAttempts } from '../accounts/attempts/memory.ts';
import { readScopes, SCOPES, type Scope } from '../accounts/scopes.ts';
import { type ClientLimits, createClientLimits } from './client-limits.ts';
import { type Connections, openConnections } from './connections.ts';
import { errors } from './library.ts';
import { createProvider, PROTOCOL_SCOPES, type ProviderOptions } from './provider.ts';
import { type RedirectTarget, redirectTarget } from './redirects.ts';

/** What a person is asked, or that they must sign in first. */
export interface Question {
  uid: string;
  kind: 'sign-in' | 'consent';
  /** Who started to consent; null before sign-in. */
  accountId: string | null;
  clientId: string;
  clientName: string;
  redirect: RedirectTarget;
  scopes: readonly Scope[];
}

/** The authorization server of the assistants' endpoint, behind pages that are ours. */
export interface AuthorizationServer {
  resource: string;
  limits: ClientLimits;
  connections: Connections;
  /** Answers a request to one of OAUTH_PATHS or of the metadata. */
  handle(request: IncomingMessage, response: ServerResponse, address: string): Promise<void>;
  /** Null when the browser has no such question open. */
  question(request: IncomingMessage, response: ServerResponse, uid: string): Promise<Question | null>;
  /** Each of these gives the address to go on to. */
  signedIn(request: IncomingMessage, response: ServerResponse, accountId: string): Promise<string>;
  allow(
    request: IncomingMessage,
    response: ServerResponse,
    question: Question,
    scopes: readonly Scope[],
  ): Promise<string>;
  refuse(request: IncomingMessage, response: ServerResponse): Promise<string>;
}

export async function openAuthorizationServer(
  options: Omit<ProviderOptions, 'limits' | 'resource'> & { limitAttempts: LimitAttempts },
): Promise<AuthorizationServer> {
  const { storage, clock, baseUrl, limitAttempts } = options;
  const resource = `${baseUrl}/mcp`;
  const limits = createClientLimits(limitAttempts);
  const provider = await createProvider({ ...options, limits, resource });
  const callback = provider.callback();
  const publicBase = new URL(baseUrl);

  return {
    resource,
    limits,
    connections: openConnections(storage.db, clock, resource),
    handle: async (request, response, address) => {
      // Whatever a proxy or a caller says, links are made from the public address, and the caller's is the one we trust.
      request.headers.host = publicBase.host;
      request.headers['x-forwarded-proto'] = publicBase.protocol.slice(0, -1);
      request.headers['x-forwarded-for'] = address;
      delete request.headers['x-forwarded-host'];
      await callback(request, response);
    },
    question: (request, response, uid) => readQuestion(provider, request, response, uid),
    signedIn: (request, response, accountId) =>
      provider.interactionResult(
        request,
        response,
        { login: { accountId, remember: false } },
        { mergeWithLastSubmission: false },
      ),
    allow: async (request, response, { accountId, clientId, scopes: asked }, scopes) => {
      if (accountId === null) throw new Error('nobody has signed in');
      // A new grant every time: what was once refused would stay refused in an old one.
      const grant = new provider.Grant({ accountId, clientId });
      const granted = asked.filter((scope) => scopes.includes(scope)).join(' ');
      const refused = asked.filter((scope) => !scopes.includes(scope)).join(' ');
      grant.addOIDCScope([...PROTOCOL_SCOPES, granted].join(' ').trim());
      if (granted !== '') grant.addResourceScope(resource, granted);
      if (refused !== '') {
        grant.rejectOIDCScope(refused);
        grant.rejectResourceScope(resource, refused);
      }
      const grantId = await grant.save();
      return await provider.interactionResult(request, response, { consent: { grantId } });
    },
    refuse: (request, response) =>
      provider.interactionResult(
        request,
        response,
        { error: 'access_denied', error_description: 'The user refused' },
        { mergeWithLastSubmission: false },
      ),
  };
}

async function readQuestion(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  uid: string,
): Promise<Question | null> {
  try {
    const { uid: openUid, prompt, params, session } = await provider.interactionDetails(request, response);
    const client = await provider.Client.find(params.client_id ?? '');
    if (openUid !== uid || !client) return null;
    return {
      uid,
      kind: prompt.name === 'login' ? 'sign-in' : 'consent',
      accountId: session?.accountId ?? null,
      clientId: client.clientId,
      clientName: client.clientName || (URL.parse(client.clientId)?.host ?? 'An assistant without a name'),
      redirect: redirectTarget(params.redirect_uri ?? client.redirectUris[0] ?? 'about:blank'),
      scopes: readScopes(params.scope ?? ''),
    };
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  }
}

/**
 * The query of an authorization request with scopes that can be granted: unknown ones are dropped, and without any
 * known one the whole set is asked for, of which the person ticks what they like.
 */
export function withKnownScopes(url: string): string {
  const [path = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  const asked = (parameters.get('scope') ?? '').split(' ');
  const known = asked.filter((scope) => PROTOCOL_SCOPES.includes(scope) || readScopes(scope).length > 0);
  const hasOurs = known.some((scope) => readScopes(scope).length > 0);
  parameters.set('scope', [...new Set(hasOurs ? known : [...known, ...SCOPES])].join(' '));
  return `${path}?${parameters}`;
}

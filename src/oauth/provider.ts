import type { CookiesSetOptions, JWKS, default as OidcProvider } from 'oidc-provider';
import { SCOPES } from '../accounts/scopes.ts';
import { isSame, tokenHash } from '../accounts/secrets.ts';
import type { Clock } from '../base/clock.ts';
import type { GuardedFetch } from '../base/http/guarded-fetch.ts';
import type { Log } from '../base/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/times.ts';
import type { Storage } from '../storage/storage.ts';
import { storedRecords } from './adapter.ts';
import { fetchDocument, mayFetchDocument } from './client-documents.ts';
import type { ClientLimits } from './client-limits.ts';
import { type ErrorOptions, keepErrorsHere, showError } from './error-returns.ts';
import { errors, interactionPolicy, Provider } from './library.ts';
import { INTERACTION_PATH, OAUTH_PATHS } from './protocol.ts';
import { redirectFault } from './redirects.ts';

export interface ProviderOptions extends ErrorOptions {
  storage: Storage;
  clock: Clock;
  log: Log;
  baseUrl: string;
  resource: string;
  limits: ClientLimits;
  /** The values that sign and verify cookies and tokens, the signing one first. */
  cookieKeys: readonly string[];
  signingKeys: readonly string[];
  /** Whether tokens may be issued for the account: it exists and is not suspended. */
  isUsable: (accountId: string) => boolean;
  /** Fetches the metadata documents of clients. */
  fetch: GuardedFetch;
}

const seconds = (ms: number) => ms / 1000;
/** Codes of errors that a client causes when it closes its connection. */
const CLIENT_GONE = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

export function createProvider(options: ProviderOptions): OidcProvider {
  const { storage, clock, baseUrl, resource, limits } = options;
  const isSecure = baseUrl.startsWith('https:');
  const cookie: CookiesSetOptions = { httpOnly: true, sameSite: 'lax', signed: true, secure: isSecure };

  const provider = new Provider(baseUrl, {
    adapter: storedRecords(storage.db, clock),
    jwks: { keys: options.signingKeys.flatMap((text) => (JSON.parse(text) as JWKS).keys) },
    routes: OAUTH_PATHS,
    cookies: {
      keys: [...options.cookieKeys],
      names: { session: 'pw_oauth', interaction: 'pw_oauth_step', resume: 'pw_oauth_resume' },
      long: cookie,
      short: cookie,
    },
    responseTypes: ['code'],
    pkce: { required: () => true },
    // Our scopes must be listed here, or registrations that name them fail. A grant then needs them in both places.
    scopes: ['openid', 'offline_access', ...SCOPES],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: {
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (context, clientId) => mayFetchDocument(limits, context, clientId),
        allowClient: async (_context, { redirectUris = [] }) =>
          redirectUris.every((uri) => redirectFault(uri) === null),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_context, _client, oneOf) => oneOf ?? resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_context, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return {
            scope: SCOPES.join(' '),
            audience: resource,
            accessTokenFormat: 'opaque',
            accessTokenTTL: seconds(HOUR_MS),
          };
        },
      },
    },
    ttl: {
      AccessToken: seconds(HOUR_MS),
      AuthorizationCode: seconds(MINUTE_MS),
      Grant: seconds(366 * DAY_MS),
      IdToken: seconds(HOUR_MS),
      Interaction: seconds(HOUR_MS),
      RefreshToken: seconds(60 * DAY_MS),
      Session: seconds(14 * DAY_MS),
    },
    fetch: (input, init) =>
      fetchDocument(options.fetch, input instanceof Request ? input.url : String(input), init?.signal),
    clientBasedCORS: () => true,
    expiresWithSession: async () => false,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    findAccount: async (_context, accountId) =>
      options.isUsable(accountId) ? { accountId, claims: async () => ({ sub: accountId }) } : undefined,
    interactions: {
      policy: interactions(options.signedInAccount),
      url: (_context, { uid }) => `${INTERACTION_PATH}/${uid}`,
    },
    // Also for a redirect that is not registered or not allowed: the browser is never sent there.
    renderError: async (context, fault) => showError(context, options, fault, null),
  });
  keepErrorsHere(provider, options);
  // Without a listener the framework prints the stack of every connection that a client closes.
  (provider as NodeJS.EventEmitter).on(
    'error',
    (error: Error & { code?: string; expose?: boolean; status?: number }) => {
      if (error.expose || error.status === 404) return;
      if (CLIENT_GONE.has(error.code ?? ''))
        options.log.debug({ code: error.code }, 'an OAuth client hung up');
      else options.log.error({ err: error }, 'the authorization server failed');
    },
  );
  // Trust the forwarded headers: `handle` sets them to the public address, which all links must have.
  provider.proxy = true;
  const { redirectUriAllowed } = provider.Client.prototype;
  // Again at every request: a client may have been registered under older rules.
  provider.Client.prototype.redirectUriAllowed = function isAllowed(uri) {
    return redirectFault(uri) === null && redirectUriAllowed.call(this, uri);
  };
  provider.Client.prototype.compareClientSecret = function compare(actual) {
    return this.clientSecret !== undefined && isSame(this.clientSecret, tokenHash(actual));
  };
  return provider;
}

/** Sign-in follows the session of our pages, not the authorization server's own; consent is requested every time. */
function interactions(signedInAccount: ProviderOptions['signedInAccount']) {
  const { Check, base } = interactionPolicy;
  const policy = base();
  policy.get('login')?.checks.add(
    new Check('app_session', 'Sign in first', 'login_required', async ({ req, oidc }) => {
      const accountId = await signedInAccount(req.headers.cookie);
      return accountId !== null && accountId === oidc.session?.accountId
        ? Check.NO_NEED_TO_PROMPT
        : Check.REQUEST_PROMPT;
    }),
  );
  policy
    .get('consent')
    ?.checks.add(
      new Check('every_time', 'Consent is needed', 'consent_required', ({ oidc }) =>
        oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    );
  return policy;
}

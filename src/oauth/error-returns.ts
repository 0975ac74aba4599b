import type { KoaContextWithOIDC, default as OidcProvider } from 'oidc-provider';
import { redirectTarget } from './redirects.ts';

export interface ErrorOptions {
  /** The account of the session in these cookies. */
  signedInAccount: (cookieHeader: string | undefined) => Promise<string | null>;
  /** Whether the account has a grant of the client. */
  isConnected: (accountId: string, clientId: string) => Promise<boolean>;
  /** The page that shows why a request of an assistant cannot be answered, and where the browser is not sent. */
  errorPage: (
    error: string,
    description: string,
    host: string | null,
  ) => { headers: Readonly<Record<string, string>>; body: string };
}

interface Fault {
  error: string;
  error_description?: string | undefined;
}

/** Requests whose error is shown here. */
const shown = new WeakSet<KoaContextWithOIDC>();

/** Shows an error on our own page; `host` is where the browser is not sent. */
export function showError(
  context: KoaContextWithOIDC,
  { errorPage }: ErrorOptions,
  { error, error_description: description = '' }: Fault,
  host: string | null,
): void {
  const { headers, body } = errorPage(error, description, host);
  shown.add(context);
  context.remove('location');
  context.set({ ...headers });
  context.body = body;
}

/**
 * Anybody can register a client, so an error that is returned to it would send any visitor to any address. Only people
 * who know the client are sent there: who have connected it, or have just decided about it on the consent page.
 */
export function keepErrorsHere(provider: OidcProvider, options: ErrorOptions): void {
  const failed = new WeakMap<KoaContextWithOIDC, Fault>();
  provider.on('authorization.error', (context, error) => failed.set(context, error));
  provider.use(async (anyContext, next) => {
    await next();
    const context = anyContext as KoaContextWithOIDC;
    const fault = failed.get(context);
    if (!fault || shown.has(context) || (await isKnownToUser(context, options))) return;
    const redirectUri = context.oidc.params?.redirect_uri;
    context.status = 400;
    showError(
      context,
      options,
      fault,
      typeof redirectUri === 'string' ? redirectTarget(redirectUri).host : null,
    );
  });
}

async function isKnownToUser(
  { req, oidc }: KoaContextWithOIDC,
  { signedInAccount, isConnected }: ErrorOptions,
): Promise<boolean> {
  // Only the consent page sets these results; a sign-in alone is no decision about the client.
  const { error, consent } = oidc.entities.Interaction?.result ?? {};
  if (error !== undefined || consent !== undefined) return true;
  const clientId = oidc.client?.clientId;
  const accountId = await signedInAccount(req.headers.cookie);
  return accountId !== null && clientId !== undefined && (await isConnected(accountId, clientId));
}

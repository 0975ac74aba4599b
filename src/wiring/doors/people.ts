import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Caller } from '../../accounts/keys/directory.ts';
import { KEY_START } from '../../accounts/keys/key-text.ts';
import { openDevices } from '../../accounts/people/devices.ts';
import { createMailer, type Mailer, mailFolder } from '../../accounts/people/mail.ts';
import { openMailTokens } from '../../accounts/people/mail-tokens.ts';
import { COOKIE_SECRET, openSessions, type Sessions } from '../../accounts/people/sessions.ts';
import { openUsers, type Users } from '../../accounts/people/users.ts';
import { SCOPES } from '../../accounts/scopes.ts';
import { tokenHash } from '../../accounts/secrets.ts';
import { readKeyUsage } from '../../accounts/usage/rows.ts';
import { openVault, type Vault } from '../../accounts/vault/vault.ts';
import type { Clock } from '../../base/clock.ts';
import type { GuardedFetch } from '../../base/http/guarded-fetch.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { credentialIn } from '../../doors/http/credential.ts';
import type { FindGrant } from '../../doors/mcp/credentials.ts';
import { oauthErrorPage } from '../../doors/web/sign-in/oauth-error.ts';
import type { PeopleOptions } from '../../doors/web/sign-in/people-options.ts';
import { openVisits, type Visits } from '../../doors/web/sign-in/visits.ts';
import { type AuthorizationServer, openAuthorizationServer } from '../../oauth/authorization-server.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import { keySourceOf } from '../key-source.ts';
import type { Part, PartContext } from '../part.ts';

/** The first answers after a start should not wait for a library that they do not need. */
const LOAD_LIBRARY_AFTER_MS = 5 * SECOND_MS;
/** Strangers can cause records that last an hour: mailed links, requests of assistants. */
const SWEEP_EVERY_MS = 10 * MINUTE_MS;
/** Sessions and tokens whose account is remembered; some 3 MB. */
const MOST_SEEN = 10_000;

export interface People extends Part {
  accounts: Accounts;
  users: Users;
  sessions: Sessions;
  keyUsage: PeopleOptions['keyUsage'];
  clock: Clock;
  mailer: Mailer;
  visits: Visits;
  authorization: AuthorizationServer;
  vault: Vault;
  findGrant: FindGrant;
  /** Looks up the account of a page request. Afterwards `signedIn` returns it synchronously. */
  recognise(request: FastifyRequest): Promise<void>;
  signedIn(request: FastifyRequest): { caller: Caller; email: string } | null;
  /** Names the key of a call, or the account whose session or access token was seen before; null for a stranger. */
  accountOf(headers: IncomingHttpHeaders, isForPrograms: boolean): string | null;
  /** Deletes expired sessions and tokens, old entries of the security log, and OAuth clients without use. */
  sweep(): Promise<void>;
}

/** Users, their sessions, and the assistants that they have connected. */
export async function peoplePart(
  context: Pick<PartContext, 'storage' | 'clock' | 'log' | 'settings'> & { baseUrl: string },
  accounts: Accounts,
  fetchMetadata: GuardedFetch,
): Promise<People> {
  const { storage, clock, log, settings, baseUrl } = context;
  const vault = await openVault({ storage, clock, log, source: keySourceOf(settings) });
  const ring = await vault.ring(COOKIE_SECRET);
  const sessions = openSessions(storage.db, clock, ring);
  const tokens = openMailTokens(storage.db, clock);
  const mailer = createMailer({
    smtpUrl: settings.smtpUrl,
    from: settings.mailFrom,
    folder: mailFolder(settings.dataDir),
    clock,
    log,
  });
  const { limitAttempts } = accounts;
  const visits = openVisits({ sessions, ring, vault, limitAttempts, clock, baseUrl });
  const authorization = await openAuthorizationServer({
    storage,
    clock,
    log,
    limitAttempts,
    baseUrl,
    vault,
    isUsable: (accountId) => accounts.callerForGrant(accountId, []) !== null,
    signedInAccount: async (cookies) => (await visits.signedIn(cookies))?.accountId ?? null,
    errorPage: oauthErrorPage,
    fetch: fetchMetadata,
  });
  const users = openUsers({
    storage,
    clock,
    accounts: accounts.accounts,
    keys: accounts.keys,
    endGrants: (accountId) => authorization.connections.endAll(accountId),
    limitAttempts,
    sessions,
    devices: openDevices(clock, ring),
    tokens,
    mailer,
    baseUrl,
    securityLog: accounts.securityLog,
  });
  // Who a session or token belongs to is found in the database. By their hash, and only of those that were valid.
  const accountsSeen = new LRUCache<string, string>({ max: MOST_SEEN });
  const known = new WeakMap<FastifyRequest, { caller: Caller; email: string }>();
  const sweep = async () => {
    await sessions.sweep();
    await tokens.sweep();
    await accounts.securityLog.sweep(settings.securityLogDays);
    await authorization.connections.sweep();
  };
  let task: RepeatingTask | null = null;
  const stopping = new AbortController();
  const loadLibrary = async () => {
    await clock.sleep(LOAD_LIBRARY_AFTER_MS, stopping.signal);
    if (!stopping.signal.aborted) await authorization.load();
  };
  vault.keepFresh();

  return {
    accounts,
    users,
    sessions,
    keyUsage: (keyId, span, fromMs, toMs) => readKeyUsage(storage.db, keyId, span, fromMs, toMs),
    clock,
    mailer,
    visits,
    authorization,
    vault,
    sweep,
    findGrant: async (token) => {
      const found = await authorization.connections.findToken(token);
      if (typeof found === 'string') return found;
      const { accountId, scopes } = found;
      if (accounts.isSuspended(accountId)) return 'suspended';
      accountsSeen.set(tokenHash(token), accountId);
      return accounts.callerForGrant(accountId, scopes) ?? 'unknown';
    },
    recognise: async (request) => {
      const account = await visits.signedIn(request.headers.cookie).catch((error: unknown) => {
        // While the database is unavailable, pages are served as to a visitor who is not signed in.
        if (isStorageUnavailable(error)) return null;
        throw error;
      });
      const caller = account && accounts.callerForGrant(account.accountId, SCOPES);
      if (!caller) return;
      known.set(request, { caller, email: account.email ?? account.name });
      const session = visits.sessionCookie(request.headers.cookie);
      if (session !== null) accountsSeen.set(tokenHash(session), account.accountId);
    },
    accountOf: (headers, isForPrograms) => {
      const secret = isForPrograms ? credentialIn(headers) : visits.sessionCookie(headers.cookie);
      if (secret === null) return null;
      const key = isForPrograms && secret.startsWith(KEY_START) ? accounts.authenticate(secret) : null;
      if (key?.ok) return key.caller.keyId;
      return accountsSeen.size === 0 ? null : (accountsSeen.get(tokenHash(secret)) ?? null);
    },
    signedIn: (request) => known.get(request) ?? null,
    start: () => {
      loadLibrary().catch((error: unknown) =>
        log.error({ err: error }, 'the authorization server cannot start'),
      );
      task = startRepeatingTask({
        name: 'delete expired sessions and unused clients',
        everyMs: SWEEP_EVERY_MS,
        clock,
        log,
        run: async () => {
          await sweep();
          return undefined;
        },
      });
    },
    stop: async () => {
      stopping.abort();
      await task?.stop();
      await vault.close();
      await mailer.close();
    },
  };
}

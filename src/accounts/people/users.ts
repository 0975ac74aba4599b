import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AccountStore } from '../account-store.ts';
import { AccountsError } from '../accounts-error.ts';
import { type Attempts, type LimitAttempts, refundAll, takeAll } from '../attempts/memory.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { addressGroup } from '../keys/rejected-keys.ts';
import { OWNER, type SecurityLog } from '../security-log.ts';
import type { Devices } from './devices.ts';
import { checkEmail, normalEmail } from './email.ts';
import type { Mailer } from './mail.ts';
import type { MailTokens } from './mail-tokens.ts';
import { openMailedLinks, tooMany } from './mailed-links.ts';
import { checkPassword, hashPassword, isRightPassword } from './passwords.ts';
import type { Sessions } from './sessions.ts';

interface UsersOptions {
  storage: Storage;
  clock: Clock;
  accounts: AccountStore;
  keys: KeyStore;
  /** Ends the connections of all assistants of the account. */
  endGrants: (accountId: string) => Promise<void>;
  limitAttempts: LimitAttempts;
  sessions: Sessions;
  devices: Devices;
  tokens: MailTokens;
  mailer: Mailer;
  baseUrl: string;
  securityLog: SecurityLog;
}

/** The values of the cookies that a browser gets at sign-in. */
export interface NewSession {
  sessionCookie: string;
  deviceCookie: string;
}

interface Credentials {
  accountId: string;
  passwordHash: string;
}

/** Sign-up, sign-in and passwords. No result reveals whether an e-mail address has an account. */
export interface Users {
  /** Sends a link to the address. The account is created when the link is opened. */
  signUp(email: string, password: string, address: string, returnPath: string | null): Promise<void>;
  /** Creates the account of a sign-up link if the password is right; returns a new session. */
  finishSignUp(token: string, password: string): Promise<NewSession & { returnPath: string | null }>;
  /** `deviceCookie`: of an earlier sign-in in this browser with the present password. Its wrong passwords are counted apart. */
  signIn(email: string, password: string, address: string, deviceCookie: string | null): Promise<NewSession>;
  /** Ends all sessions, known devices and connections of assistants; `isRevokingKeys` revokes the API keys too. */
  changePassword(
    accountId: string,
    current: string,
    next: string,
    isRevokingKeys: boolean,
  ): Promise<NewSession>;
  requestReset(email: string, address: string): Promise<void>;
  /** Returns the device cookie: who opened the mailed link can sign in whatever strangers have tried. */
  resetPassword(token: string, password: string, isRevokingKeys: boolean): Promise<string>;
  /** For operators and the demo; sends no mail. */
  setPassword(accountId: string, password: string): Promise<void>;
}

const WRONG = 'The e-mail address or the password is wrong';
const STALE_LINK = 'This link was used already, is too old, or is not complete. Ask for a new one';
/** Limits of wrong passwords on a known device, and elsewhere per IP address and account, per IP address, per account. */
const DEVICE_RULES = { most: 10, withinMs: 15 * MINUTE_MS };
const PAIR_RULES = { most: 10, withinMs: 15 * MINUTE_MS };
const ADDRESS_RULES = { most: 50, withinMs: 15 * MINUTE_MS };
const ACCOUNT_RULES = { most: 100, withinMs: 15 * MINUTE_MS };
const SUSPENDED = 'This account is suspended; ask the operator of this service';
const FORGOTTEN = 'To choose a new password for Perpwire:';
const KNOWN =
  'Somebody signed up for Perpwire with this address, which has an account already. To choose a new password:';

export function openUsers(options: UsersOptions): Users {
  const { storage, clock, accounts, keys, endGrants, limitAttempts, sessions, devices, tokens } = options;
  const { securityLog } = options;
  const { db } = storage;
  const byDevice = limitAttempts('password-device', DEVICE_RULES);
  const byLink = limitAttempts('password-link', DEVICE_RULES);
  const byPair = limitAttempts('password-pair', PAIR_RULES);
  const byAddress = limitAttempts('password-address', ADDRESS_RULES);
  const byAccount = limitAttempts('password-account', ACCOUNT_RULES);
  const links = openMailedLinks(options);

  /** Returns the stored hash. */
  const setPassword = async (accountId: string, password: string): Promise<string> => {
    const passwordHash = await hashPassword(checkPassword(password));
    const columns = { password_hash: passwordHash, changed_at_ms: clock.nowMs() };
    await db
      .insertInto('user_passwords')
      .values({ account_id: accountId, ...columns })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
      .execute();
    // Whoever knew the old password, or holds a link, must not get in any more.
    await sessions.endAll(accountId);
    await endGrants(accountId);
    const account = await accounts.find(accountId);
    if (account?.email) await tokens.endAll(account.email);
    return passwordHash;
  };

  /** The account and the stored hash of an address; undefined if it has none. */
  const credentialsOf = (email: string) =>
    db
      .selectFrom('user_passwords')
      .innerJoin('accounts', 'accounts.id', 'user_passwords.account_id')
      .select(['accounts.id as accountId', 'user_passwords.password_hash as passwordHash'])
      .where('accounts.email', '=', email)
      .executeTakeFirst();

  const revokeKeys = async (accountId: string): Promise<void> => {
    for (const key of await keys.list(accountId)) {
      if (key.state === 'revoked') continue;
      await keys.revoke(key.id);
      await securityLog.note(OWNER, 'key-revoked', accountId, `${key.name} (${key.keyPrefix}…)`);
    }
  };

  /**
   * The limits of a password attempt. A known device has one of its own, so that the wrong passwords of strangers cannot
   * lock the owner out.
   */
  const limitsOf = (email: string, address: string, device: string | null): [Attempts, string][] => {
    if (device !== null) return [[byDevice, `${device} ${email}`]];
    const place = addressGroup(address);
    return [
      [byPair, `${place} ${email}`],
      [byAddress, place],
      [byAccount, email],
    ];
  };

  /** Counts the attempt before it hashes, so that parallel guesses cannot exceed the limit. */
  const proveIdentity = async (
    credentials: Credentials | undefined,
    password: string,
    limits: readonly [Attempts, string][],
  ): Promise<Credentials> => {
    const wait = await takeAll(limits);
    if (wait !== null) throw tooMany(wait);
    const isRight = await withRefundIfBusy(limits, () =>
      isRightPassword(password, credentials?.passwordHash ?? null),
    );
    if (!isRight || !credentials) throw new AccountsError('wrong-password', WRONG);
    const [own, ...shared] = limits;
    await own?.[0].forget(own[1]);
    await refundAll(shared);
    return credentials;
  };

  const startSession = async (
    { accountId, passwordHash }: Credentials,
    email: string,
  ): Promise<NewSession> => {
    if ((await accounts.find(accountId))?.suspendedAtMs !== null)
      throw new AccountsError('suspended', SUSPENDED);
    const sessionCookie = await sessions.start(accountId);
    // A new password that was set while this one was checked may have ended the sessions before this one began.
    if ((await credentialsOf(email))?.passwordHash !== passwordHash) {
      await sessions.end(sessionCookie);
      throw new AccountsError('wrong-password', WRONG);
    }
    return { sessionCookie, deviceCookie: devices.issue(email, passwordHash) };
  };

  return {
    setPassword: async (accountId, password) => {
      await setPassword(accountId, password);
    },
    signUp: async (email, password, address, returnPath) => {
      const to = checkEmail(email);
      checkPassword(password);
      // Before hashing, which is the expensive part.
      await links.count(address);
      const passwordHash = await hashPassword(password);
      if (await accounts.find(to))
        await links.sendReset(to, true, 'You already have a Perpwire account', KNOWN);
      else await links.sendSignUp(to, passwordHash, returnPath);
    },
    finishSignUp: async (token, password) => {
      const pending = await tokens.peek('sign-up', token);
      if (!pending) throw new AccountsError('stale-link', STALE_LINK);
      const limits: [Attempts, string][] = [[byLink, token]];
      const wait = await takeAll(limits);
      if (wait !== null) throw tooMany(wait);
      if (!(await withRefundIfBusy(limits, () => isRightPassword(password, pending.password_hash)))) {
        throw new AccountsError('wrong-password', 'This is not the password that was chosen when signing up');
      }
      const taken = await tokens.take('sign-up', token);
      if (!taken) throw new AccountsError('stale-link', STALE_LINK);
      const account = await accounts.create({
        name: taken.email.split('@')[0] || taken.email,
        email: taken.email,
      });
      const passwordHash = await setPassword(account.id, password);
      await securityLog.note(OWNER, 'account-created', account.id);
      const session = await startSession({ accountId: account.id, passwordHash }, taken.email);
      return { ...session, returnPath: taken.return_path };
    },
    signIn: async (typedEmail, password, address, deviceCookie) => {
      const email = normalEmail(typedEmail);
      const found = await credentialsOf(email);
      // Without an account too, for the same work; no cookie is issued for an empty hash.
      const device = devices.nameOf(deviceCookie, email, found?.passwordHash ?? '');
      const credentials = await proveIdentity(found, password, limitsOf(email, address, device));
      const session = await startSession(credentials, email);
      const browser = device === null ? 'from a new browser' : 'from a browser used before';
      await securityLog.note(OWNER, 'sign-in', credentials.accountId, browser);
      return session;
    },
    changePassword: async (accountId, current, next, isRevokingKeys) => {
      const email = (await accounts.find(accountId))?.email ?? '';
      checkPassword(next);
      // Only a browser that is signed in gets here, so strangers cannot use this limit up.
      await proveIdentity(await credentialsOf(email), current, limitsOf(email, '', accountId));
      const passwordHash = await setPassword(accountId, next);
      await securityLog.note(OWNER, 'password-changed', accountId);
      if (isRevokingKeys) await revokeKeys(accountId);
      return await startSession({ accountId, passwordHash }, email);
    },
    requestReset: async (email, address) => {
      const to = checkEmail(email);
      await links.count(address);
      const hasAccount = (await accounts.find(to)) !== null;
      await links.sendReset(to, hasAccount, 'Choose a new password', FORGOTTEN);
    },
    resetPassword: async (token, password, isRevokingKeys) => {
      checkPassword(password);
      const taken = await tokens.take('reset', token);
      const account = taken ? await accounts.find(taken.email) : null;
      if (!taken || !account) throw new AccountsError('stale-link', STALE_LINK);
      const passwordHash = await setPassword(account.id, password);
      await securityLog.note(OWNER, 'password-reset', account.id);
      if (isRevokingKeys) await revokeKeys(account.id);
      return devices.issue(taken.email, passwordHash);
    },
  };
}

/** An attempt whose password was not checked, because too many hashes were waiting, does not count. */
async function withRefundIfBusy<Result>(
  limits: readonly [Attempts, string][],
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    await refundAll(limits);
    throw error;
  }
}

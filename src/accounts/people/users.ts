import type { Clock } from '../../base/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { Storage } from '../../storage/storage.ts';
import { type AccountStore, checkEmail } from '../account-store.ts';
import { AccountsError } from '../accounts-error.ts';
import type { LimitAttempts } from '../attempts/memory.ts';
import { addressGroup } from '../keys/rejected-keys.ts';
import type { Mailer } from './mail.ts';
import type { MailTokens } from './mail-tokens.ts';
import { checkPassword, hashPassword, isRightPassword } from './passwords.ts';
import type { Sessions } from './sessions.ts';

export interface UsersOptions {
  storage: Storage;
  clock: Clock;
  accounts: AccountStore;
  limitAttempts: LimitAttempts;
  sessions: Sessions;
  tokens: MailTokens;
  mailer: Mailer;
  baseUrl: string;
}

/** Sign-up, sign-in and passwords. No result reveals whether an e-mail address has an account. */
export interface Users {
  /** Sends a link to the address. The account is created when the link is opened. */
  signUp(email: string, password: string, address: string, returnPath: string | null): Promise<void>;
  /** Creates the account of a sign-up link if the password is right; returns the cookie of a new session. */
  finishSignUp(token: string, password: string): Promise<{ cookie: string; returnPath: string | null }>;
  /** Returns the cookie of a new session. */
  signIn(email: string, password: string, address: string): Promise<string>;
  changePassword(accountId: string, current: string, next: string, address: string): Promise<string>;
  requestReset(email: string, address: string): Promise<void>;
  resetPassword(token: string, password: string): Promise<void>;
  /** For operators and the demo; sends no mail. */
  setPassword(accountId: string, password: string): Promise<void>;
}

const WRONG = 'The e-mail address or the password is wrong';
const STALE_LINK = 'This link was used already, is too old, or is not complete. Ask for a new one';
/** Limits of wrong passwords: per IP address and account, per IP address, and per account. */
const PAIR_RULES = { most: 10, withinMs: 15 * MINUTE_MS };
const ADDRESS_RULES = { most: 50, withinMs: 15 * MINUTE_MS };
const ACCOUNT_RULES = { most: 100, withinMs: 15 * MINUTE_MS };
/** Limits of mails: per IP address that causes them, and per recipient. */
const MAIL_PER_ADDRESS = { most: 20, withinMs: HOUR_MS };
const MAIL_PER_PERSON = { most: 5, withinMs: HOUR_MS };

export function openUsers(options: UsersOptions): Users {
  const { storage, clock, accounts, limitAttempts, sessions, tokens, mailer, baseUrl } = options;
  const { db } = storage;
  const byPair = limitAttempts('password-pair', PAIR_RULES);
  const byAddress = limitAttempts('password-address', ADDRESS_RULES);
  const byAccount = limitAttempts('password-account', ACCOUNT_RULES);
  const mailsByAddress = limitAttempts('mail-address', MAIL_PER_ADDRESS);
  const mailsByPerson = limitAttempts('mail-person', MAIL_PER_PERSON);

  const setPassword = async (accountId: string, password: string): Promise<void> => {
    const columns = {
      password_hash: await hashPassword(checkPassword(password)),
      changed_at_ms: clock.nowMs(),
    };
    await db
      .insertInto('user_passwords')
      .values({ account_id: accountId, ...columns })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
      .execute();
    await sessions.endAll(accountId);
  };

  /** Refuses an address with too many wrong passwords before it checks the password. */
  const proveIdentity = async (email: string, password: string, address: string): Promise<string> => {
    const place = addressGroup(address);
    const limits = [
      [byPair, `${place} ${email}`],
      [byAddress, place],
      [byAccount, email],
    ] as const;
    const waits = await Promise.all(limits.map(([limit, name]) => limit.waitSeconds(name)));
    const longest = Math.max(...waits.map((wait) => wait ?? 0));
    if (longest > 0) throw tooMany(longest);
    const row = await db
      .selectFrom('user_passwords')
      .innerJoin('accounts', 'accounts.id', 'user_passwords.account_id')
      .select(['accounts.id', 'user_passwords.password_hash'])
      .where('accounts.email', '=', email)
      .executeTakeFirst();
    if ((await isRightPassword(password, row?.password_hash ?? null)) && row) {
      await byPair.forget(`${place} ${email}`);
      return row.id;
    }
    await Promise.all(limits.map(([limit, name]) => limit.note(name)));
    throw new AccountsError('wrong-password', WRONG);
  };

  const countMail = async (address: string): Promise<void> => {
    const wait = await mailsByAddress.take(addressGroup(address));
    if (wait !== null) throw tooMany(wait);
  };

  const sendLink = async (email: string, subject: string, text: () => Promise<string>) => {
    // No error, because it would reveal that a mail to this address was requested before.
    if ((await mailsByPerson.take(email)) !== null) return;
    mailer.send({ to: email, subject, text: await text() });
  };

  const resetText = async (email: string, first: string): Promise<string> => {
    const token = await tokens.issue({ purpose: 'reset', email, password_hash: null, return_path: null });
    return `${first}\n\n${baseUrl}/reset-password?token=${token}\n\nThe link works once, within an hour. If you did not ask for it, do nothing.`;
  };

  return {
    setPassword,
    signUp: async (email, password, address, returnPath) => {
      const to = checkEmail(email);
      checkPassword(password);
      // Before hashing, which is the expensive part.
      await countMail(address);
      const passwordHash = await hashPassword(password);
      const known = await accounts.find(to);
      await sendLink(to, known ? 'You already have a Perpwire account' : 'Confirm your address', () =>
        known
          ? resetText(
              to,
              'Somebody signed up for Perpwire with this address, which has an account already. To choose a new password:',
            )
          : tokens
              .issue({
                purpose: 'sign-up',
                email: to,
                password_hash: passwordHash,
                return_path: returnPath,
              })
              .then(
                (token) =>
                  `To finish signing up for Perpwire, open this link and enter the password you chose:\n\n${baseUrl}/verify-email?token=${token}\n\nThe link works once, within an hour. If you did not sign up, do nothing: without the password nothing happens.`,
              ),
      );
    },
    finishSignUp: async (token, password) => {
      const pending = await tokens.peek('sign-up', token);
      if (!pending) throw new AccountsError('stale-link', STALE_LINK);
      const wait = await byAccount.waitSeconds(pending.email);
      if (wait !== null) throw tooMany(wait);
      if (!(await isRightPassword(password, pending.password_hash))) {
        await byAccount.note(pending.email);
        throw new AccountsError('wrong-password', 'This is not the password that was chosen when signing up');
      }
      const taken = await tokens.take('sign-up', token);
      if (!taken) throw new AccountsError('stale-link', STALE_LINK);
      const account = await accounts.create({
        name: taken.email.split('@')[0] || taken.email,
        email: taken.email,
      });
      await setPassword(account.id, password);
      return { cookie: await sessions.start(account.id), returnPath: taken.return_path };
    },
    signIn: async (email, password, address) =>
      await sessions.start(await proveIdentity(email.trim().toLowerCase(), password, address)),
    changePassword: async (accountId, current, next, address) => {
      const account = await accounts.find(accountId);
      checkPassword(next);
      await proveIdentity(account?.email ?? '', current, address);
      await setPassword(accountId, next);
      return await sessions.start(accountId);
    },
    requestReset: async (email, address) => {
      const to = checkEmail(email);
      await countMail(address);
      const known = await accounts.find(to);
      if (!known) return;
      await sendLink(to, 'Choose a new password', () =>
        resetText(to, 'To choose a new password for Perpwire:'),
      );
    },
    resetPassword: async (token, password) => {
      checkPassword(password);
      const taken = await tokens.take('reset', token);
      const account = taken ? await accounts.find(taken.email) : null;
      if (!account) throw new AccountsError('stale-link', STALE_LINK);
      await setPassword(account.id, password);
    },
  };
}

function tooMany(waitSeconds: number): AccountsError {
  const minutes = Math.ceil(waitSeconds / 60);
  return new AccountsError(
    'too-many-attempts',
    `Too many attempts; try again in ${minutes} min`,
    waitSeconds,
  );
}

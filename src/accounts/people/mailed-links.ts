import { HOUR_MS } from '../../base/times.ts';
import { AccountsError } from '../accounts-error.ts';
import type { LimitAttempts } from '../attempts/memory.ts';
import { addressGroup } from '../keys/rejected-keys.ts';
import type { Mailer } from './mail.ts';
import type { MailTokens } from './mail-tokens.ts';

interface MailedLinksOptions {
  limitAttempts: LimitAttempts;
  tokens: MailTokens;
  mailer: Mailer;
  baseUrl: string;
}

/** Links that are sent by mail, and the limits of these mails. */
interface MailedLinks {
  /** Counts a mail that this IP address requests. Throws beyond the limit. */
  count(address: string): Promise<void>;
  sendSignUp(email: string, passwordHash: string, returnPath: string | null): Promise<void>;
  /** Sends nothing if the address has no account, but does the same work, so that timing does not reveal it. */
  sendReset(email: string, hasAccount: boolean, subject: string, reason: string): Promise<void>;
}

/** Limits of mails: per IP address that causes them, and per recipient. */
const MAIL_PER_ADDRESS = { most: 20, withinMs: HOUR_MS };
const MAIL_PER_PERSON = { most: 5, withinMs: HOUR_MS };

export function openMailedLinks({ limitAttempts, tokens, mailer, baseUrl }: MailedLinksOptions): MailedLinks {
  const byAddress = limitAttempts('mail-address', MAIL_PER_ADDRESS);
  const byPerson = limitAttempts('mail-person', MAIL_PER_PERSON);
  // Beyond this limit there is no error, because it would reveal that a mail to this address was requested before.
  const isAllowed = async (email: string) => (await byPerson.take(email)) === null;
  return {
    count: async (address) => {
      const wait = await byAddress.take(addressGroup(address));
      if (wait !== null) throw tooMany(wait);
    },
    sendSignUp: async (email, passwordHash, returnPath) => {
      if (!(await isAllowed(email))) return;
      const token = await tokens.issue({
        purpose: 'sign-up',
        email,
        password_hash: passwordHash,
        return_path: returnPath,
      });
      mailer.send({
        to: email,
        subject: 'Confirm your address',
        text: `To finish signing up for Perpwire, open this link and enter the password you chose:\n\n${baseUrl}/verify-email?token=${token}\n\nThe link works once, within an hour. If you did not sign up, do nothing: without the password nothing happens.`,
      });
    },
    sendReset: async (email, hasAccount, subject, reason) => {
      if (!(await isAllowed(email))) return;
      const token = await tokens.issue({ purpose: 'reset', email, password_hash: null, return_path: null });
      if (!hasAccount) return;
      mailer.send({
        to: email,
        subject,
        text: `${reason}\n\n${baseUrl}/reset-password?token=${token}\n\nThe link works once, within an hour, and only until you ask for another. If you did not ask for it, do nothing.`,
      });
    },
  };
}

export function tooMany(waitSeconds: number): AccountsError {
  const minutes = Math.ceil(waitSeconds / 60);
  return new AccountsError(
    'too-many-attempts',
    `Too many attempts; try again in ${minutes} min`,
    waitSeconds,
  );
}

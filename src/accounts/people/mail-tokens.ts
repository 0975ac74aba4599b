import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { MailTokensTable } from '../../storage/migrations/0020-users.ts';
import type { Schema } from '../../storage/schema.ts';
import { randomToken, tokenHash } from '../secrets.ts';

const LINK_LIFETIME_MS = HOUR_MS;

type MailToken = Omit<Selectable<MailTokensTable>, 'hash' | 'expires_at_ms'>;

/** One-time links that verify an e-mail address. */
export interface MailTokens {
  /** Every older reset link of the address stops working. */
  issue(token: MailToken): Promise<string>;
  /** Reads the token without using it. */
  peek(purpose: MailToken['purpose'], token: string): Promise<MailToken | null>;
  /** Uses the token. Of two concurrent calls one gets it. */
  take(purpose: MailToken['purpose'], token: string): Promise<MailToken | null>;
  /** Ends all links of the address. */
  endAll(email: string): Promise<void>;
  sweep(): Promise<void>;
}

export function openMailTokens(db: Kysely<Schema>, clock: Clock): MailTokens {
  const ifFresh = (row: Selectable<MailTokensTable> | undefined): MailToken | null => {
    if (!row || row.expires_at_ms <= clock.nowMs()) return null;
    const { hash: _hash, expires_at_ms: _expiry, ...token } = row;
    return token;
  };
  return {
    issue: async (token) => {
      const text = randomToken();
      const expiresAtMs = clock.nowMs() + LINK_LIFETIME_MS;
      await db.transaction().execute(async (trx) => {
        // Sign-up links stay: a stranger who signs up with the same address must not end the owner's link.
        await trx
          .deleteFrom('mail_tokens')
          .where('email', '=', token.email)
          .where('purpose', '=', 'reset')
          .execute();
        await trx
          .insertInto('mail_tokens')
          .values({ ...token, hash: tokenHash(text), expires_at_ms: expiresAtMs })
          .execute();
      });
      return text;
    },
    peek: async (purpose, token) =>
      ifFresh(
        await db
          .selectFrom('mail_tokens')
          .selectAll()
          .where('hash', '=', tokenHash(token))
          .where('purpose', '=', purpose)
          .executeTakeFirst(),
      ),
    take: async (purpose, token) =>
      ifFresh(
        await db
          .deleteFrom('mail_tokens')
          .where('hash', '=', tokenHash(token))
          .where('purpose', '=', purpose)
          .returningAll()
          .executeTakeFirst(),
      ),
    endAll: async (email) => {
      await db.deleteFrom('mail_tokens').where('email', '=', email).execute();
    },
    sweep: async () => {
      await db.deleteFrom('mail_tokens').where('expires_at_ms', '<=', clock.nowMs()).execute();
    },
  };
}

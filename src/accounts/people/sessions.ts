import '../../storage/migrations/0098-session-browsers.ts';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import type { Schema } from '../../storage/schema.ts';
import { isSigned, randomToken, sign, tokenHash } from '../secrets.ts';
import { type Ring, type RingKind, randomSecret } from '../vault/ring.ts';
import { DEVICE_LIFETIME_MS } from './devices.ts';

export const SESSION_LIFETIME_MS = 14 * DAY_MS;

/** Signs the cookies of sessions and devices, and the tokens of forms. Devices last longest. */
export const COOKIE_SECRET: RingKind = {
  name: 'cookies',
  create: randomSecret,
  lifetimeMs: DEVICE_LIFETIME_MS,
};

export interface SignedIn {
  accountId: string;
  name: string;
  email: string | null;
}

export interface SessionRecord {
  /** The stored hash. It identifies the session, and the cookie cannot be derived from it. */
  id: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** In words; null if unknown. */
  browser: string | null;
  /** To a few minutes. */
  lastUsedAtMs: number;
}

/** The last use is written at most this often, because every page of a signed-in user is one. */
const LAST_USE_MS = 5 * MINUTE_MS;

/** Sessions in browsers. A cookie holds a token and our signature; only the hash of the token is stored. */
export interface Sessions {
  /** Creates a session; returns the value of its cookie. */
  start(accountId: string): Promise<string>;
  find(cookie: string): Promise<SignedIn | null>;
  /** Stores in which browser the session is, in words. */
  noteBrowser(cookie: string, browser: string | null): Promise<void>;
  end(cookie: string): Promise<void>;
  endAll(accountId: string): Promise<void>;
  /** Active sessions, newest first. */
  list(accountId: string): Promise<SessionRecord[]>;
  /** Ends the session with the id if it belongs to the account. */
  endOne(accountId: string, id: string): Promise<void>;
  /** The id of the cookie's session; null if the signature is wrong. */
  idOf(cookie: string): string | null;
  sweep(): Promise<void>;
}

type FoundSession = Pick<Selectable<Schema['accounts']>, 'id' | 'name' | 'email'> &
  Pick<Selectable<Schema['user_sessions']>, 'created_at_ms' | 'last_used_at_ms'>;

export function openSessions(db: Kysely<Schema>, clock: Clock, ring: Ring): Sessions {
  /** Null if the signature is wrong: such a cookie needs no lookup. */
  const tokenOf = (cookie: string): string | null => {
    const [token = '', signature = ''] = cookie.split('.');
    return isSigned(ring.all(), token, signature) ? token : null;
  };
  // Runs for every page of a signed-in visitor, so the query is compiled once.
  const finding = db
    .selectFrom('user_sessions')
    .innerJoin('accounts', 'accounts.id', 'user_sessions.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email'])
    .select(['user_sessions.created_at_ms', 'user_sessions.last_used_at_ms'])
    .where('user_sessions.hash', '=', '')
    .where('user_sessions.expires_at_ms', '>', 0)
    .where('accounts.suspended_at_ms', 'is', null)
    .compile();
  return {
    start: async (accountId) => {
      const token = randomToken();
      const nowMs = clock.nowMs();
      await db
        .insertInto('user_sessions')
        .values({
          hash: tokenHash(token),
          account_id: accountId,
          created_at_ms: nowMs,
          expires_at_ms: nowMs + SESSION_LIFETIME_MS,
        })
        .execute();
      return `${token}.${sign(ring.signing(), token)}`;
    },
    find: async (cookie) => {
      const token = tokenOf(cookie);
      if (token === null) return null;
      const [hash, nowMs] = [tokenHash(token), clock.nowMs()];
      const { rows } = await db.executeQuery<FoundSession>({ ...finding, parameters: [hash, nowMs] });
      const [row] = rows;
      if (row && nowMs - (row.last_used_at_ms ?? row.created_at_ms) >= LAST_USE_MS)
        await db
          .updateTable('user_sessions')
          .set({ last_used_at_ms: nowMs })
          .where('hash', '=', hash)
          .execute();
      return row ? { accountId: row.id, name: row.name, email: row.email } : null;
    },
    noteBrowser: async (cookie, browser) => {
      const token = tokenOf(cookie);
      if (token === null) return;
      await db.updateTable('user_sessions').set({ browser }).where('hash', '=', tokenHash(token)).execute();
    },
    end: async (cookie) => {
      const token = tokenOf(cookie);
      if (token !== null) await db.deleteFrom('user_sessions').where('hash', '=', tokenHash(token)).execute();
    },
    endAll: async (accountId) => {
      await db.deleteFrom('user_sessions').where('account_id', '=', accountId).execute();
    },
    list: async (accountId) => {
      const rows = await db
        .selectFrom('user_sessions')
        .select(['hash', 'created_at_ms', 'expires_at_ms', 'browser', 'last_used_at_ms'])
        .where('account_id', '=', accountId)
        .where('expires_at_ms', '>', clock.nowMs())
        .orderBy('created_at_ms', 'desc')
        .orderBy('hash')
        .execute();
      return rows.map((row) => ({
        id: row.hash,
        createdAtMs: row.created_at_ms,
        expiresAtMs: row.expires_at_ms,
        browser: row.browser,
        lastUsedAtMs: row.last_used_at_ms ?? row.created_at_ms,
      }));
    },
    endOne: async (accountId, id) => {
      await db
        .deleteFrom('user_sessions')
        .where('account_id', '=', accountId)
        .where('hash', '=', id)
        .execute();
    },
    idOf: (cookie) => {
      const token = tokenOf(cookie);
      return token === null ? null : tokenHash(token);
    },
    sweep: async () => {
      await db.deleteFrom('user_sessions').where('expires_at_ms', '<=', clock.nowMs()).execute();
    },
  };
}

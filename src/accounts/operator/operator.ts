import '../../storage/migrations/0090-alerts.ts';
import type { Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Account, accountOf, unknownAccount } from '../account-store.ts';
import { AccountsError } from '../accounts-error.ts';
import { type AfterChange, changeDirectory } from '../keys/changes.ts';
import type { Actor, SecurityLog } from '../security-log.ts';

/** What only operators do to an account. Each action is logged and takes effect in all processes within seconds. */
export interface Operator {
  suspend(accountId: string, reason: string | null): Promise<void>;
  unsuspend(accountId: string): Promise<void>;
  /** Return how many there were. */
  endSessions(accountId: string): Promise<number>;
  endGrants(accountId: string): Promise<number>;
  revokeKeys(accountId: string): Promise<number>;
  /** Ends all access and frees the e-mail address. Key names and the security log stay until they are erased or swept. */
  delete(accountId: string): Promise<void>;
  /** Deletes the account, and all that identifies the person. Counts of requests stay, under random ids. */
  erase(accountId: string): Promise<void>;
}

const DELETED = 'deleted account';
const ERASED = 'erased';

export function openOperator(
  storage: Storage,
  clock: Clock,
  log: SecurityLog,
  by: Actor,
  afterChange: AfterChange,
): Operator {
  /** Changes the account's row and, in the same transaction, what belongs to it. */
  const change = (
    accountId: string,
    work: (trx: Transaction<Schema>, account: Account, revision: number) => Promise<void>,
  ) =>
    changeDirectory(storage, afterChange, async (trx, revision) => {
      const row = await trx.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
      if (!row) throw unknownAccount(accountId);
      await trx.updateTable('accounts').set({ revision }).where('id', '=', accountId).execute();
      await work(trx, accountOf(row), revision);
      return { result: undefined, accountId };
    });

  const revokeAll = async (trx: Transaction<Schema>, accountId: string, revision: number) => {
    const { numUpdatedRows } = await trx
      .updateTable('api_keys')
      .set({ revoked_at_ms: clock.nowMs(), revision })
      .where('account_id', '=', accountId)
      .where('revoked_at_ms', 'is', null)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  };

  const endAccess = async (trx: Transaction<Schema>, { id, email }: Account, revision: number) => {
    await revokeAll(trx, id, revision);
    const ofAccount = trx.selectFrom('alert_events').select('event_id').where('account_id', '=', id);
    await trx.deleteFrom('alert_deliveries').where('event_id', 'in', ofAccount).execute();
    for (const table of [
      'user_sessions',
      'user_passwords',
      'oauth_records',
      'telegram_links',
      'alert_rules',
      'alert_endpoints',
      'alert_events',
      'alert_budgets',
    ] as const)
      await trx.deleteFrom(table).where('account_id', '=', id).execute();
    if (email !== null) {
      await trx.deleteFrom('mail_tokens').where('email', '=', email).execute();
      // An assistant can name the address in a request (login_hint), which belongs to no account until it is granted.
      await trx
        .deleteFrom('oauth_records')
        .where('model', '=', 'Interaction')
        .where('payload', 'like', `%${email}%`)
        .execute();
    }
    const nowMs = clock.nowMs();
    await trx
      .updateTable('accounts')
      .set({
        name: DELETED,
        email: null,
        host_tier: null,
        taker_fees: null,
        starred_coins: null,
        order_size_usd: null,
        suspended_at_ms: nowMs,
        deleted_at_ms: nowMs,
      })
      .where('id', '=', id)
      .where('deleted_at_ms', 'is', null)
      .execute();
  };

  return {
    suspend: async (accountId, reason) => {
      await change(accountId, async (trx, account) => {
        if (account.suspendedAtMs !== null)
          throw new AccountsError('suspended', `The account ${accountId} is suspended already`);
        await trx
          .updateTable('accounts')
          .set({ suspended_at_ms: clock.nowMs() })
          .where('id', '=', accountId)
          .execute();
        await trx.deleteFrom('user_sessions').where('account_id', '=', accountId).execute();
      });
      await log.note(by, 'suspended', accountId, reason ?? undefined);
    },
    unsuspend: async (accountId) => {
      await change(accountId, async (trx, account) => {
        if (account.deletedAtMs !== null)
          throw new AccountsError('suspended', `The account ${accountId} is deleted; create a new one`);
        if (account.suspendedAtMs === null)
          throw new AccountsError('suspended', `The account ${accountId} is not suspended`);
        await trx
          .updateTable('accounts')
          .set({ suspended_at_ms: null })
          .where('id', '=', accountId)
          .execute();
      });
      await log.note(by, 'unsuspended', accountId);
    },
    endSessions: async (accountId) => {
      const ended = await storage.db
        .deleteFrom('user_sessions')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      await log.note(by, 'sessions-ended', accountId, `${ended.numDeletedRows} sessions`);
      return Number(ended.numDeletedRows);
    },
    endGrants: async (accountId) => {
      const { db } = storage;
      const grants = await db
        .deleteFrom('oauth_records')
        .where('account_id', '=', accountId)
        .where('model', '=', 'Grant')
        .executeTakeFirst();
      await db.deleteFrom('oauth_records').where('account_id', '=', accountId).execute();
      await log.note(by, 'assistant-disconnected', accountId, `all: ${grants.numDeletedRows} grants`);
      return Number(grants.numDeletedRows);
    },
    revokeKeys: async (accountId) => {
      let revoked = 0;
      await change(accountId, async (trx, _account, revision) => {
        revoked = await revokeAll(trx, accountId, revision);
      });
      await log.note(by, 'key-revoked', accountId, `all: ${revoked} keys`);
      return revoked;
    },
    delete: async (accountId) => {
      await change(accountId, (trx, account, revision) => {
        if (account.deletedAtMs !== null)
          throw new AccountsError('suspended', `The account ${accountId} is deleted already`);
        return endAccess(trx, account, revision);
      });
      await log.note(by, 'deleted', accountId);
    },
    erase: async (accountId) => {
      await change(accountId, async (trx, account, revision) => {
        await endAccess(trx, account, revision);
        await trx
          .updateTable('api_keys')
          .set({ name: ERASED, key_prefix: ERASED, last_used_at_ms: null, revision })
          .where('account_id', '=', accountId)
          .execute();
        await trx.deleteFrom('security_log').where('account_id', '=', accountId).execute();
      });
      await log.note(by, 'erased', accountId);
    },
  };
}

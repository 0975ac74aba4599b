import '../storage/migrations/0110-starred-coins.ts';
import type { Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { AccountsTable } from '../storage/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { AccountsError } from './accounts-error.ts';
import { type AfterChange, changeDirectory } from './keys/changes.ts';
import { randomId } from './keys/key-text.ts';
import { oauthSlotId } from './keys/slots.ts';
import { checkEmail, normalEmail } from './people/email.ts';
import { type PlanName, storedPlan } from './plans.ts';
import { type StarredCoins, starredText } from './starred-coins.ts';

export interface Account {
  id: string;
  name: string;
  email: string | null;
  plan: PlanName;
  hostTier: string | null;
  createdAtMs: number;
  suspendedAtMs: number | null;
  deletedAtMs: number | null;
  /** The owner's own taker fees, as the parameter `fees` takes them; null: the usual ones. */
  takerFees: string | null;
  /** The coins that the owner has starred, separated by commas; null: none. */
  starredCoins: string | null;
  /** The size in USD at which pages show pairs to the owner; null: at the best prices. */
  orderSizeUsd: number | null;
}

interface NewAccount {
  name: string;
  email?: string | null;
  plan?: PlanName;
  hostTier?: string | null;
}

export interface AccountStore {
  create(account: NewAccount): Promise<Account>;
  setPlan(accountId: string, plan: PlanName): Promise<Account>;
  setHostTier(accountId: string, hostTier: string | null): Promise<Account>;
  /** `takerFees` must be valid as the parameter `fees`. */
  setTakerFees(accountId: string, takerFees: string | null): Promise<Account>;
  setStarredCoins(accountId: string, coins: StarredCoins): Promise<Account>;
  setOrderSize(accountId: string, sizeUsd: number | null): Promise<Account>;
  /** By id or e-mail. Deleted accounts are found only if `isWithDeleted`. */
  find(reference: string, isWithDeleted?: boolean): Promise<Account | null>;
  /** Without deleted ones. */
  list(): Promise<Account[]>;
}

export function createAccountStore(storage: Storage, clock: Clock, afterChange: AfterChange): AccountStore {
  const { db } = storage;

  const change = (
    accountId: string,
    columns: Partial<
      Pick<
        Selectable<AccountsTable>,
        'plan' | 'host_tier' | 'taker_fees' | 'starred_coins' | 'order_size_usd'
      >
    >,
  ) =>
    changeDirectory(storage, afterChange, async (trx, revision) => {
      const row = await trx
        .updateTable('accounts')
        .set({ ...columns, revision })
        .where('id', '=', accountId)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw unknownAccount(accountId);
      return { result: accountOf(row), accountId };
    });

  return {
    create: async (account) => {
      const name = checkName(account.name);
      const email = account.email === undefined || account.email === null ? null : checkEmail(account.email);
      return await changeDirectory(storage, afterChange, async (trx, revision) => {
        if (email !== null) {
          const taken = await trx
            .selectFrom('accounts')
            .select('id')
            .where('email', '=', email)
            .executeTakeFirst();
          if (taken)
            throw new AccountsError('email-taken', `There is already an account with the e-mail ${email}`);
        }
        const row = {
          id: randomId('acc_'),
          name,
          email,
          plan: account.plan ?? 'demo',
          host_tier: account.hostTier ?? null,
          created_at_ms: clock.nowMs(),
          suspended_at_ms: null,
          deleted_at_ms: null,
          taker_fees: null,
          starred_coins: null,
          order_size_usd: null,
          revision,
        };
        await trx.insertInto('accounts').values(row).execute();
        await trx
          .insertInto('slots')
          .values({ id: oauthSlotId(row.id), account_id: row.id, kind: 'oauth', number: 0 })
          .execute();
        return { result: accountOf(row), accountId: row.id };
      });
    },
    setPlan: (accountId, plan) => change(accountId, { plan }),
    setHostTier: (accountId, hostTier) => change(accountId, { host_tier: hostTier }),
    setTakerFees: (accountId, takerFees) => change(accountId, { taker_fees: takerFees }),
    setStarredCoins: (accountId, coins) => change(accountId, { starred_coins: starredText(coins) }),
    setOrderSize: (accountId, sizeUsd) => change(accountId, { order_size_usd: sizeUsd }),
    find: async (reference, isWithDeleted = false) => {
      const row = await db
        .selectFrom('accounts')
        .selectAll()
        .where((is) => is.or([is('id', '=', reference), is('email', '=', normalEmail(reference))]))
        .$if(!isWithDeleted, (query) => query.where('deleted_at_ms', 'is', null))
        .executeTakeFirst();
      return row ? accountOf(row) : null;
    },
    list: async () => {
      const rows = await db
        .selectFrom('accounts')
        .selectAll()
        .where('deleted_at_ms', 'is', null)
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(accountOf);
    },
  };
}

export function unknownAccount(accountId: string): AccountsError {
  return new AccountsError('unknown-account', `There is no account ${accountId}`);
}

/** Line breaks and marks of the text direction: with them a name could imitate another line of a list. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** A name has 1 to 100 characters on one line, at least one of them visible. */
export function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 100 || !VISIBLE.test(trimmed) || MISLEADING.test(trimmed))
    throw new AccountsError(
      'invalid-name',
      'A name has 1 to 100 characters, at least one visible, and no line breaks or marks of text direction',
    );
  return trimmed;
}

export function accountOf(row: Selectable<AccountsTable>): Account {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    plan: storedPlan(row.plan),
    hostTier: row.host_tier,
    createdAtMs: row.created_at_ms,
    suspendedAtMs: row.suspended_at_ms,
    deletedAtMs: row.deleted_at_ms,
    takerFees: row.taker_fees,
    starredCoins: row.starred_coins,
    orderSizeUsd: row.order_size_usd,
  };
}

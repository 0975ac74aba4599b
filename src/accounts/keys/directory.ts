import type { Kysely } from 'kysely';
import type { Schema } from '../../storage/schema.ts';
import { effectivePlan, type Plan, storedPlan, type TierGrants } from '../plans.ts';
import { readScopes, type Scope } from '../scopes.ts';
import { timesOf } from './key-rows.ts';
import type { KeyTimes } from './key-state.ts';
import { keySlotId, oauthSlotId } from './slots.ts';

/** The caller of a request with valid credentials. */
export interface Caller {
  accountId: string;
  plan: Plan;
  scopes: readonly Scope[];
  keyPrefix: string;
  /** null for an OAuth grant. */
  keyId: string | null;
  slotId: string;
  /** The owner's own taker fees, which `fees=account` stands for; null or absent: none are saved. */
  takerFees?: string | null;
  /** The coins that the owner has starred, separated by commas; null or absent: none. Only pages use them. */
  starredCoins?: string | null;
  /** The size in USD at which pages show pairs to the owner; null or absent: at the best prices. */
  orderSizeUsd?: number | null;
}

interface DirectoryAccount {
  id: string;
  plan: Plan;
  isSuspended: boolean;
  takerFees: string | null;
  starredCoins: string | null;
  orderSizeUsd: number | null;
}

export interface DirectoryKey extends KeyTimes {
  id: string;
  accountId: string;
  keyPrefix: string;
  slotNumber: number;
  scopes: readonly Scope[];
  caller: Caller | null;
  callerOf: DirectoryAccount | null;
}

export const revisionQuery = (db: Kysely<Schema>) =>
  db.selectFrom('directory_revision').select('revision').where('id', '=', 1);

export const keysSinceQuery = (db: Kysely<Schema>, revision: number) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'hash', 'key_prefix', 'slot_number', 'scopes'])
    .select(['expires_at_ms', 'revoked_at_ms', 'replaced_until_ms'])
    .where('revision', '>', revision);

export const accountsSinceQuery = (db: Kysely<Schema>, revision: number) =>
  db
    .selectFrom('accounts')
    .select(['id', 'plan', 'host_tier', 'suspended_at_ms', 'taker_fees', 'starred_coins', 'order_size_usd'])
    .where('revision', '>', revision);

type Row<Query extends { execute(): Promise<unknown[]> }> = Awaited<ReturnType<Query['execute']>>[number];
type KeyDirectoryRow = Row<ReturnType<typeof keysSinceQuery>>;
type AccountDirectoryRow = Row<ReturnType<typeof accountsSinceQuery>>;

/** All keys and accounts in memory. Keys are found by their hash. */
export class Directory {
  readonly #grants: TierGrants;
  readonly #accounts = new Map<string, DirectoryAccount>();
  readonly #keys = new Map<string, DirectoryKey>();
  readonly #keysById = new Map<string, DirectoryKey>();
  #generation = 0;

  constructor(grants: TierGrants) {
    this.#grants = grants;
  }

  /** Increases with every change. */
  get generation(): number {
    return this.#generation;
  }

  clear(): void {
    this.#generation++;
    this.#accounts.clear();
    this.#keys.clear();
    this.#keysById.clear();
  }

  apply(keys: readonly KeyDirectoryRow[], accounts: readonly AccountDirectoryRow[]): void {
    this.#generation++;
    for (const row of accounts) {
      const plan = effectivePlan(storedPlan(row.plan), row.host_tier, this.#grants);
      this.#accounts.set(row.id, {
        id: row.id,
        plan,
        isSuspended: row.suspended_at_ms !== null,
        takerFees: row.taker_fees,
        starredCoins: row.starred_coins,
        orderSizeUsd: row.order_size_usd,
      });
    }
    for (const row of keys) {
      const key: DirectoryKey = {
        id: row.id,
        accountId: row.account_id,
        keyPrefix: row.key_prefix,
        slotNumber: row.slot_number,
        scopes: readScopes(row.scopes),
        ...timesOf(row),
        caller: null,
        callerOf: null,
      };
      this.#keys.set(row.hash, key);
      this.#keysById.set(row.id, key);
    }
  }

  key(hash: string): DirectoryKey | undefined {
    return this.#keys.get(hash);
  }

  keyById(id: string): DirectoryKey | undefined {
    return this.#keysById.get(id);
  }

  /** Keys and grants of a suspended account are refused. */
  isSuspended(accountId: string): boolean {
    return this.#accounts.get(accountId)?.isSuspended === true;
  }

  /** Cached per key until its account changes, so that a request allocates nothing here. */
  callerFor(key: DirectoryKey): Caller | null {
    const account = this.#accounts.get(key.accountId);
    if (!account) return null;
    if (key.caller === null || key.callerOf !== account) {
      key.callerOf = account;
      key.caller = Object.freeze({
        accountId: account.id,
        plan: account.plan,
        scopes: key.scopes,
        keyPrefix: key.keyPrefix,
        keyId: key.id,
        slotId: keySlotId(account.id, key.slotNumber, account.plan),
        takerFees: account.takerFees,
      });
    }
    return key.caller;
  }

  callerForGrant(accountId: string, scopes: readonly Scope[]): Caller | null {
    const account = this.#accounts.get(accountId);
    if (!account || account.isSuspended) return null;
    const slotId = oauthSlotId(accountId);
    const { plan, takerFees, starredCoins, orderSizeUsd } = account;
    const choices = { takerFees, starredCoins, orderSizeUsd };
    return { accountId, plan, scopes, keyPrefix: 'oauth', keyId: null, slotId, ...choices };
  }
}

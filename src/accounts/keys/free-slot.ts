import type { Transaction } from 'kysely';
import type { Schema } from '../../storage/schema.ts';
import { unknownAccount } from '../account-store.ts';
import { AccountsError } from '../accounts-error.ts';
import { effectivePlan, type Plan, storedPlan, type TierGrants } from '../plans.ts';
import { type KeyRow, timesOf } from './key-rows.ts';
import { keyState } from './key-state.ts';

/** The lowest slot number without an active key. A replaced key takes none: its successor is in the same slot. */
export async function freeSlotNumber(
  trx: Transaction<Schema>,
  accountId: string,
  grants: TierGrants,
  nowMs: number,
): Promise<number> {
  const { plan, taken } = await slotsOf(trx, accountId, grants, nowMs);
  refuseWhenFull(plan, taken);
  let slotNumber = 1;
  while (taken.has(slotNumber)) slotNumber++;
  return slotNumber;
}

/** Refuses to reactivate an expired key whose slot has been taken since. */
export async function refuseRevival(
  trx: Transaction<Schema>,
  row: KeyRow,
  grants: TierGrants,
  nowMs: number,
): Promise<void> {
  const { plan, taken } = await slotsOf(trx, row.account_id, grants, nowMs);
  refuseWhenFull(plan, taken);
  if (taken.has(row.slot_number)) {
    throw new AccountsError(
      'no-free-slot',
      `The key ${row.key_prefix} has expired and a newer key has its place; create a new key`,
    );
  }
}

interface Slots {
  plan: Plan;
  taken: Set<number>;
}

async function slotsOf(
  trx: Transaction<Schema>,
  accountId: string,
  grants: TierGrants,
  nowMs: number,
): Promise<Slots> {
  const account = await trx
    .selectFrom('accounts')
    .select(['plan', 'host_tier'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) throw unknownAccount(accountId);
  const keys = await trx
    .selectFrom('api_keys')
    .select(['slot_number', 'expires_at_ms', 'revoked_at_ms', 'replaced_until_ms'])
    .where('account_id', '=', accountId)
    .where('revoked_at_ms', 'is', null)
    .execute();
  const active = keys.filter((key) => keyState(timesOf(key), nowMs) === 'active');
  return {
    plan: effectivePlan(storedPlan(account.plan), account.host_tier, grants),
    taken: new Set(active.map((key) => key.slot_number)),
  };
}

function refuseWhenFull(plan: Plan, taken: ReadonlySet<number>): void {
  if (taken.size < plan.keyCount) return;
  const keys = plan.keyCount === 1 ? '1 key' : `${plan.keyCount} keys`;
  throw new AccountsError(
    'no-free-slot',
    `The ${plan.title} plan has ${keys}, and all are in use; revoke or rotate one, or choose a larger plan`,
  );
}

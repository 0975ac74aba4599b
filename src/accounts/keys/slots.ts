import type { Plan } from '../plans.ts';

/**
 * The slot on which a key is counted. After a change to a smaller plan a key with a higher slot number keeps working, but
 * is counted on the last slot of the plan, so that the limits of the smaller plan hold.
 */
export function keySlotId(accountId: string, slotNumber: number, plan: Plan): string {
  return slotIdOf(accountId, Math.min(slotNumber, plan.keyCount));
}

export function slotIdOf(accountId: string, slotNumber: number): string {
  return `${accountId}/key/${slotNumber}`;
}

/** All OAuth grants of an account are counted on this slot. */
export function oauthSlotId(accountId: string): string {
  return `${accountId}/oauth`;
}

export function accountIdOf(slotId: string): string {
  return slotId.split('/', 1)[0] ?? slotId;
}

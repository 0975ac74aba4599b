import type { Plan } from '../plans.ts';

/**
 * The slot whose windows a key spends. A key beyond the plan's number (after a change to a smaller plan) goes
 * on working, but on the last slot of the plan, so that the caps of the smaller plan hold.
 */
export function keySlotId(accountId: string, slotNumber: number, plan: Plan): string {
  return slotIdOf(accountId, Math.min(slotNumber, plan.keyCount));
}

export function slotIdOf(accountId: string, slotNumber: number): string {
  return `${accountId}/key/${slotNumber}`;
}

/** All OAuth grants of an account spend the windows of this one slot. */
export function oauthSlotId(accountId: string): string {
  return `${accountId}/oauth`;
}

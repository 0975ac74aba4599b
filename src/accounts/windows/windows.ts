import type { Plan } from '../plans.ts';

/** Whose windows are counted, such as a Caller. */
export interface WindowOwner {
  slotId: string;
  /** For the usage charts; null for an OAuth grant. */
  keyId: string | null;
  plan: Pick<Plan, 'requestsPerMinute' | 'requestsPerMonth'>;
}

export interface WindowState {
  limit: number;
  used: number;
  remaining: number;
  resetsAtMs: number;
  /** Rounded up, so that a caller who waits this long is not too early. */
  resetSeconds: number;
}

export interface WindowStates {
  minute: WindowState;
  month: WindowState;
}

/** Identifies one counted request for its refund. */
export interface Receipt {
  readonly owner: WindowOwner;
  readonly atMs: number;
  readonly monthStartMs: number;
  /** The same time on the monotonic clock; set by windows in memory. */
  readonly monotonicMs?: number;
  refunded: boolean;
}

export interface Refusal {
  allowed: false;
  spent: 'minute' | 'month';
  retryAfterSeconds: number;
  states: WindowStates;
}

export function refusal(spent: Refusal['spent'], states: WindowStates): Refusal {
  return { allowed: false, spent, retryAfterSeconds: states[spent].resetSeconds, states };
}

export type Counted = { allowed: true; states: WindowStates; receipt: Receipt } | Refusal;

/**
 * Returned only by shared windows, and without counting: another process has revoked the key, or has changed keys or
 * accounts, so that the owner must be looked up again.
 */
interface Overtaken {
  allowed: false;
  spent: 'revoked' | 'outdated';
}

export type Take = Counted | Overtaken;

export type MonthTake = { allowed: true; spent: null } | Refusal | Overtaken;

/** Both windows of a slot. Windows in memory return at once, shared ones over the network. */
export interface Windows {
  /** Counts one request on both windows, or on none if either is spent. */
  take(owner: WindowOwner): Take | Promise<Take>;
  /** Counts one on the month window only: a minute of an open stream. */
  takeMonth(owner: WindowOwner): MonthTake | Promise<MonthTake>;
  /** Refunds a counted request (304, 503). Idempotent. */
  refund(receipt: Receipt): WindowStates | Promise<WindowStates>;
  read(owner: WindowOwner): WindowStates | Promise<WindowStates>;
}

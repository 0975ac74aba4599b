import type { MaybeLater } from '../../base/maybe-later.ts';
import type { Plan } from '../plans.ts';

/** Whose windows are spent: a Caller fits. */
export interface WindowHolder {
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
  /** Rounded up, so that a caller who waits them is not too early. */
  resetSeconds: number;
}

export interface WindowStates {
  minute: WindowState;
  month: WindowState;
}

/** Proof of one counted request, needed to give it back. */
export interface Receipt {
  readonly holder: WindowHolder;
  readonly atMs: number;
  readonly monthStartMs: number;
  refunded: boolean;
}

export type Counted =
  | { allowed: true; states: WindowStates; receipt: Receipt }
  | { allowed: false; spent: 'minute' | 'month'; retryAfterSeconds: number; states: WindowStates };

/**
 * What only shared windows find out: another process has revoked the key, or has changed something about keys and
 * accounts, so that the holder must be looked up again. Nothing was counted.
 */
export interface Overtaken {
  allowed: false;
  spent: 'revoked' | 'outdated';
}

export type Take = Counted | Overtaken;

/**
 * Both windows of a slot. Windows in memory answer at once, shared ones over the network; callers await only what is a
 * Promise, so that those in memory cost no turn of the event loop (see `andThen`).
 */
export interface Windows {
  /** Counts one request on both windows, or on none when either is spent. */
  take(holder: WindowHolder): MaybeLater<Take>;
  /** Gives one counted request back (304, 503). A second time changes nothing. */
  refund(receipt: Receipt): MaybeLater<WindowStates>;
  read(holder: WindowHolder): MaybeLater<WindowStates>;
}

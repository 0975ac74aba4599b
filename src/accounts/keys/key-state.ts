export interface KeyTimes {
  expiresAtMs: number;
  revokedAtMs: number | null;
  /** Set by rotation: the replaced key works until then. */
  replacedUntilMs: number | null;
}

/** A `replaced` key still works; after the grace period of a day it is `rotated-out`. */
export type KeyState = 'active' | 'replaced' | 'rotated-out' | 'expired' | 'revoked';

export function keyState(key: KeyTimes, nowMs: number): KeyState {
  if (key.revokedAtMs !== null) return 'revoked';
  if (key.replacedUntilMs !== null && nowMs >= key.replacedUntilMs) return 'rotated-out';
  if (nowMs >= key.expiresAtMs) return 'expired';
  return key.replacedUntilMs === null ? 'active' : 'replaced';
}

export interface KeyTimes {
  expiresAtMs: number;
  revokedAtMs: number | null;
  /** Set by rotation: until when the replaced key still works. */
  replacedUntilMs: number | null;
}

/** `replaced` still works; `rotated-out` is the same key a day later. */
export type KeyState = 'active' | 'replaced' | 'rotated-out' | 'expired' | 'revoked';

export function keyState(key: KeyTimes, nowMs: number): KeyState {
  if (key.revokedAtMs !== null) return 'revoked';
  if (key.replacedUntilMs !== null && nowMs >= key.replacedUntilMs) return 'rotated-out';
  if (nowMs >= key.expiresAtMs) return 'expired';
  return key.replacedUntilMs === null ? 'active' : 'replaced';
}

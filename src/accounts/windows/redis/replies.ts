import * as scripts from './scripts.ts';

/** Both windows of a slot, as the script returns them. */
export interface WindowsReply {
  outcome: 'allowed' | 'minute' | 'month';
  minuteUsed: number;
  /** How long ago the oldest request was counted that must expire before one more passes. */
  oldestAgeMs: number;
  monthUsed: number;
}

/** Nothing was counted on the others. */
export type CountReply =
  | WindowsReply
  | { outcome: 'month-unknown' }
  | { outcome: 'revoked' }
  | { outcome: 'outdated'; revision: number };

const WINDOWS_OUTCOMES: ReadonlyMap<unknown, WindowsReply['outcome']> = new Map([
  [scripts.ALLOWED, 'allowed'],
  [scripts.MINUTE_SPENT, 'minute'],
  [scripts.MONTH_SPENT, 'month'],
]);

/** The reply of COUNT or REFUND; null if it has another shape. */
export function parseCountReply(reply: unknown): CountReply | null {
  if (!Array.isArray(reply) || !reply.every((value) => Number.isFinite(value))) return null;
  const [code, first, second, third]: (number | undefined)[] = reply;
  if (code === scripts.MONTH_UNKNOWN) return { outcome: 'month-unknown' };
  if (code === scripts.REVOKED) return { outcome: 'revoked' };
  if (code === scripts.OUTDATED) return first === undefined ? null : { outcome: 'outdated', revision: first };
  const outcome = WINDOWS_OUTCOMES.get(code);
  if (outcome === undefined || first === undefined || second === undefined || third === undefined)
    return null;
  return { outcome, minuteUsed: first, oldestAgeMs: second, monthUsed: third };
}

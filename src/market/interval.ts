import { HOUR_MS, MINUTE_MS } from '../base/times.ts';

/** Settlement intervals that exist at venues, in hours. Anything else is a parsing fault or a venue's mistake. */
export const ALLOWED_INTERVALS_HOURS: readonly number[] = [1, 2, 3, 4, 6, 8, 12, 24];

/** Clocks differ, and a venue needs some time after a settlement to show the next one. */
const GRACE_MS = 2 * MINUTE_MS;

export interface ScheduleFacts {
  /** As the venue states it, or null. */
  intervalHours: number | null;
  intervalAtMs: number;
  nextFundingAtMs: number | null;
  /** The last change of `nextFundingAtMs` to a later time: its previous value, and when we received the change. */
  rolledFromMs: number | null;
  rolledAtMs: number;
}

export interface Schedule {
  intervalHours: number | null;
  nextFundingAtMs: number | null;
}

/** The interval and next settlement to publish. If they contradict each other, the settlement time decides. */
export function scheduleOf(facts: ScheduleFacts, nowMs: number): Schedule {
  const claimed = facts.intervalHours;
  const next = facts.nextFundingAtMs;
  if (next === null) return { intervalHours: claimed, nextFundingAtMs: null };
  if (next <= nowMs - GRACE_MS)
    return { intervalHours: claimed, nextFundingAtMs: advanced(next, claimed, nowMs) };
  if (next - nowMs > 24 * HOUR_MS + GRACE_MS) return { intervalHours: claimed, nextFundingAtMs: null };

  const rolledHours = facts.rolledFromMs === null ? null : (next - facts.rolledFromMs) / HOUR_MS;
  const isRollNewer = facts.rolledAtMs > facts.intervalAtMs;
  if (
    rolledHours !== null &&
    ALLOWED_INTERVALS_HOURS.includes(rolledHours) &&
    (claimed === null || isRollNewer)
  ) {
    return { intervalHours: rolledHours, nextFundingAtMs: next };
  }
  if (claimed === null) return { intervalHours: null, nextFundingAtMs: next };
  const isTooFar = next - nowMs > claimed * HOUR_MS + GRACE_MS;
  if (isTooFar || isOffGrid(next, claimed))
    return { intervalHours: fitting(next, nowMs), nextFundingAtMs: next };
  return { intervalHours: claimed, nextFundingAtMs: next };
}

/** Venues settle at multiples of the interval from midnight UTC; a full hour off that grid contradicts the interval. */
function isOffGrid(nextMs: number, intervalHours: number): boolean {
  return nextMs % HOUR_MS === 0 && (nextMs / HOUR_MS) % intervalHours !== 0;
}

/** The shortest interval that reaches from now to the settlement and has it on its grid; null if none does. */
function fitting(nextMs: number, nowMs: number): number | null {
  const awayHours = (nextMs - nowMs - GRACE_MS) / HOUR_MS;
  const hour = nextMs / HOUR_MS;
  return ALLOWED_INTERVALS_HOURS.find((hours) => hours >= awayHours && hour % hours === 0) ?? null;
}

/** For a settlement time that has passed: the next one on the same grid, if the interval is known. */
function advanced(nextMs: number, intervalHours: number | null, nowMs: number): number | null {
  if (intervalHours === null) return null;
  const stepMs = intervalHours * HOUR_MS;
  return nextMs + Math.ceil((nowMs - nextMs) / stepMs) * stepMs;
}

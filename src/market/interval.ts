import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/times.ts';

/** Settlement intervals that exist at venues, in hours. Anything else is a parsing fault or a venue's mistake. */
export const ALLOWED_INTERVALS_HOURS: readonly number[] = [1, 2, 3, 4, 6, 8, 12, 24];

/** A contract whose rate has not been confirmed for this long has no row in the snapshot. */
export const ROW_MAX_AGE_MS = 10 * MINUTE_MS;

/** Clocks differ, and a venue needs some time after a settlement to show the next one. */
export const GRACE_MS = 2 * MINUTE_MS;

/** A change that is seen later may hide a settlement in between, because the shortest interval is an hour. */
const ROLL_SEEN_WITHIN_MS = 30 * MINUTE_MS;

/** A settlement that passed, and the next one that the venue stated then: two consecutive settlements. */
export interface Roll {
  fromMs: number;
  toMs: number;
  /** When we received the change. */
  atMs: number;
}

export interface ScheduleFacts {
  /** As the venue states it, or null. */
  intervalHours: number | null;
  /** When the venue last stated it. */
  intervalAtMs: number;
  /** Since when the venue has stated this value. */
  intervalSinceMs: number;
  nextFundingAtMs: number | null;
  /** When this next settlement was first stated. */
  nextSinceMs: number;
  /** The last two, newest first. */
  rolls: readonly Roll[];
  /** The last interval that two consecutive settlements proved, also before a restart; null while none has. */
  provenIntervalHours: number | null;
  rateAtMs: number;
}

export interface Schedule {
  intervalHours: number | null;
  nextFundingAtMs: number | null;
}

/**
 * The interval and next settlement to publish. Venues settle on any hour, so a settlement time alone never contradicts
 * a stated interval: only consecutive settlements do, or a next one further away than the interval.
 */
export function scheduleOf(facts: ScheduleFacts, nowMs: number): Schedule {
  const next = facts.nextFundingAtMs;
  const stated = facts.intervalHours;
  if (next === null) return { intervalHours: stated, nextFundingAtMs: null };
  if (next <= nowMs) {
    const intervalHours = next > nowMs - GRACE_MS ? intervalOf(facts, next) : stated;
    return { intervalHours, nextFundingAtMs: advanced(facts, intervalHours, next, nowMs) };
  }
  if (next - nowMs > DAY_MS + GRACE_MS) return { intervalHours: stated, nextFundingAtMs: null };
  return { intervalHours: intervalOf(facts, next), nextFundingAtMs: next };
}

function intervalOf(facts: ScheduleFacts, nextMs: number): number | null {
  const { intervalHours: stated, rolls } = facts;
  const [last, earlier] = rolls;
  const observed = last ? gapHours(last, nextMs) : null;
  if (stated === null) return observed ?? remembered(facts, nextMs);
  if (observed === stated) return stated;
  const awayMs = nextMs - Math.max(facts.nextSinceMs, facts.intervalSinceMs);
  if (awayMs > stated * HOUR_MS + GRACE_MS) return observed ?? shortestReaching(awayMs);
  if (!last || observed === null) return stated;
  // The venue has not stated an interval since that settlement, so the times are its newer statement.
  if (last.atMs > facts.intervalAtMs) return observed;
  // One gap that differs may be the short first period after a change; a second one contradicts the venue.
  const isRepeated =
    earlier !== undefined &&
    earlier.atMs > facts.intervalSinceMs &&
    earlier.toMs === last.fromMs &&
    gapHours(earlier, earlier.toMs) === observed;
  return isRepeated ? observed : stated;
}

/** What earlier settlements proved, unless the next one was already further away than that when it was first stated. */
function remembered(facts: ScheduleFacts, nextMs: number): number | null {
  const { provenIntervalHours: hours, nextSinceMs } = facts;
  return hours === null || nextMs - nextSinceMs > hours * HOUR_MS + GRACE_MS ? null : hours;
}

/**
 * The proven interval after a settlement has passed. One that was seen late proves nothing, but a next settlement that is
 * no multiple of the interval away contradicts it.
 */
export function provenAfter(roll: Roll, provenHours: number | null): number | null {
  const hours = gapHours(roll, roll.toMs);
  if (hours !== null) return hours;
  return provenHours !== null && (roll.toMs - roll.fromMs) % (provenHours * HOUR_MS) === 0
    ? provenHours
    : null;
}

/** The hours between the settlement that passed and the next one; null if one in between may have been missed. */
function gapHours(roll: Roll, nextMs: number): number | null {
  if (roll.atMs - roll.fromMs > ROLL_SEEN_WITHIN_MS) return null;
  const hours = (nextMs - roll.fromMs) / HOUR_MS;
  return ALLOWED_INTERVALS_HOURS.includes(hours) ? hours : null;
}

function shortestReaching(awayMs: number): number | null {
  return ALLOWED_INTERVALS_HOURS.find((hours) => hours * HOUR_MS + GRACE_MS >= awayMs) ?? null;
}

/**
 * For a settlement time that has passed: the next one, if the interval is known. A row that stands still gets none,
 * because nothing says that the contract still settles.
 */
function advanced(
  facts: ScheduleFacts,
  intervalHours: number | null,
  nextMs: number,
  nowMs: number,
): number | null {
  if (intervalHours === null || nowMs - facts.rateAtMs > ROW_MAX_AGE_MS) return null;
  const followingMs = nextMs + intervalHours * HOUR_MS;
  return followingMs > nowMs ? followingMs : null;
}

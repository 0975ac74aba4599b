import type { Plan } from '../../accounts/plans.ts';
import { Problem } from '../../base/problems.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../base/times.ts';

export type Resolution = '1d' | 'settlement';

/** The longest window of one call and the default one, in days. */
export interface WindowRule {
  mostDays: number;
  defaultDays: number;
  /** The parameter that they depend on. */
  of?: string;
  /** A window that fits what else the call asks for; by default the longest one. */
  fittingDays?: number;
}

const RULES: Readonly<Record<Resolution, WindowRule>> = {
  '1d': { mostDays: 180, defaultDays: 30, of: 'resolution=1d' },
  settlement: { mostDays: 92, defaultDays: 7, of: 'resolution=settlement' },
};

/** A window that ends with a point ends just after it, so that the days and the window of the point include it. */
const AFTER_POINT_MS = SECOND_MS;
/** Tolerance at the plan's limit: clocks differ and a request takes time. */
const EDGE_TOLERANCE_MS = MINUTE_MS;

interface RequestedWindow {
  from: number | undefined;
  to: number | undefined;
  days: number | undefined;
}

/** A window as it was asked for, within what the caller may see. */
export interface HistoryWindow {
  fromMs: number;
  toMs: number;
  /** The newest time that the plan may see. */
  visibleMs: number;
  /** The oldest time that the plan includes. */
  earliestMs: number;
  /** How long it is in days; null if the caller named its start. */
  days: number | null;
  /** The caller named no end, or one that is still to come. */
  isOpen: boolean;
}

/** A window as it is answered. */
export interface AnsweredWindow {
  fromMs: number;
  toMs: number;
  /** The time of the data. */
  asOfMs: number;
  /** Its start is the oldest time that the plan includes. */
  isNarrowed: boolean;
}

export function historyWindow(
  { resolution, ...requested }: RequestedWindow & { resolution: Resolution },
  plan: Plan,
  nowMs: number,
): HistoryWindow {
  return windowWithin(RULES[resolution], requested, plan, nowMs);
}

/**
 * The window [from, to] that is asked for. `to` is clipped to the time that the plan may see. The default window is narrowed
 * to the plan's history; an explicit window that reaches further back is refused.
 */
export function windowWithin(
  { mostDays, defaultDays, of, fittingDays = mostDays }: WindowRule,
  { from, to, days }: RequestedWindow,
  plan: Plan,
  nowMs: number,
): HistoryWindow {
  const visibleMs = Math.floor((nowMs - plan.delaySeconds * SECOND_MS) / SECOND_MS) * SECOND_MS;
  const toMs = Math.min(to ?? visibleMs, visibleMs);
  const earliestMs =
    plan.historyDays === null ? Number.NEGATIVE_INFINITY : visibleMs - plan.historyDays * DAY_MS;
  const isDefault = from === undefined && days === undefined && toMs >= earliestMs;
  const wantedMs = from ?? toMs - (days ?? defaultDays) * DAY_MS;
  const fromMs = isDefault ? Math.max(wantedMs, earliestMs) : wantedMs;
  if (fromMs > toMs) {
    throw new Problem(
      'invalid-parameter',
      `"from" (${isoTime(fromMs)}) must not be after "to" (${isoTime(toMs)}${to !== undefined && to > visibleMs ? ', the latest there is' : ''}).`,
    );
  }
  if (toMs - fromMs > mostDays * DAY_MS) {
    const name = from === undefined ? 'days' : 'from';
    // Without "to" the window goes on growing while the caller sends the suggested start.
    const startMs = (Math.floor((toMs - fittingDays * DAY_MS) / HOUR_MS) + 1) * HOUR_MS;
    throw new Problem(
      'invalid-parameter',
      `"${name}" asks for more than ${mostDays} days, the most that one call gives${of === undefined ? '' : ` with ${of}`}; start at ${isoTime(startMs)} or later, or ask in parts.`,
    );
  }
  if (fromMs < earliestMs - EDGE_TOLERANCE_MS) {
    // Rounded up to a whole minute, so that the suggested time stays valid while the caller sends it.
    const allowedMs = Math.ceil(earliestMs / MINUTE_MS) * MINUTE_MS;
    throw new Problem(
      'plan-limit',
      `The ${plan.title} plan includes ${plan.historyDays} days of history; the earliest "from" is ${isoTime(allowedMs)}.`,
    );
  }
  return {
    ...{ fromMs, toMs, visibleMs, earliestMs },
    days: from === undefined ? (days ?? defaultDays) : null,
    isOpen: to === undefined || to > visibleMs,
  };
}

/**
 * An open window ends with the newest data, not with the clock: until there is something new, the same request has the same
 * answer. `gridMs` is the step of its rows: a start that the plan sets moves by whole steps.
 */
export function answeredWindow(
  { fromMs, toMs, earliestMs, days, isOpen, visibleMs }: HistoryWindow,
  newestMs: number | null,
  gridMs: number,
  afterMs = AFTER_POINT_MS,
): AnsweredWindow {
  // Where nothing is held, nothing is newer than the day.
  const heldMs = newestMs === null || newestMs < earliestMs ? Math.floor(toMs / DAY_MS) * DAY_MS : newestMs;
  const asOfMs = Math.min(toMs, heldMs);
  if (!isOpen) return { fromMs, toMs, asOfMs, isNarrowed: false };
  const endMs = Math.min(asOfMs + afterMs, visibleMs);
  if (days === null) return { fromMs, toMs: Math.max(fromMs, endMs), asOfMs, isNarrowed: false };
  const [wantedMs, leastMs] = [endMs - days * DAY_MS, Math.ceil(earliestMs / gridMs) * gridMs];
  const isNarrowed = wantedMs < leastMs;
  return { fromMs: Math.min(isNarrowed ? leastMs : wantedMs, endMs), toMs: endMs, asOfMs, isNarrowed };
}

const LOOK_BACK_MINUTES = [HOUR_MS / MINUTE_MS, DAY_MS / MINUTE_MS];

/** The newest minute with data in [fromMinute, toMinute], which is usually among the last ones; null if there is none. */
export async function newestMinute(
  fromMinute: number,
  toMinute: number,
  newestIn: (fromMinute: number, toMinute: number) => Promise<number | null>,
): Promise<number | null> {
  for (const minutes of LOOK_BACK_MINUTES) {
    if (toMinute - minutes < fromMinute) break;
    const found = await newestIn(toMinute - minutes, toMinute);
    if (found !== null) return found;
  }
  return await newestIn(fromMinute, toMinute);
}

import type { Plan } from '../../accounts/plans.ts';
import { Problem } from '../../base/problems.ts';
import { DAY_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../base/times.ts';

export type Resolution = '1d' | 'settlement';

/** What the contract allows in one call, and what it takes when nothing is said, in days. */
const RULES: Readonly<Record<Resolution, { mostDays: number; defaultDays: number }>> = {
  '1d': { mostDays: 180, defaultDays: 30 },
  settlement: { mostDays: 92, defaultDays: 7 },
};

/** A caller's clock and ours differ, and a request takes time: the plan's edge is not cut to the second. */
const EDGE_TOLERANCE_MS = MINUTE_MS;

export interface AskedWindow {
  resolution: Resolution;
  from: number | undefined;
  to: number | undefined;
  days: number | undefined;
}

export interface HistoryWindow {
  fromMs: number;
  toMs: number;
  asOfMs: number;
}

/**
 * The window [from, to] that is answered. `to` is clipped to the time that the plan sees; without `from` and `days` the
 * window is narrowed to the plan's depth, an explicit deeper one is refused.
 */
export function historyWindow(asked: AskedWindow, plan: Plan, nowMs: number): HistoryWindow {
  const { resolution, from, to, days } = asked;
  const { mostDays, defaultDays } = RULES[resolution];
  const asOfMs = Math.floor((nowMs - plan.delaySeconds * SECOND_MS) / SECOND_MS) * SECOND_MS;
  const toMs = Math.min(to ?? asOfMs, asOfMs);
  const earliestMs =
    plan.historyDays === null ? Number.NEGATIVE_INFINITY : asOfMs - plan.historyDays * DAY_MS;
  const isDefault = from === undefined && days === undefined && toMs >= earliestMs;
  const wantedMs = from ?? toMs - (days ?? defaultDays) * DAY_MS;
  const fromMs = isDefault ? Math.max(wantedMs, earliestMs) : wantedMs;
  if (fromMs > toMs) {
    throw new Problem(
      'invalid-parameter',
      `"from" (${isoTime(fromMs)}) must not be after "to" (${isoTime(toMs)}${to !== undefined && to > asOfMs ? ', the latest there is' : ''}).`,
    );
  }
  if (toMs - fromMs > mostDays * DAY_MS) {
    const name = from === undefined ? 'days' : 'from';
    throw new Problem(
      'invalid-parameter',
      `"${name}" asks for more than ${mostDays} days, the most that one call gives with resolution=${resolution}; start at ${isoTime(toMs - mostDays * DAY_MS)} or later, or ask in parts.`,
    );
  }
  if (fromMs < earliestMs - EDGE_TOLERANCE_MS) {
    // A whole minute, rounded up, is good for as long as the tolerance lasts.
    const allowedMs = Math.ceil(earliestMs / MINUTE_MS) * MINUTE_MS;
    throw new Problem(
      'plan-limit',
      `The ${plan.title} plan includes ${plan.historyDays} days of history; the earliest "from" is ${isoTime(allowedMs)}.`,
    );
  }
  return { fromMs, toMs, asOfMs };
}

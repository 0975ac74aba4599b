import type { Plan } from '../../accounts/plans.ts';
import { Problem } from '../../base/problems.ts';
import { DAY_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../base/times.ts';

export type Resolution = '1d' | 'settlement';

/** The longest window of one call and the default one, in days. */
const RULES: Readonly<Record<Resolution, { mostDays: number; defaultDays: number }>> = {
  '1d': { mostDays: 180, defaultDays: 30 },
  settlement: { mostDays: 92, defaultDays: 7 },
};

/** Tolerance at the plan's limit: clocks differ and a request takes time. */
const EDGE_TOLERANCE_MS = MINUTE_MS;

interface RequestedWindow {
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
 * The window [from, to] of the answer. `to` is clipped to the time that the plan may see. The default window is narrowed
 * to the plan's history; an explicit window that reaches further back is refused.
 */
export function historyWindow(requested: RequestedWindow, plan: Plan, nowMs: number): HistoryWindow {
  const { resolution, from, to, days } = requested;
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
    // Rounded up to a whole minute, so that the suggested time stays valid while the caller sends it.
    const allowedMs = Math.ceil(earliestMs / MINUTE_MS) * MINUTE_MS;
    throw new Problem(
      'plan-limit',
      `The ${plan.title} plan includes ${plan.historyDays} days of history; the earliest "from" is ${isoTime(allowedMs)}.`,
    );
  }
  return { fromMs, toMs, asOfMs };
}

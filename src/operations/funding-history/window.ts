import type { Plan } from '../../accounts/plans.ts';
import { Problem } from '../../base/problems.ts';
import { DAY_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../base/times.ts';

export type Resolution = '1d' | 'settlement';

/** The longest window of one call and the default one, in days, and the parameter that they depend on. */
export interface WindowRule {
  mostDays: number;
  defaultDays: number;
  of: string;
}

const RULES: Readonly<Record<Resolution, WindowRule>> = {
  '1d': { mostDays: 180, defaultDays: 30, of: 'resolution=1d' },
  settlement: { mostDays: 92, defaultDays: 7, of: 'resolution=settlement' },
};

/** Tolerance at the plan's limit: clocks differ and a request takes time. */
const EDGE_TOLERANCE_MS = MINUTE_MS;

interface RequestedWindow {
  from: number | undefined;
  to: number | undefined;
  days: number | undefined;
}

export interface HistoryWindow {
  fromMs: number;
  toMs: number;
  asOfMs: number;
}

export function historyWindow(
  { resolution, ...requested }: RequestedWindow & { resolution: Resolution },
  plan: Plan,
  nowMs: number,
): HistoryWindow {
  return windowWithin(RULES[resolution], requested, plan, nowMs);
}

/**
 * The window [from, to] of the answer. `to` is clipped to the time that the plan may see. The default window is narrowed
 * to the plan's history; an explicit window that reaches further back is refused.
 */
export function windowWithin(
  { mostDays, defaultDays, of }: WindowRule,
  { from, to, days }: RequestedWindow,
  plan: Plan,
  nowMs: number,
): HistoryWindow {
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
      `"${name}" asks for more than ${mostDays} days, the most that one call gives with ${of}; start at ${isoTime(toMs - mostDays * DAY_MS)} or later, or ask in parts.`,
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

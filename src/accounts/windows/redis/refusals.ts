import { stateOf } from '../memory.ts';
import { nextMonthStartMs } from '../months.ts';
import type { Counted, MonthTake, WindowHolder, WindowStates } from '../windows.ts';

const UNDECIDED_RETRY_MS = 2_000;

export function monthSpent(states: WindowStates): MonthTake {
  return { allowed: false, spent: 'month', retryAfterSeconds: states.month.resetSeconds, states };
}

/** Refuses a request that could not be decided: how much is left is unknown. */
export function undecided({ plan }: WindowHolder, nowMs: number): Extract<Counted, { allowed: false }> {
  const states = {
    minute: stateOf(plan.requestsPerMinute, plan.requestsPerMinute, nowMs + UNDECIDED_RETRY_MS, nowMs),
    month: { ...stateOf(plan.requestsPerMonth, 0, nextMonthStartMs(nowMs), nowMs) },
  };
  return { allowed: false, spent: 'minute', retryAfterSeconds: states.minute.resetSeconds, states };
}

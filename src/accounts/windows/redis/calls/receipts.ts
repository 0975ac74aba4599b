import { MINUTE_MS } from '../../../../base/times.ts';
import { stateOf } from '../../memory.ts';
import type { Receipt, WindowHolder, WindowStates } from '../../windows.ts';
import type { WindowsReply } from '../replies.ts';

export interface RedisReceipt extends Receipt {
  readonly number: number;
  readonly layoutVersion: number;
}

export function receiptOf(
  holder: WindowHolder,
  number: number,
  layoutVersion: number,
  atMs: number,
  monthStartMs: number,
): RedisReceipt {
  return { holder, atMs, monthStartMs, refunded: false, number, layoutVersion };
}

/** Both windows as they were before the last `later` requests were counted. */
export function statesOf({ plan }: WindowHolder, reply: WindowsReply, later: number): WindowStates {
  const { nowMs, minuteUsed, oldestMs, monthUsed, nextMonthStartMs } = reply;
  return {
    minute: stateOf(plan.requestsPerMinute, minuteUsed - later, oldestMs + MINUTE_MS, nowMs),
    month: stateOf(plan.requestsPerMonth, monthUsed - later, nextMonthStartMs, nowMs),
  };
}

import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { UsageLedger } from '../usage/ledger.ts';
import { CurrentMonth } from './months.ts';
import { SlidingWindow } from './sliding-window.ts';
import {
  type Counted,
  type MonthTake,
  type Receipt,
  refusal,
  type WindowOwner,
  type WindowState,
  type WindowStates,
  type Windows,
} from './windows.ts';

interface Slot {
  /** Null while idle. */
  minute: SlidingWindow | null;
  monthStartMs: number;
  monthUsed: number;
  /** What was counted in other months, for a clock that is set back. */
  others: Map<number, number>;
}

/**
 * The windows of a single process. Deciding and counting is one synchronous step, so of any number of parallel requests
 * exactly the limit passes. The minute is measured with the monotonic clock: a clock that is set forward would give a
 * second minute at once.
 */
export class MemoryWindows implements Windows {
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly #ledger: UsageLedger;
  readonly #slots = new Map<string, Slot>();
  readonly #month = new CurrentMonth();
  #sweptAtMs: number;

  constructor(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>, ledger: UsageLedger) {
    this.#clock = clock;
    this.#ledger = ledger;
    this.#sweptAtMs = this.#monotonicMs();
  }

  take(owner: WindowOwner): Counted {
    const nowMs = this.#clock.nowMs();
    const monotonicMs = this.#monotonicMs();
    const slot = this.#slot(owner.slotId, nowMs);
    const minute = this.#minute(slot, owner);
    const monthSpent = slot.monthUsed >= owner.plan.requestsPerMonth;
    // The minute is checked first: its wait is shorter.
    if (minute.used(monotonicMs) >= minute.limit) return refusal('minute', this.#states(slot, owner, nowMs));
    if (monthSpent) return refusal('month', this.#states(slot, owner, nowMs));
    minute.take(monotonicMs);
    slot.monthUsed++;
    this.#ledger.count(owner, slot.monthStartMs, nowMs, 1);
    const { monthStartMs } = slot;
    const receipt = { owner, atMs: nowMs, monotonicMs, monthStartMs, refunded: false };
    return { allowed: true, states: this.#states(slot, owner, nowMs), receipt };
  }

  takeMonth(owner: WindowOwner): MonthTake {
    const nowMs = this.#clock.nowMs();
    const slot = this.#slot(owner.slotId, nowMs);
    if (slot.monthUsed >= owner.plan.requestsPerMonth)
      return refusal('month', this.#states(slot, owner, nowMs));
    slot.monthUsed++;
    this.#ledger.count(owner, slot.monthStartMs, nowMs, 1);
    return { allowed: true, spent: null };
  }

  refund(receipt: Receipt): WindowStates {
    const { owner } = receipt;
    const nowMs = this.#clock.nowMs();
    const slot = this.#slot(owner.slotId, nowMs);
    if (!receipt.refunded) {
      receipt.refunded = true;
      slot.minute?.refund(receipt.monotonicMs ?? Number.NaN);
      const { monthStartMs } = receipt;
      if (slot.monthStartMs === monthStartMs) slot.monthUsed = Math.max(0, slot.monthUsed - 1);
      else slot.others.set(monthStartMs, Math.max(0, (slot.others.get(monthStartMs) ?? 0) - 1));
      this.#ledger.count(owner, receipt.monthStartMs, receipt.atMs, -1);
    }
    return this.#states(slot, owner, nowMs);
  }

  read(owner: WindowOwner): WindowStates {
    const nowMs = this.#clock.nowMs();
    return this.#states(this.#slot(owner.slotId, nowMs), owner, nowMs);
  }

  /** Sets the stored total of a slot, which includes other processes; pending counts are added to it. */
  setStored(slotId: string, storedMonthStartMs: number, used: number): void {
    const slot = this.#slot(slotId, this.#clock.nowMs());
    const total = Math.max(0, used + this.#ledger.pendingOf(slotId, storedMonthStartMs));
    if (slot.monthStartMs === storedMonthStartMs) slot.monthUsed = total;
    else slot.others.set(storedMonthStartMs, total);
  }

  /** Frees the memory of idle slots, about once a minute. */
  sweep(): void {
    const monotonicMs = this.#monotonicMs();
    if (monotonicMs - this.#sweptAtMs < MINUTE_MS) return;
    this.#sweptAtMs = monotonicMs;
    for (const slot of this.#slots.values()) if (slot.minute?.used(monotonicMs) === 0) slot.minute = null;
  }

  /** Whole milliseconds, so that differences are exact. */
  #monotonicMs(): number {
    return Math.floor(this.#clock.monotonicMs());
  }

  #slot(slotId: string, nowMs: number): Slot {
    const { startMs } = this.#month.at(nowMs);
    let slot = this.#slots.get(slotId);
    if (!slot) {
      slot = { minute: null, monthStartMs: startMs, monthUsed: 0, others: new Map() };
      this.#slots.set(slotId, slot);
    } else if (slot.monthStartMs !== startMs) {
      slot.others.set(slot.monthStartMs, slot.monthUsed);
      slot.monthStartMs = startMs;
      slot.monthUsed = slot.others.get(startMs) ?? 0;
    }
    return slot;
  }

  #minute(slot: Slot, owner: WindowOwner): SlidingWindow {
    slot.minute ??= new SlidingWindow(owner.plan.requestsPerMinute);
    slot.minute.resize(owner.plan.requestsPerMinute);
    return slot.minute;
  }

  #states(slot: Slot, owner: WindowOwner, nowMs: number): WindowStates {
    const { requestsPerMinute, requestsPerMonth } = owner.plan;
    const monotonicMs = this.#monotonicMs();
    const minuteUsed = slot.minute?.used(monotonicMs) ?? 0;
    const minuteLeftMs = slot.minute ? slot.minute.resetsAtMs(monotonicMs) - monotonicMs : MINUTE_MS;
    return {
      minute: stateOf(requestsPerMinute, minuteUsed, nowMs + minuteLeftMs, nowMs),
      month: stateOf(requestsPerMonth, slot.monthUsed, this.#month.endMs, nowMs),
    };
  }
}

export function stateOf(limit: number, used: number, resetsAtMs: number, nowMs: number): WindowState {
  const remaining = Math.max(0, limit - used);
  const resetSeconds = Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000));
  return { limit, used, remaining, resetsAtMs, resetSeconds };
}

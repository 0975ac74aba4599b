import { MINUTE_MS } from '../../../base/times.ts';
import type { Redis } from '../../../storage/redis/redis.ts';
import type { RedisNames } from '../../redis-names.ts';
import { stateOf } from '../memory.ts';
import { monthStartMs, nextMonthStartMs } from '../months.ts';
import type { WindowHolder, WindowStates } from '../windows.ts';
import {
  type CountedRequests,
  type CountedSlot,
  dropExpired,
  type RequestReport,
} from './counted-requests.ts';
import { slotOfWindows } from './layout.ts';
import { RESTORE } from './scripts.ts';

export interface LocalShareOptions {
  names: RedisNames;
  counted: CountedRequests;
  processId: string;
  processCount: () => number;
}

interface LocalDecision {
  spent: 'minute' | 'month' | null;
  states: WindowStates;
}

/** What this process may still allow on a slot, and what has been used. */
interface Room {
  minute: number;
  month: number;
  used: number;
  monthUsed: number;
  oldestMs: number;
}

/**
 * This process's equal share of each limit while Redis is unavailable: the limit, less the requests of the last minute
 * that all processes counted in Redis, divided by the number of processes. The shares never add up to more than the
 * limit, whenever each process computes its own, because the requests counted in Redis only expire.
 */
export class LocalShare {
  readonly #options: LocalShareOptions;
  /** Requests that the other processes counted in Redis, by slot. */
  #others = new Map<string, [second: number, count: number][]>();
  #months: ReadonlyMap<string, number> = new Map();
  #monthStartMs = 0;

  constructor(options: LocalShareOptions) {
    this.#options = options;
  }

  /** Starts counting against the share. `months` are the database totals after every process has flushed. */
  begin(reports: readonly RequestReport[], startMs: number, months: ReadonlyMap<string, number>): void {
    this.#others = new Map();
    for (const report of reports) {
      for (const [slotId, seconds] of Object.entries(report)) {
        const list = this.#others.get(slotId) ?? [];
        for (const [second, count] of Object.entries(seconds)) list.push([Number(second), count]);
        this.#others.set(slotId, list);
      }
    }
    this.#monthStartMs = startMs;
    this.#months = months;
  }

  /** Counts on the month only. The caller adds an allowed request to the counted requests. */
  take(holder: WindowHolder, nowMs: number): LocalDecision {
    const slot = this.#options.counted.slot(holder.slotId);
    const room = this.#room(holder, slot, nowMs);
    const spent = room.minute <= 0 ? 'minute' : room.month <= 0 ? 'month' : null;
    if (spent === null) {
      slot.localMonth.count++;
      room.minute--;
      room.month--;
      room.used++;
      if (slot.times.length === 0) room.oldestMs = nowMs;
    }
    return { spent, states: this.#states(holder, slot, room, nowMs) };
  }

  /** Counts one on the month only, without a request. */
  takeMonth(holder: WindowHolder, nowMs: number): { isSpent: boolean; states: WindowStates } {
    const slot = this.#options.counted.slot(holder.slotId);
    const room = this.#room(holder, slot, nowMs);
    const isSpent = room.month <= 0;
    if (!isSpent) slot.localMonth.count++;
    return { isSpent, states: this.#states(holder, slot, room, nowMs) };
  }

  read(holder: WindowHolder, nowMs: number): WindowStates {
    const slot = this.#options.counted.slot(holder.slotId);
    return this.#states(holder, slot, this.#room(holder, slot, nowMs), nowMs);
  }

  /** Refunds a request while Redis is unavailable. One that Redis has counted is refunded there later. */
  refund(slotId: string, number: number, isInRedis: boolean): void {
    const slot = this.#options.counted.slot(slotId);
    if (isInRedis) slot.pendingRefunds.push(number);
    else {
      slot.localMonth.count = Math.max(0, slot.localMonth.count - 1);
      slot.removeIfCounted.push(number);
    }
  }

  /** Adds to Redis, slot by slot, what was counted and refunded without it. Redis counts no request twice. */
  async restore(redis: Redis, isOtherRedis: boolean, nowMs: number): Promise<void> {
    const { counted, names, processId } = this.#options;
    const restored: Promise<unknown>[] = [];
    for (const [slotId, slot] of counted.entries()) {
      dropExpired(slot, nowMs);
      const requests: string[] = [];
      let recent = 0;
      slot.numbers.forEach((number, place) => {
        if (number < 0) recent++;
        if (number > 0 && !isOtherRedis) return;
        requests.push(number < 0 ? '1' : '0', `${processId}:${Math.abs(number)}`, String(slot.times[place]));
      });
      const refunds = isOtherRedis ? [] : slot.pendingRefunds;
      const removals = isOtherRedis ? [] : slot.removeIfCounted;
      const expired = Math.max(0, slot.localMonth.count - recent);
      if (requests.length + refunds.length + removals.length + expired === 0) continue;
      const startMs = slot.localMonth.startMs || monthStartMs(nowMs);
      const head = [startMs, expired, refunds.length, removals.length].map(String);
      const named = [...refunds, ...removals].map((number) => `${processId}:${number}`);
      const keys = [names.minute(slotId), names.month(slotId)];
      restored.push(redis.run(RESTORE, keys, [...head, ...named, ...requests]));
    }
    await Promise.all(restored);
  }

  /** After `restore`: Redis has every request, so none counts as local any more. */
  end(): void {
    for (const [, slot] of this.#options.counted.entries()) {
      slot.localMonth = { startMs: 0, count: 0 };
      slot.pendingRefunds = [];
      slot.removeIfCounted = [];
      slot.numbers = slot.numbers.map(Math.abs);
    }
  }

  #room(holder: WindowHolder, slot: CountedSlot, nowMs: number): Room {
    const { requestsPerMinute, requestsPerMonth } = holder.plan;
    const processCount = this.#options.processCount();
    dropExpired(slot, nowMs);
    const horizonMs = nowMs - MINUTE_MS;
    let countedInRedis = 0;
    let oldestMs = slot.times[0] ?? nowMs;
    for (const [second, count] of this.#others.get(holder.slotId) ?? []) {
      if (second * 1000 <= horizonMs) continue;
      countedInRedis += count;
      oldestMs = Math.min(oldestMs, second * 1000);
    }
    let countedLocally = 0;
    for (const number of slot.numbers) {
      if (number < 0) countedLocally++;
      else countedInRedis++;
    }
    const startMs = monthStartMs(nowMs);
    if (slot.localMonth.startMs !== startMs) slot.localMonth = { startMs, count: 0 };
    const monthBefore = startMs === this.#monthStartMs ? this.#monthBefore(holder.slotId, slot) : 0;
    const monthShare = Math.floor(Math.max(0, requestsPerMonth - monthBefore) / processCount);
    return {
      minute: Math.floor(Math.max(0, requestsPerMinute - countedInRedis) / processCount) - countedLocally,
      month: monthShare - slot.localMonth.count,
      used: countedInRedis + countedLocally,
      monthUsed: monthBefore,
      oldestMs,
    };
  }

  #monthBefore(slotId: string, slot: CountedSlot): number {
    const reported = slot.reportedMonth?.monthStartMs === this.#monthStartMs ? slot.reportedMonth.used : 0;
    return Math.max(reported, this.#months.get(slotOfWindows(slotId)) ?? 0);
  }

  #states({ plan }: WindowHolder, slot: CountedSlot, room: Room, nowMs: number): WindowStates {
    const minute = stateOf(plan.requestsPerMinute, room.used, room.oldestMs + MINUTE_MS, nowMs);
    const monthUsed = room.monthUsed + slot.localMonth.count;
    const month = stateOf(plan.requestsPerMonth, monthUsed, nextMonthStartMs(nowMs), nowMs);
    return {
      minute: { ...minute, remaining: Math.max(0, room.minute) },
      month: { ...month, remaining: Math.max(0, room.month) },
    };
  }
}

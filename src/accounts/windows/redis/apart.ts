import { MINUTE_MS } from '../../../base/times.ts';
import type { Redis } from '../../../storage/redis/redis.ts';
import type { RedisNames } from '../../redis-names.ts';
import { stateOf } from '../memory.ts';
import { monthStartMs, nextMonthStartMs } from '../months.ts';
import type { WindowHolder, WindowStates } from '../windows.ts';
import { dropOlder, type OwnSlot, type OwnTakes, type TakeReport } from './own-takes.ts';
import { RESTORE } from './scripts.ts';

export interface ApartOptions {
  names: RedisNames;
  own: OwnTakes;
  processId: string;
  processCount: () => number;
}

interface ApartStates {
  spent: 'minute' | 'month' | null;
  states: WindowStates;
}

/** What may still pass here, and what has passed. */
interface Room {
  minute: number;
  month: number;
  used: number;
  monthUsed: number;
  oldestMs: number;
}

/**
 * This process's equal share of what was left when Redis went away. Each minute: what all counted with Redis and has
 * not left the minute, from the limit; the rest divided. The sum of the shares is never more than the limit, whenever
 * each process looks, because what was counted with Redis only becomes less.
 */
export class ApartWindows {
  readonly #options: ApartOptions;
  /** What the others counted, in seconds, by slot. */
  #others = new Map<string, [second: number, count: number][]>();
  #months: ReadonlyMap<string, number> = new Map();
  #monthStartMs = 0;

  constructor(options: ApartOptions) {
    this.#options = options;
  }

  /** From here on the share counts. The months are those of the database after everybody had stored theirs. */
  begin(reports: readonly TakeReport[], startMs: number, months: ReadonlyMap<string, number>): void {
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

  /** The request itself is added to the own ones by whoever asks. */
  take(holder: WindowHolder, nowMs: number): ApartStates {
    const slot = this.#options.own.slot(holder.slotId);
    const room = this.#room(holder, slot, nowMs);
    const spent = room.minute <= 0 ? 'minute' : room.month <= 0 ? 'month' : null;
    if (spent === null) {
      slot.apartMonth.count++;
      room.minute--;
      room.month--;
      room.used++;
      if (slot.times.length === 0) room.oldestMs = nowMs;
    }
    return { spent, states: this.#states(holder, slot, room, nowMs) };
  }

  read(holder: WindowHolder, nowMs: number): WindowStates {
    const slot = this.#options.own.slot(holder.slotId);
    return this.#states(holder, slot, this.#room(holder, slot, nowMs), nowMs);
  }

  /** Given back while Redis is away. One that Redis has is given back there later. */
  refund(slotId: string, number: number, isInRedis: boolean): void {
    const slot = this.#options.own.slot(slotId);
    if (isInRedis) slot.apartRefunds.push(number);
    else {
      slot.apartMonth.count = Math.max(0, slot.apartMonth.count - 1);
      slot.vain.push(number);
    }
  }

  /** Tells Redis, slot by slot. What it has already it does not count twice. */
  async restore(redis: Redis, isOtherRedis: boolean, nowMs: number): Promise<void> {
    const { own, names, processId } = this.#options;
    const told: Promise<unknown>[] = [];
    for (const [slotId, slot] of own.entries()) {
      dropOlder(slot, nowMs);
      const takes: string[] = [];
      let recent = 0;
      slot.numbers.forEach((number, place) => {
        if (number < 0) recent++;
        if (number > 0 && !isOtherRedis) return;
        takes.push(number < 0 ? '1' : '0', `${processId}:${Math.abs(number)}`, String(slot.times[place]));
      });
      const refunds = isOtherRedis ? [] : slot.apartRefunds;
      const vain = isOtherRedis ? [] : slot.vain;
      const older = Math.max(0, slot.apartMonth.count - recent);
      if (takes.length + refunds.length + vain.length + older === 0) continue;
      const startMs = slot.apartMonth.startMs || monthStartMs(nowMs);
      const head = [startMs, older, refunds.length, vain.length].map(String);
      const given = [...refunds, ...vain].map((number) => `${processId}:${number}`);
      const keys = [names.minute(slotId), names.month(slotId)];
      told.push(redis.run(RESTORE, keys, [...head, ...given, ...takes]));
    }
    await Promise.all(told);
  }

  /** Redis has it all: what was counted here is like anything else now. */
  end(): void {
    for (const [, slot] of this.#options.own.entries()) {
      slot.apartMonth = { startMs: 0, count: 0 };
      slot.apartRefunds = [];
      slot.vain = [];
      slot.numbers = slot.numbers.map(Math.abs);
    }
  }

  #room(holder: WindowHolder, slot: OwnSlot, nowMs: number): Room {
    const { requestsPerMinute, requestsPerMonth } = holder.plan;
    const processCount = this.#options.processCount();
    dropOlder(slot, nowMs);
    const horizonMs = nowMs - MINUTE_MS;
    let before = 0;
    let oldestMs = slot.times[0] ?? nowMs;
    for (const [second, count] of this.#others.get(holder.slotId) ?? []) {
      if (second * 1000 <= horizonMs) continue;
      before += count;
      oldestMs = Math.min(oldestMs, second * 1000);
    }
    let ownApart = 0;
    for (const number of slot.numbers) {
      if (number < 0) ownApart++;
      else before++;
    }
    const startMs = monthStartMs(nowMs);
    if (slot.apartMonth.startMs !== startMs) slot.apartMonth = { startMs, count: 0 };
    const monthBefore = startMs === this.#monthStartMs ? this.#monthBefore(holder.slotId, slot) : 0;
    const monthShare = Math.floor(Math.max(0, requestsPerMonth - monthBefore) / processCount);
    return {
      minute: Math.floor(Math.max(0, requestsPerMinute - before) / processCount) - ownApart,
      month: monthShare - slot.apartMonth.count,
      used: before + ownApart,
      monthUsed: monthBefore,
      oldestMs,
    };
  }

  #monthBefore(slotId: string, slot: OwnSlot): number {
    const known = slot.known?.monthStartMs === this.#monthStartMs ? slot.known.used : 0;
    return Math.max(known, this.#months.get(slotId) ?? 0);
  }

  #states({ plan }: WindowHolder, slot: OwnSlot, room: Room, nowMs: number): WindowStates {
    const minute = stateOf(plan.requestsPerMinute, room.used, room.oldestMs + MINUTE_MS, nowMs);
    const monthUsed = room.monthUsed + slot.apartMonth.count;
    const month = stateOf(plan.requestsPerMonth, monthUsed, nextMonthStartMs(nowMs), nowMs);
    return {
      minute: { ...minute, remaining: Math.max(0, room.minute) },
      month: { ...month, remaining: Math.max(0, room.month) },
    };
  }
}

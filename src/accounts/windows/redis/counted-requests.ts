import { MINUTE_MS, SECOND_MS } from '../../../base/times.ts';

/** The requests this process has counted on one slot. With them it can count without Redis and update Redis afterwards. */
export interface CountedSlot {
  /** Requests of the last minute, oldest first. A request counted without Redis has a negative number. */
  numbers: number[];
  times: number[];
  /** Requests counted without Redis that Redis does not have yet, less refunds. */
  localMonth: { startMs: number; count: number };
  /** Numbers of requests that Redis has counted and that were refunded while it was unavailable. */
  pendingRefunds: number[];
  /** Numbers of requests that were not counted in the end. Redis may have counted them before its reply was lost. */
  removeIfCounted: number[];
  /** The month as Redis last reported it. */
  reportedMonth: { monthStartMs: number; used: number } | null;
}

/** Requests of the last minute: by slot, then by second. Seconds are rounded up, so that no request expires too early. */
export type RequestReport = Record<string, Record<string, number>>;

/** The requests of the last minute that this process has counted, by slot. */
export class CountedRequests {
  readonly #slots = new Map<string, CountedSlot>();

  entries(): IterableIterator<[string, CountedSlot]> {
    return this.#slots.entries();
  }

  slot(slotId: string): CountedSlot {
    let slot = this.#slots.get(slotId);
    if (!slot) {
      slot = {
        numbers: [],
        times: [],
        localMonth: { startMs: 0, count: 0 },
        pendingRefunds: [],
        removeIfCounted: [],
        reportedMonth: null,
      };
      this.#slots.set(slotId, slot);
    }
    return slot;
  }

  add(slotId: string, number: number, atMs: number): void {
    this.addTo(this.slot(slotId), number, atMs, 1);
  }

  /** Adds requests with successive numbers. */
  addTo(slot: CountedSlot, firstNumber: number, atMs: number, count: number): void {
    for (let number = firstNumber; number < firstNumber + count; number++) {
      slot.numbers.push(number);
      slot.times.push(atMs);
    }
    // Dropping once half of the list has expired is cheaper than checking at each request. `atMs` may be a little ahead.
    const nowMs = atMs - SECOND_MS;
    if (slot.times.length > 64 && (slot.times[slot.times.length >> 1] ?? 0) <= nowMs - MINUTE_MS)
      dropExpired(slot, nowMs);
  }

  /** Requests that were counted under another name, and perhaps by another clock. They are in Redis, or expire there. */
  addAll(slotId: string, { numbers, times, reportedMonth }: CountedSlot, shiftMs: number): void {
    const slot = this.slot(slotId);
    const all = slot.numbers.map((number, place) => ({ number, atMs: slot.times[place] ?? 0 }));
    for (const [place, number] of numbers.entries())
      all.push({ number: Math.abs(number), atMs: (times[place] ?? 0) + shiftMs });
    all.sort((a, b) => a.atMs - b.atMs);
    slot.numbers = all.map(({ number }) => number);
    slot.times = all.map(({ atMs }) => atMs);
    slot.reportedMonth ??= reportedMonth;
  }

  /** Returns whether the request was in the list. A negative number means that it was counted without Redis. */
  remove(slotId: string, number: number): boolean {
    const slot = this.slot(slotId);
    const place = slot.numbers.lastIndexOf(number);
    if (place < 0) return false;
    slot.numbers.splice(place, 1);
    slot.times.splice(place, 1);
    return true;
  }

  /** Drops requests older than a minute, and slots without any. */
  sweep(nowMs: number): void {
    for (const [slotId, slot] of this.#slots) {
      dropExpired(slot, nowMs);
      const pending = slot.localMonth.count + slot.pendingRefunds.length + slot.removeIfCounted.length;
      if (slot.times.length + pending === 0) this.#slots.delete(slotId);
    }
  }

  report(nowMs: number): RequestReport {
    const report: RequestReport = {};
    for (const [slotId, slot] of this.#slots) {
      dropExpired(slot, nowMs);
      if (slot.times.length === 0) continue;
      const seconds: Record<string, number> = {};
      for (const timeMs of slot.times) {
        const second = Math.ceil(timeMs / 1000);
        seconds[second] = (seconds[second] ?? 0) + 1;
      }
      report[slotId] = seconds;
    }
    return report;
  }
}

export function dropExpired(slot: CountedSlot, nowMs: number): void {
  const horizonMs = nowMs - MINUTE_MS;
  let expired = 0;
  while (expired < slot.times.length && (slot.times[expired] ?? 0) <= horizonMs) expired++;
  if (expired === 0) return;
  slot.times.splice(0, expired);
  slot.numbers.splice(0, expired);
}

/** The report of another process, as JSON text; null if any of it has another shape. */
export function parseRequestReport(text: unknown): RequestReport | null {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const report: RequestReport = {};
  for (const [slotId, seconds] of Object.entries(value)) {
    if (!isObject(seconds)) return null;
    const counts: Record<string, number> = {};
    for (const [second, count] of Object.entries(seconds)) {
      if (!/^\d+$/.test(second) || typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
        return null;
      counts[second] = count;
    }
    report[slotId] = counts;
  }
  return report;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { MINUTE_MS } from '../../../base/times.ts';

/** What this process itself has counted on one slot: enough to go on without Redis, and to tell Redis afterwards. */
export interface OwnSlot {
  /** Requests of the last minute, in order. Those counted without Redis have their number below zero. */
  numbers: number[];
  times: number[];
  /** Counted without Redis and not told to it yet, less what was given back. */
  apartMonth: { startMs: number; count: number };
  /** Numbers of requests that Redis has and that were given back without it. */
  apartRefunds: number[];
  /** Numbers of requests that did not count in the end, though Redis may have counted them before it was lost. */
  vain: number[];
  /** What Redis last said. */
  known: { monthStartMs: number; used: number } | null;
}

/** Times of requests by slot, to the full second, rounded up so that nothing leaves the minute too early. */
export type TakeReport = Record<string, Record<string, number>>;

/** The requests of the last minute that this process has counted, by slot. */
export class OwnTakes {
  readonly #slots = new Map<string, OwnSlot>();

  entries(): IterableIterator<[string, OwnSlot]> {
    return this.#slots.entries();
  }

  slot(slotId: string): OwnSlot {
    let slot = this.#slots.get(slotId);
    if (!slot) {
      slot = {
        numbers: [],
        times: [],
        apartMonth: { startMs: 0, count: 0 },
        apartRefunds: [],
        vain: [],
        known: null,
      };
      this.#slots.set(slotId, slot);
    }
    return slot;
  }

  add(slotId: string, number: number, atMs: number): void {
    const slot = this.slot(slotId);
    slot.numbers.push(number);
    slot.times.push(atMs);
    // Half of it has left the minute: cheaper than looking at each request.
    if (slot.times.length > 64 && (slot.times[slot.times.length >> 1] ?? 0) <= atMs - MINUTE_MS)
      dropOlder(slot, atMs);
  }

  /** Whether it was there; its sign tells where it was counted. */
  remove(slotId: string, number: number): boolean {
    const slot = this.slot(slotId);
    const place = slot.numbers.lastIndexOf(number);
    if (place < 0) return false;
    slot.numbers.splice(place, 1);
    slot.times.splice(place, 1);
    return true;
  }

  /** Forgets what has left the minute, and slots that hold nothing. */
  sweep(nowMs: number): void {
    for (const [slotId, slot] of this.#slots) {
      dropOlder(slot, nowMs);
      const isTold = slot.apartMonth.count + slot.apartRefunds.length + slot.vain.length === 0;
      if (slot.times.length === 0 && isTold) this.#slots.delete(slotId);
    }
  }

  report(nowMs: number): TakeReport {
    const report: TakeReport = {};
    for (const [slotId, slot] of this.#slots) {
      dropOlder(slot, nowMs);
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

export function dropOlder(slot: OwnSlot, nowMs: number): void {
  const horizonMs = nowMs - MINUTE_MS;
  let gone = 0;
  while (gone < slot.times.length && (slot.times[gone] ?? 0) <= horizonMs) gone++;
  if (gone === 0) return;
  slot.times.splice(0, gone);
  slot.numbers.splice(0, gone);
}

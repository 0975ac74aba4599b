import { MINUTE_MS } from '../../../base/times.ts';

/** Requests of one slot, oldest first. */
interface OwnSlot {
  numbers: number[];
  /** By the monotonic clock. */
  times: number[];
}

/**
 * The requests of the last minute that this process has passed, by slot. They are subtracted from its share while Redis is
 * unavailable, and given to Redis afterwards.
 */
export class OwnRequests {
  readonly #slots = new Map<string, OwnSlot>();

  recent(slotId: string, nowMs: number): OwnSlot {
    const slot = this.#slots.get(slotId) ?? { numbers: [], times: [] };
    dropExpired(slot, nowMs);
    return slot;
  }

  add(slotId: string, number: number, nowMs: number): void {
    const slot = this.recent(slotId, nowMs);
    slot.numbers.push(number);
    slot.times.push(nowMs);
    this.#slots.set(slotId, slot);
  }

  remove(slotId: string, number: number): void {
    const { numbers, times } = this.#slots.get(slotId) ?? { numbers: [], times: [] };
    const place = numbers.lastIndexOf(number);
    if (place < 0) return;
    numbers.splice(place, 1);
    times.splice(place, 1);
  }

  /** Drops requests older than a minute, and slots without any. Returns the slots that are left. */
  sweep(nowMs: number): ReadonlyMap<string, OwnSlot> {
    for (const [slotId, slot] of this.#slots) {
      dropExpired(slot, nowMs);
      if (slot.times.length === 0) this.#slots.delete(slotId);
    }
    return this.#slots;
  }
}

function dropExpired({ numbers, times }: OwnSlot, nowMs: number): void {
  const horizonMs = nowMs - MINUTE_MS;
  let expired = 0;
  while (expired < times.length && (times[expired] ?? 0) <= horizonMs) expired++;
  if (expired === 0) return;
  numbers.splice(0, expired);
  times.splice(0, expired);
}

import type { Kysely } from 'kysely';
import { DAY_MS, HOUR_MS } from '../base/times.ts';
import type { Schema } from '../storage/schema.ts';
import { addKeyUsage, addSlotMonths, type SlotMonth, writeLastUsed } from './usage-rows.ts';
import type { WindowHolder } from './windows.ts';

/** Counts by the start of their span, then by slot or key. */
class Tally {
  readonly #spans = new Map<number, Map<string, number>>();

  add(startMs: number, id: string, by: number): void {
    let counts = this.#spans.get(startMs);
    if (!counts) {
      counts = new Map();
      this.#spans.set(startMs, counts);
    }
    counts.set(id, (counts.get(id) ?? 0) + by);
  }

  of(startMs: number, id: string): number {
    return this.#spans.get(startMs)?.get(id) ?? 0;
  }

  addAll(other: Tally): void {
    for (const [startMs, id, by] of other.entries()) this.add(startMs, id, by);
  }

  *entries(): Generator<[startMs: number, id: string, count: number]> {
    for (const [startMs, counts] of this.#spans)
      for (const [id, count] of counts) if (count !== 0) yield [startMs, id, count];
  }
}

/** How long a key's "last used" may lag behind. */
const LAST_USED_EVERY_MS = 60_000;

/**
 * What was counted and is not stored yet. Counts are added to what storage has, never set, so that several
 * processes may write; a failed write keeps them for the next one.
 */
export class UsageLedger {
  readonly #db: Kysely<Schema>;
  #slotMonths = new Tally();
  #keyHours = new Tally();
  #lastUsedMs = new Map<string, number>();
  #lastUsedWrittenMs: number;

  constructor(db: Kysely<Schema>, nowMs: number) {
    this.#db = db;
    this.#lastUsedWrittenMs = nowMs;
  }

  count(holder: WindowHolder, monthStartMs: number, atMs: number, by: 1 | -1): void {
    this.#slotMonths.add(monthStartMs, holder.slotId, by);
    if (holder.keyId === null) return;
    this.#keyHours.add(atMs - (atMs % HOUR_MS), holder.keyId, by);
    if (by > 0) this.#lastUsedMs.set(holder.keyId, atMs);
  }

  pendingOf(slotId: string, monthStartMs: number): number {
    return this.#slotMonths.of(monthStartMs, slotId);
  }

  /** Stores all that is pending in one transaction; gives the new totals of the slots that it touched. */
  async flush(nowMs: number, withLastUsed: boolean): Promise<SlotMonth[]> {
    const slotMonths = this.#slotMonths;
    const keyHours = this.#keyHours;
    const lastUsedDue = withLastUsed || nowMs - this.#lastUsedWrittenMs >= LAST_USED_EVERY_MS;
    const lastUsedMs = lastUsedDue ? this.#lastUsedMs : new Map<string, number>();
    const months = [...slotMonths.entries()];
    const hours = [...keyHours.entries()];
    if (months.length + hours.length + lastUsedMs.size === 0) return [];
    this.#slotMonths = new Tally();
    this.#keyHours = new Tally();
    if (lastUsedDue) this.#lastUsedMs = new Map();
    try {
      const totals = await this.#db.transaction().execute(async (trx) => {
        const stored = await addSlotMonths(trx, months);
        await addKeyUsage(trx, 'hour', hours);
        await addKeyUsage(trx, 'day', daysOf(keyHours));
        await writeLastUsed(trx, lastUsedMs);
        return stored;
      });
      if (lastUsedDue) this.#lastUsedWrittenMs = nowMs;
      return totals;
    } catch (error) {
      this.#slotMonths.addAll(slotMonths);
      this.#keyHours.addAll(keyHours);
      this.#lastUsedMs = new Map([...lastUsedMs, ...this.#lastUsedMs]);
      throw error;
    }
  }
}

function daysOf(keyHours: Tally): [number, string, number][] {
  const days = new Tally();
  for (const [startMs, keyId, count] of keyHours.entries())
    days.add(startMs - (startMs % DAY_MS), keyId, count);
  return [...days.entries()];
}

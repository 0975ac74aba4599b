import type { Kysely } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../base/times.ts';
import type { Schema } from '../../storage/schema.ts';
import type { WindowOwner } from '../windows/windows.ts';
import { addKeyUsage, addSlotMonths, type SlotMonth, writeLastUsed } from './rows.ts';

/** Counts by the start of their period, then by slot or key. */
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

/** The requests of one owner within one hour. */
interface Line {
  monthStartMs: number;
  hourStartMs: number;
  count: number;
  /** Negative while there are only refunds. */
  lastUsedMs: number;
}

/** The largest delay of a key's stored "last used" time. */
const LAST_USED_EVERY_MS = 60_000;

/**
 * Counts that are not stored yet. They are added to the stored totals, never set, so that several processes can write. A
 * failed write keeps them for the next one.
 */
export class UsageLedger {
  readonly #db: Kysely<Schema>;
  /** Each request is counted here with one lookup; the tallies are updated when they are needed. */
  readonly #lines = new Map<WindowOwner, Line>();
  #slotMonths = new Tally();
  #keyHours = new Tally();
  #lastUsedMs = new Map<string, number>();
  #lastUsedWrittenMs: number;
  /** Called with every count. */
  onCounted: () => void = () => undefined;

  constructor(db: Kysely<Schema>, nowMs: number) {
    this.#db = db;
    this.#lastUsedWrittenMs = nowMs;
  }

  /** `by` is negative for a refund. */
  count(owner: WindowOwner, monthStartMs: number, atMs: number, by: number): void {
    let line = this.#lines.get(owner);
    if (
      line === undefined ||
      line.monthStartMs !== monthStartMs ||
      atMs < line.hourStartMs ||
      atMs >= line.hourStartMs + HOUR_MS
    ) {
      if (line) this.#carry(owner, line);
      line = { monthStartMs, hourStartMs: atMs - (atMs % HOUR_MS), count: 0, lastUsedMs: -1 };
      this.#lines.set(owner, line);
    }
    line.count += by;
    if (by > 0) line.lastUsedMs = atMs;
    this.onCounted();
  }

  #carry({ slotId, keyId }: WindowOwner, { monthStartMs, hourStartMs, count, lastUsedMs }: Line): void {
    this.#slotMonths.add(monthStartMs, slotId, count);
    if (keyId === null) return;
    this.#keyHours.add(hourStartMs, keyId, count);
    if (lastUsedMs >= 0) this.#lastUsedMs.set(keyId, lastUsedMs);
  }

  #carryAll(): void {
    for (const [owner, line] of this.#lines) this.#carry(owner, line);
    this.#lines.clear();
  }

  pendingOf(slotId: string, monthStartMs: number): number {
    this.#carryAll();
    return this.#slotMonths.of(monthStartMs, slotId);
  }

  /** Stores all pending counts in one transaction; returns the new totals of the changed slots. */
  async flush(nowMs: number, withLastUsed: boolean): Promise<SlotMonth[]> {
    this.#carryAll();
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

import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Schema } from '../../storage/schema.ts';
import { UsageLedger } from '../usage/ledger.ts';
import { readSlotMonths, type SlotMonth } from '../usage/rows.ts';
import { keepStoring, type StoredUsage } from '../usage/storing.ts';
import { MemoryWindows } from './memory.ts';
import { monthStartMs } from './months.ts';
import type { Windows } from './windows.ts';

export interface CountedWindows<Kind extends Windows = MemoryWindows> extends StoredUsage {
  windows: Kind;
}

/** Windows in memory that start from the stored months and are stored twice a second. */
export async function openCountedWindows(
  db: Kysely<Schema>,
  clock: Clock,
  log: Log,
): Promise<CountedWindows> {
  const ledger = new UsageLedger(db, clock.nowMs());
  const windows = new MemoryWindows(clock, ledger);
  const setAll = (totals: readonly SlotMonth[]) => {
    for (const total of totals) windows.setStored(total.slotId, total.monthStartMs, total.used);
  };
  const startMs = monthStartMs(clock.nowMs());
  // The month before too: the clock may be wrong now, and set back later.
  for (const one of [monthStartMs(startMs - 1), startMs]) setAll(await readSlotMonths(db, one));
  return { windows, ...keepStoring({ ledger, clock, log, onStored: setAll, sweep: () => windows.sweep() }) };
}

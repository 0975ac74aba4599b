import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { startRepeatingTask } from '../../base/repeating-task.ts';
import type { Schema } from '../../storage/schema.ts';
import { MemoryWindows } from './memory.ts';
import { monthStartMs } from './months.ts';
import { UsageLedger } from './usage-ledger.ts';
import { readSlotMonths, type SlotMonth } from './usage-rows.ts';
import type { Windows } from './windows.ts';

/** Half the promised second: the write itself and a busy event loop have the other half. */
export const FLUSH_EVERY_MS = 500;

export interface CountedWindows<Kind extends Windows = MemoryWindows> {
  windows: Kind;
  /** Stores what is pending now. */
  flush(): Promise<void>;
  /** Stores what is pending, for the last time. */
  close(): Promise<void>;
}

/** Windows that go on from the stored month and are stored again twice a second. */
export async function openCountedWindows(
  db: Kysely<Schema>,
  clock: Clock,
  log: Log,
): Promise<CountedWindows> {
  const ledger = new UsageLedger(db, clock.nowMs());
  const windows = new MemoryWindows(() => clock.nowMs(), ledger);
  const setAll = (totals: readonly SlotMonth[]) => {
    for (const total of totals) windows.setStored(total.slotId, total.monthStartMs, total.used);
  };
  setAll(await readSlotMonths(db, monthStartMs(clock.nowMs())));
  return { windows, ...keepStoring({ ledger, clock, log, onStored: setAll, sweep: () => windows.sweep() }) };
}

export interface StoringOptions {
  ledger: UsageLedger;
  clock: Clock;
  log: Log;
  /** The new totals of the slots that were written. */
  onStored(totals: readonly SlotMonth[]): void;
  sweep(): void;
}

/** Stores what the ledger holds, twice a second and on demand. */
export function keepStoring(options: StoringOptions): Omit<CountedWindows, 'windows'> {
  const { ledger, clock, log, onStored, sweep } = options;
  const store = async (withLastUsed: boolean) => onStored(await ledger.flush(clock.nowMs(), withLastUsed));
  // One write after the other: the totals of an older one must not overwrite those of a newer one.
  let last: Promise<void> = Promise.resolve();
  const flush = (withLastUsed: boolean) => {
    last = last.catch(() => undefined).then(() => store(withLastUsed));
    return last;
  };

  let failing = false;
  const task = startRepeatingTask({
    name: 'store usage',
    everyMs: FLUSH_EVERY_MS,
    firstDelayMs: FLUSH_EVERY_MS,
    clock,
    log,
    run: async () => {
      sweep();
      try {
        await flush(false);
        if (failing) log.info('usage is stored again');
        failing = false;
      } catch (error) {
        if (!failing) log.error({ err: error }, 'usage cannot be stored; it is kept and tried again');
        failing = true;
      }
      return undefined;
    },
  });

  return {
    flush: () => flush(false),
    close: async () => {
      await task.stop();
      await flush(true).catch((error: unknown) => log.error({ err: error }, 'the last usage is not stored'));
    },
  };
}

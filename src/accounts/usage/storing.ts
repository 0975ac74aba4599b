import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { startRepeatingTask } from '../../base/repeating-task.ts';
import type { UsageLedger } from './ledger.ts';
import type { SlotMonth } from './rows.ts';

/** Half of the promised second; the write itself and a busy event loop may take the other half. */
const FLUSH_EVERY_MS = 500;

/** Stored counts. */
export interface StoredUsage {
  /** Stores the pending counts now. */
  flush(): Promise<void>;
  /** Stores the pending counts and stops. */
  close(): Promise<void>;
}

interface StoringOptions {
  ledger: UsageLedger;
  clock: Clock;
  log: Log;
  /** Receives the new totals of the stored slots. */
  onStored(totals: readonly SlotMonth[]): void;
  sweep(): void;
}

/** Stores the counts of the ledger twice a second and on demand. */
export function keepStoring(options: StoringOptions): StoredUsage {
  const { ledger, clock, log, onStored, sweep } = options;
  const store = async (withLastUsed: boolean) => onStored(await ledger.flush(clock.nowMs(), withLastUsed));
  // Writes run one after the other, so that the totals of an older one never overwrite those of a newer one.
  let last: Promise<void> = Promise.resolve();
  const flush = (withLastUsed: boolean) => {
    last = last.catch(() => undefined).then(() => store(withLastUsed));
    return last;
  };

  let failing = false;
  let startedMs = clock.monotonicMs();
  let isStoring = false;
  const storeDue = async () => {
    startedMs = clock.monotonicMs();
    isStoring = true;
    try {
      await flush(false);
      if (failing) log.info('usage is stored again');
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error }, 'cannot store usage; it is kept and stored later');
      failing = true;
    }
    isStoring = false;
  };
  // The timer of a starved process waits behind its requests, so a request also starts a write that is due.
  ledger.onCounted = () => {
    if (!isStoring && clock.monotonicMs() - startedMs >= FLUSH_EVERY_MS) void storeDue();
  };
  const task = startRepeatingTask({
    name: 'store usage',
    everyMs: FLUSH_EVERY_MS,
    firstDelayMs: FLUSH_EVERY_MS,
    clock,
    log,
    run: async () => {
      sweep();
      await storeDue();
      return undefined;
    },
  });

  return {
    flush: () => flush(false),
    close: async () => {
      ledger.onCounted = () => undefined;
      await task.stop();
      await flush(true).catch((error: unknown) =>
        log.error({ err: error }, 'could not store the last usage'),
      );
    },
  };
}

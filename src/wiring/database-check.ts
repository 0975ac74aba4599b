import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { startRepeatingTask } from '../base/repeating-task.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../base/times.ts';
import { CHECK_LIMIT_MS, checkDatabaseFile } from '../storage/check/check.ts';
import type { SqliteStorage } from '../storage/storage.ts';

/** The start itself has the processor first. */
const FIRST_DELAY_MS = 10 * SECOND_MS;

export interface DatabaseCheck {
  /** What the last check could not tell, in sentences for the operator. */
  faults(): string[];
  stop(): Promise<void>;
}

/** Checks the SQLite file for damage soon after the start and daily, and reports it to the state of the disk. */
export function startDatabaseCheck(options: {
  storage: Pick<SqliteStorage, 'file' | 'disk'>;
  clock: Clock;
  log: Log;
  /** Only tests replace it. */
  limitMs?: number;
}): DatabaseCheck {
  const { storage, clock, log, limitMs = CHECK_LIMIT_MS } = options;
  let faults: string[] = [];
  const task = startRepeatingTask({
    name: 'check the database file',
    everyMs: DAY_MS,
    firstDelayMs: FIRST_DELAY_MS,
    clock,
    log,
    run: async (signal) => {
      const { findings, unchecked, failure } = await checkDatabaseFile(storage.file, { limitMs, signal });
      if (signal.aborted) return undefined;
      const isWhole = unchecked.length === 0 && failure === null;
      // A check that saw less does not take back what an earlier one found.
      if (isWhole || findings.length > 0) storage.disk.checked(findings);
      if (findings.length > 0)
        log.error({ findings }, 'the database file is damaged; docs/incidents.md says what to do');
      if (failure !== null) log.error({ reason: failure }, 'the database file could not be checked');
      else if (!isWhole) log.warn({ unchecked }, 'the check of the database file was cut short');
      else if (findings.length === 0) log.info('the database file is not damaged');
      faults = faultsOf(unchecked, failure, limitMs);
      return undefined;
    },
  });
  return { faults: () => faults, stop: () => task.stop() };
}

function faultsOf(unchecked: readonly string[], failure: string | null, limitMs: number): string[] {
  if (failure !== null) return [`The database file could not be checked: ${failure}`];
  if (unchecked.length === 0) return [];
  const after = limitMs < MINUTE_MS ? `${limitMs / SECOND_MS} s` : `${limitMs / MINUTE_MS} min`;
  return [
    `The check of the database file was cut short after ${after}; not checked: ${unchecked.join(', ')}`,
  ];
}

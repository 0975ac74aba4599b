import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import { FencedError } from '../../storage/fences.ts';
import type { Storage } from '../../storage/storage.ts';
import { type SavedReport, saveReports } from './store.ts';

interface ReportSavingOptions {
  storage: Storage;
  log: Log;
  engineLease: EngineLease;
  reports: () => readonly SavedReport[];
}

const SAVE_EVERY_MS = 5 * SECOND_MS;

/** Saves the reports of venues every few seconds while this process is the active collector. */
export class ReportSaving {
  readonly #options: ReportSavingOptions;
  #task: RepeatingTask | null = null;

  constructor(options: ReportSavingOptions) {
    this.#options = options;
  }

  start(): void {
    this.#task = startRepeatingTask({
      name: 'save reports of venues',
      everyMs: SAVE_EVERY_MS,
      // Real time, also in tests that move the clock: other processes follow the reports.
      clock: systemClock,
      log: this.#options.log,
      run: async () => {
        await this.save();
        return undefined;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
  }

  async save(): Promise<void> {
    const { storage, engineLease, reports } = this.#options;
    if (!engineLease.isHeld()) return;
    try {
      await saveReports(storage, reports(), engineLease.fence());
    } catch (error) {
      // The next reports follow soon.
      if (!(error instanceof FencedError) && !isStorageUnavailable(error)) throw error;
    }
  }
}

import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { AUDIT_REPORT } from '../../history/audit/model.ts';
import { AuditStore } from '../../history/audit/store.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { type AuditReport, parseReport } from './report.ts';

const READ_EVERY_MS = 10 * SECOND_MS;

/** The report that the audit stores, for where the audit does not run. */
export class FollowedAuditReport {
  readonly #store: AuditStore;
  #report: AuditReport | null = null;
  #task: RepeatingTask | null = null;

  private constructor(storage: Storage) {
    this.#store = new AuditStore(storage);
  }

  static async open({ storage, clock, log }: { storage: Storage; clock: Clock; log: Log }) {
    const followed = new FollowedAuditReport(storage);
    await followed.#read();
    followed.#task = startRepeatingTask({
      name: 'read the report of the audit',
      everyMs: READ_EVERY_MS,
      firstDelayMs: READ_EVERY_MS,
      clock,
      log,
      run: () => followed.#read(),
    });
    return followed;
  }

  /** Null before the first one. */
  report(): AuditReport | null {
    return this.#report;
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
  }

  async #read(): Promise<undefined> {
    try {
      this.#report = parseReport((await this.#store.loadDocument(AUDIT_REPORT))?.value) ?? this.#report;
    } catch (error) {
      // The last report stays until the database is back.
      if (!isStorageUnavailable(error)) throw error;
    }
  }
}

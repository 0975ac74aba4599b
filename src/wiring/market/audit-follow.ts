import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { type AuditReport, parseReport } from '../../engines/audit/report.ts';
import { AUDIT_REPORT } from '../../history/audit/model.ts';
import { AuditStore } from '../../history/audit/store.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import type { Foundation } from '../foundation.ts';

export interface FollowedAudit {
  report(): AuditReport | null;
  stop(): Promise<void>;
}

const FOLLOW_EVERY_MS = 10 * SECOND_MS;

/** The report that the engine's process stores, for processes without the engine. */
export async function followAudit({
  storage,
  clock,
  log,
}: Pick<Foundation, 'storage' | 'clock' | 'log'>): Promise<FollowedAudit> {
  const store = new AuditStore(storage);
  let report: AuditReport | null = null;
  const read = async () => {
    try {
      report = parseReport((await store.loadDocument(AUDIT_REPORT))?.value) ?? report;
    } catch (error) {
      // The last report stays until the database is back.
      if (!isStorageUnavailable(error)) throw error;
    }
  };
  await read();
  const task: RepeatingTask = startRepeatingTask({
    name: 'read the report of the audit',
    everyMs: FOLLOW_EVERY_MS,
    firstDelayMs: FOLLOW_EVERY_MS,
    clock,
    log,
    run: async () => {
      await read();
      return undefined;
    },
  });
  return { report: () => report, stop: () => task.stop() };
}

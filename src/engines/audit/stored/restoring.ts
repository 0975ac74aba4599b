import { setImmediate as afterPendingEvents } from 'node:timers/promises';
import type { Clock } from '../../../base/clock.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import { AUDIT_DAYS, AUDIT_REPORT, dayOf } from '../../../history/audit/model.ts';
import type { AuditStore } from '../../../history/audit/store.ts';
import { storedFrames } from '../../../market/frame-store.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { Alarms } from '../alarms.ts';
import type { Auditor } from '../auditor.ts';
import type { FigureChecks } from '../figure-checks.ts';
import type { PublishedRow } from '../published-rates.ts';
import { type AuditReport, parseReport } from '../report.ts';
import type { SnapshotChecks } from '../snapshot-checks.ts';
import { EVIDENCE_DAYS } from '../verdict.ts';
import { replayFrames } from './replay.ts';

interface AuditRestoringOptions {
  storage: Storage;
  store: AuditStore;
  exchanges: readonly string[];
  auditor: Auditor;
  alarms: Alarms;
  snapshotChecks: SnapshotChecks;
  figureChecks: FigureChecks;
  clock: Clock;
  /** Shows the audit rows that an earlier process published. */
  replay: (asOfMs: number, rows: readonly PublishedRow[]) => void;
}

/** The names of the documents that are saved once an hour. */
export const VOLUMES = 'volumes';
export const INTERESTS = 'interests';

/** Reads what an earlier process stored. */
export class AuditRestoring {
  readonly #options: AuditRestoringOptions;

  constructor(options: AuditRestoringOptions) {
    this.#options = options;
  }

  /** Everything that judgements need. Returns the last report; null if there is none. */
  async recent(): Promise<AuditReport | null> {
    const { storage, store, auditor, alarms, snapshotChecks, figureChecks, clock, replay } = this.#options;
    const report = parseReport((await store.loadDocument(AUDIT_REPORT))?.value);
    for (const { exchange, alarms: own } of report?.venues ?? [])
      alarms.restore(own.map((alarm) => ({ exchange, ...alarm })));
    snapshotChecks.restore((await store.loadDocument(VOLUMES))?.value);
    figureChecks.restore((await store.loadDocument(INTERESTS))?.value, report?.venues ?? []);
    for (let day = this.#today() - EVIDENCE_DAYS; day <= this.#today(); day++) await this.#restoreDay(day);
    await replayFrames(storedFrames(storage), clock.nowMs(), replay);
    auditor.settleRestored();
    return report;
  }

  /** The days that only the longest windows need. */
  async olderDays(isStopped: () => boolean): Promise<void> {
    for (let day = this.#today() - EVIDENCE_DAYS - 1; day > this.#today() - AUDIT_DAYS; day--) {
      if (isStopped()) return;
      await this.#restoreDay(day);
      // SQLite answers without a turn of the event loop: timers and replies would wait for all the days.
      await afterPendingEvents();
    }
  }

  #today(): number {
    return dayOf(Math.floor(this.#options.clock.nowMs() / MINUTE_MS));
  }

  async #restoreDay(day: number): Promise<void> {
    const { exchanges, auditor, store, clock } = this.#options;
    for (const exchange of exchanges)
      auditor.restore(exchange, await store.load(exchange, day), clock.nowMs());
  }
}

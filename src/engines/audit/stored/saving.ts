import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { HOUR_MS, MINUTE_MS } from '../../../base/times.ts';
import { AUDIT_DAYS, AUDIT_REPORT, dayOf } from '../../../history/audit/model.ts';
import type { AuditStore } from '../../../history/audit/store.ts';
import type { EngineLease } from '../../../storage/engine-lease.ts';
import { isStorageUnavailable } from '../../../storage/errors.ts';
import { FencedError } from '../../../storage/fences.ts';
import type { Auditor } from '../auditor.ts';
import type { AuditReport } from '../report.ts';

/** Settlements of one venue that wait while the database is unavailable; beyond it the oldest are dropped. */
const MOST_UNSAVED = 50_000;

interface AuditSavingOptions {
  store: AuditStore;
  auditor: Auditor;
  /** Documents that are saved once an hour, by name. */
  hourly: (asOfMs: number) => Readonly<Record<string, unknown>>;
  engineLease: EngineLease;
  log: Log;
  metrics: Metrics;
}

/** Stores what the audit finds, while this process has the engine. */
export class AuditSaving {
  readonly #options: AuditSavingOptions;
  #saving: Promise<void> = Promise.resolve();
  #savedHour = 0;
  #prunedDay = 0;

  constructor(options: AuditSavingOptions) {
    this.#options = options;
  }

  /** Saves the settlements that are new. One save runs at a time. */
  settlements(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#saveSettlements());
    return this.#saving;
  }

  /** A report that cannot be stored now is replaced by the next one. */
  async report(report: AuditReport): Promise<void> {
    try {
      await this.#saveReport(report);
    } catch (error) {
      if (!isStorageUnavailable(error) && !(error instanceof FencedError)) throw error;
    }
  }

  /** What cannot be saved is kept for the next time, unless another process has the engine now. */
  async #saveSettlements(): Promise<void> {
    const { store, auditor, engineLease, metrics, log } = this.#options;
    if (!engineLease.isHeld()) return;
    const fence = engineLease.fence();
    for (const [exchange, settlements] of auditor.takeUnsaved()) {
      try {
        await store.merge(exchange, settlements, fence);
      } catch (error) {
        if (error instanceof FencedError) return;
        const dropped = auditor.putBack(exchange, settlements, MOST_UNSAVED);
        if (dropped > 0) metrics.auditDropped.inc(dropped);
        if (!isStorageUnavailable(error))
          log.error({ err: error, exchange }, 'audited settlements not saved');
      }
    }
  }

  async #saveReport(report: AuditReport): Promise<void> {
    const { store, hourly, engineLease } = this.#options;
    const { asOfMs } = report;
    const fence = engineLease.fence();
    await store.saveDocument(AUDIT_REPORT, { asOfMs, value: report }, fence);
    const hour = Math.floor(asOfMs / HOUR_MS);
    if (hour !== this.#savedHour) {
      for (const [name, value] of Object.entries(hourly(asOfMs)))
        await store.saveDocument(name, { asOfMs, value }, fence);
      this.#savedHour = hour;
    }
    const day = dayOf(Math.floor(asOfMs / MINUTE_MS));
    if (day !== this.#prunedDay) {
      await store.deleteBefore(day - AUDIT_DAYS);
      this.#prunedDay = day;
    }
  }
}

import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { Venue } from '../../venues/venue.ts';
import type { Alarm } from './alarms.ts';
import type { VenueChecks } from './checks.ts';
import { FAULT_WORDS } from './faults.ts';
import { findingOf, type Notice } from './notices.ts';
import type { AuditReport } from './report.ts';

interface AuditReporterOptions {
  venues: readonly Venue[];
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Shows operators what the audit finds: log lines and metrics. */
export class AuditReporter {
  readonly #options: AuditReporterOptions;
  readonly #slugs: ReadonlyMap<string, string>;

  constructor(options: AuditReporterOptions) {
    this.#options = options;
    this.#slugs = new Map(options.venues.map(({ slug, facts }) => [facts.exchange, slug]));
  }

  compared(exchange: string): void {
    this.#options.metrics.auditComparisons.inc({ venue: this.#slugOf(exchange) });
  }

  alarmChanged(alarm: Alarm, isOn: boolean): void {
    const { exchange, fault, evidence, sinceMs } = alarm;
    this.showAlarm(alarm, isOn);
    const details = { venue: this.#slugOf(exchange), fault, evidence };
    this.#logChange(details, 'alarm', isOn ? FAULT_WORDS[fault].finding : null, sinceMs);
  }

  noticeChanged(notice: Notice, isOn: boolean): void {
    const { exchange, kind, field, evidence, sinceMs } = notice;
    const details = { venue: this.#slugOf(exchange), notice: kind, field, evidence };
    this.#logChange(details, 'notice', isOn ? findingOf(notice) : null, sinceMs);
  }

  showAlarm({ exchange, fault }: Alarm, isOn: boolean): void {
    this.#options.metrics.venueAuditAlarm.set({ venue: this.#slugOf(exchange), fault }, isOn ? 1 : 0);
  }

  showChecks(exchange: string, checks: VenueChecks): void {
    const { venueCheckRows, venueVolumeRatio } = this.#options.metrics;
    const venue = this.#slugOf(exchange);
    venueCheckRows.set({ venue, check: 'price_compared' }, checks.pricesCompared);
    venueCheckRows.set({ venue, check: 'price_off' }, checks.pricesOff);
    venueCheckRows.set({ venue, check: 'settlement_past' }, checks.settlementsPast);
    venueCheckRows.set({ venue, check: 'row_still' }, checks.rowsStill);
    venueCheckRows.set({ venue, check: 'settlement_too_far' }, checks.settlementsTooFar);
    if (checks.volumeRatio !== null) venueVolumeRatio.set({ venue }, checks.volumeRatio);
  }

  showReport({ venues }: AuditReport): void {
    const { venueAuditNotice, auditMissing } = this.#options.metrics;
    venueAuditNotice.reset();
    for (const { exchange, notices, windows } of venues) {
      const venue = this.#slugOf(exchange);
      for (const { kind, field } of notices) venueAuditNotice.set({ venue, notice: kind, field }, 1);
      auditMissing.set({ venue }, windows[0]?.missing ?? 0);
    }
  }

  /** Another process may audit from now on. */
  reset(): void {
    const { metrics } = this.#options;
    metrics.venueAuditAlarm.reset();
    metrics.venueAuditNotice.reset();
    metrics.venueCheckRows.reset();
    metrics.venueVolumeRatio.reset();
    metrics.auditMissing.reset();
  }

  #logChange(details: object, what: string, finding: string | null, sinceMs: number): void {
    const { log, clock } = this.#options;
    if (finding !== null) log.warn(details, `audit ${what}: ${finding}`);
    else
      log.warn({ ...details, lastedSeconds: (clock.nowMs() - sinceMs) / SECOND_MS }, `audit ${what} ended`);
  }

  #slugOf(exchange: string): string {
    return this.#slugs.get(exchange) ?? exchange;
  }
}

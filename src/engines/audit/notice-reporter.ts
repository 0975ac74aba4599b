import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { SECOND_MS } from '../../base/times.ts';
import { findingOf, type Notice } from './notices.ts';

type VenueName = (exchange: string) => string;

/** Writes a line to the log for each notice that begins or ends. */
export function noticeLogger(
  log: Log,
  clock: Clock,
  nameOf: VenueName,
): (notice: Notice, isOn: boolean) => void {
  return (notice, isOn) => {
    const { exchange, kind, field, evidence, sinceMs } = notice;
    const details = { venue: nameOf(exchange), notice: kind, field, evidence };
    if (isOn) log.warn(details, `audit notice: ${findingOf(notice)}`);
    else log.warn({ ...details, lastedSeconds: (clock.nowMs() - sinceMs) / SECOND_MS }, 'audit notice ended');
  };
}

/** Sets the metric of the notices that are on. */
export function showNotices(metrics: Metrics, notices: readonly Notice[], nameOf: VenueName): void {
  metrics.venueAuditNotice.reset();
  for (const { exchange, kind, field } of notices)
    metrics.venueAuditNotice.set({ venue: nameOf(exchange), notice: kind, field }, 1);
}

import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';

/** Counts and logs a reply or message of Redis or another process that cannot be parsed. The caller ignores it. */
export type ReportUnreadable = (kind: string) => void;

export function unreadableReporter(log: Log, metrics?: Metrics): ReportUnreadable {
  return (kind) => {
    metrics?.clusterMessages.inc({ kind, outcome: 'unreadable' });
    log.warn({ kind }, 'ignored a reply or message that cannot be parsed');
  };
}

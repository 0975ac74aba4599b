import type { Server } from 'node:http';
import { createServer } from '../../base/http/node-http.ts';
import { type JobState, lateJobTexts } from '../../base/jobs.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { AuditReport } from '../../engines/audit/report.ts';
import type { VenueReport } from '../../venues/health.ts';
import { NO_SNIFF } from './common-headers.ts';
import { type MetricsJson, metricsText } from './metrics-text.ts';

export interface AdminOptions {
  metrics: Metrics;
  /** The metrics of the collector's thread; null if there is none, or while it starts. */
  threadMetrics?: () => MetricsJson | null;
  /** Called before the metrics are written, for those that are read from elsewhere. */
  beforeMetrics?: () => void;
  /** Why the process is not ready, one line each; none if it is. */
  notReady: () => readonly string[];
  /** Faults that do not stop the process from working, one line each. */
  degraded?: () => readonly string[];
  /** The periodic jobs whose results this process makes or serves. */
  jobs?: () => readonly JobState[];
  venues: () => VenueReport[];
  /** Null before the first report. */
  audit: () => AuditReport | null;
}

/** Metrics and health checks for operators, on a separate port that must not be public. */
export function createAdminServer({
  metrics,
  threadMetrics = () => null,
  beforeMetrics,
  notReady,
  degraded = () => [],
  jobs = () => [],
  venues,
  audit,
}: AdminOptions): Server {
  return createServer((request, response) => {
    const send = (status: number, type: string, body: string) => {
      response.writeHead(status, { ...NO_SNIFF, 'content-type': type });
      response.end(body);
    };
    const path = (request.url ?? '/').split('?')[0];
    if (path === '/healthz') return send(200, 'text/plain', 'ok\n');
    if (path === '/readyz') {
      const missing = notReady();
      const lines = [...(missing.length === 0 ? ['ready'] : missing), ...degraded(), ...lateJobTexts(jobs())];
      return send(missing.length === 0 ? 200 : 503, 'text/plain', `${lines.join('\n')}\n`);
    }
    if (path === '/venues') return send(200, 'application/json', JSON.stringify(venues()));
    if (path === '/audit') return send(200, 'application/json', JSON.stringify(audit()));
    if (path === '/metrics') {
      beforeMetrics?.();
      metrics.jobLate.reset();
      for (const { name, isLate } of jobs()) metrics.jobLate.set({ name }, isLate ? 1 : 0);
      metricsText(metrics, threadMetrics()).then(
        (text) => send(200, metrics.registry.contentType, text),
        () => send(500, 'text/plain', 'metrics failed\n'),
      );
      return;
    }
    send(404, 'text/plain', 'Not found. Available: /metrics, /healthz, /readyz, /venues, /audit.\n');
  });
}

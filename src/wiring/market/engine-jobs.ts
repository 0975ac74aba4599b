import type { Clock } from '../../base/clock.ts';
import { type JobState, jobState } from '../../base/jobs.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { AuditReport } from '../../engines/audit/report.ts';
import { SIZES_USD } from '../../history/samples/model.ts';
import type { TableSource } from '../../market/timeline.ts';
import type { Settings } from '../../settings.ts';
import type { Series } from './series.ts';

export interface EngineResults {
  series: Series;
  listings: TableSource;
  audit: () => AuditReport | null;
}

/** The periodic jobs of a collector in another process, judged by the age of their results. */
export function jobsByAge(
  { series, listings, audit }: EngineResults,
  { clock, settings }: { clock: Clock; settings: Settings },
): JobState[] {
  const nowMs = clock.nowMs();
  const asOf = (source: TableSource | undefined) => source?.at(0, nowMs)?.asOfMs;
  const snapshotMs = settings.snapshotSeconds * SECOND_MS;
  const results: [name: string, everyMs: number, asOfMs: number | undefined][] = [
    ['snapshots', snapshotMs, asOf(series.funding)],
    ['arbitrage', snapshotMs, asOf(series.arbitrageLegs)],
    ['spreads', settings.spreadsSeconds * SECOND_MS, asOf(series.legs)],
    ['listings', snapshotMs, asOf(listings)],
    ['audit', MINUTE_MS, audit()?.asOfMs],
    ['backtest', MINUTE_MS, asOf(series.backtest.get(SIZES_USD[0]))],
  ];
  return results.flatMap(([name, everyMs, asOfMs]) =>
    asOfMs === undefined ? [] : [jobState(name, everyMs, nowMs - asOfMs)],
  );
}
